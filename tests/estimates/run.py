#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY LAB: estimates of what would be possible without the cause, compared with a capture in which it was
fixed.

The estimates are a rate (bytes per second that the path carries) and a time (of one request without the wait); the
fixed captures are measured by their own ends.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

# The estimate may be off by this much.
MOST = 0.20


def document(tool, capture):
    return json.loads(subprocess.run([tool, "--json", capture], capture_output=True, check=True).stdout)


def finding(doc, cause):
    return next((f for f in doc["findings"] if f["cause"] == cause), None)


def off(estimate, measured):
    """A problem when the two are too far apart."""
    return "" if abs(estimate - measured) <= MOST * measured else f"estimated {estimate:.0f}, measured {measured:.0f}"


def rate_of_path(tool, lab, side):
    held = finding(document(tool, lab / "sndbuf_16k_20ms" / f"{side}.pcap"), "send_buffer_limited")
    if held is None:
        return "no send_buffer_limited to estimate from"
    mended = max(document(tool, lab / "sndbuf_default_20ms" / f"{side}.pcap")["streams"], key=lambda s: s["bytes_to_client"])
    return off(held["detail"]["path_bytes_per_s"], mended["bytes_to_client"] / mended["duration_ms"] * 1e3)


def time_of_request(tool, lab, side):
    doc = document(tool, lab / "nginx_nagle_delack" / f"{side}.pcap")
    held = finding(doc, "nagle_delayed_ack")
    if held is None:
        return "no nagle_delayed_ack to estimate from"
    slow, mended = (json.loads((lab / name / "truth.json").read_text())["wrk"]["percentiles_ms"]["50"]
                    for name in ("nginx_nagle_delack", "nginx_nodelay"))
    return off(held["cost_ms"] / held["count"], slow - mended)


def main():
    tool, lab = sys.argv[1], pathlib.Path(sys.argv[2])
    if not lab.is_dir():
        skip_all(f"no {lab}")
    with Tap() as tap:
        for side in ("client", "server"):
            tap.check(f"from the {side} the path's rate is what the twin without a small send buffer reaches",
                      rate_of_path(tool, lab, side))
            tap.check(f"from the {side} a request would be faster by what the twin with TCP_NODELAY is faster",
                      time_of_request(tool, lab, side))


if __name__ == "__main__":
    main()
