#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compared.py TCPWHY: does each cell of docs/compared.md hold? Runs its command in pcaps/ and looks for what the cell says.

Needs tshark and tcptrace of Debian 12, and netverdict 0.9.0 ("pip install netverdict==0.9.0"; NETVERDICT names the command).
Cells of a tool that is not there are skipped.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = {
    "tcpwhy": ["{tcpwhy}", "{capture}"],
    "tshark": ["tshark", "-r", "{capture}", "-q", "-z", "expert,note"],
    "tcptrace": ["tcptrace", "-l", "{capture}"],
    "netverdict": [os.environ.get("NETVERDICT", "netverdict"), "analyze", "{capture}"],
}
NOTHING = re.compile(r"Warns|Retransmission|[Zz]ero|(?i:out-of-order)|Duplicate")
# Of each capture: a tool, what its output holds, and what it does not.
CELLS = {
    "nginx_nagle_delack/client.pcap": {
        "tcpwhy": (["Nagle + delayed ACK at", "28.5 of 29.1 s", "TCP_NODELAY"], None),
        "tshark": (["connection closing"], NOTHING),
        "tcptrace": (["rexmt data pkts: 0 rexmt data pkts: 0"], re.compile(r"(rexmt data pkts|zero win adv): [1-9]")),
        "netverdict": (["AMBIGUOUS", "Latency spikes", "PATH JITTER", "DELAYED ACK"], None),
    },
    "zero_window_slow_reader/client.pcap": {
        "tcpwhy": (["Slow reader at", "4.90 of 5.05 s"], None),
        "tshark": (["completely full", "Zero Window", "retransmission"], None),
        "tcptrace": (["zero win adv: 6 times"], None),
        "netverdict": (["stopped reading its socket", "high confidence"], None),
    },
    "random_loss_1pct/server.pcap": {
        "tcpwhy": (["Packet loss", "2.44 of 2.95 s", "2.33 s because the sender slowed down"], None),
        "tshark": (["retransmission", "Duplicate ACK"], None),
        "tcptrace": (["rexmt data pkts: 19"], None),
        "netverdict": (["heavy jitter (congestion likely)", "medium confidence"], None),
    },
    "random_loss_1pct/client.pcap": {
        "tcpwhy": (["Packet loss", "2.31 of 2.98 s", "1.68 s because the sender slowed down"], None),
        "tshark": (["segment(s) not captured", "out-of-order"], None),
        "tcptrace": (["outoforder pkts: 19"], None),
        "netverdict": (["healthy transport"], None),
    },
}


def said(command):
    """What it prints, each space one."""
    done = subprocess.run(command, cwd=TOP / "pcaps", capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "200"})
    return " ".join((done.stdout + done.stderr).split())


def problems(capture, tool, tcpwhy):
    there, absent = CELLS[capture][tool]
    output = said([word.format(tcpwhy=tcpwhy, capture=capture) for word in COMMANDS[tool]])
    yield from (f"not said: {words}" for words in there if words not in output)
    if absent and absent.search(output):
        yield f"said: {absent.search(output)[0]}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tcpwhy = pathlib.Path(sys.argv[1]).resolve()
    wrong = 0
    for capture, cells in CELLS.items():
        for tool in cells:
            if tool != "tcpwhy" and not shutil.which(COMMANDS[tool][0]):
                print(f"skipped  {capture}: no {tool} here")
                continue
            found = list(problems(capture, tool, tcpwhy))
            wrong += len(found)
            print(f"{'not so' if found else 'holds':8} {capture}: {tool}", *found, sep="\n         ")
    if shutil.which("tshark"):
        n = len(subprocess.run(["tshark", "-G", "protocols"], capture_output=True, text=True, check=True).stdout.splitlines())
        wrong += n <= 2900
        print(f"{'holds' if n > 2900 else 'not so':8} tshark knows {n} protocols")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
