#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slow_requests.py CAPTURE [N]: the N slowest requests of a capture, with the cause of most of their connection's time."""
import sys

import tcpwhy


def slowest(report: tcpwhy.Report, n: int) -> list[tuple[int, tcpwhy.Connection, tcpwhy.Exchange]]:
    """The longest time first, in nanoseconds; requests without an answer have none."""
    answered = [(exchange.total_ns, connection, exchange) for connection in report.connections for exchange in connection.exchanges
                if exchange.total_ns is not None]
    return sorted(answered, key=lambda row: -row[0])[:n]


def main(capture: str, n: int = 5) -> None:
    report = tcpwhy.analyze(capture)
    print(report)
    for total_ns, connection, exchange in slowest(report, n):
        print(f"{total_ns / 1e6:9.1f} ms  stream {connection.stream}  {connection.server}  {exchange.request}  ({connection.verdict.cause})")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
