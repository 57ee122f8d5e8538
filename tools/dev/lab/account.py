#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""account.py TCPWHY DIR [SCENARIO...]: hold what is certain against the kernel's own account of each connection, the largest first.

TCP_INFO counts how long a sender was busy and held by the window, and what it sent again; the two captures of a connection must
not be certain of what the other one denies. A line is a question, not a mistake: a sender that paces itself meets the window once a
round trip, and the kernel counts that moment only.
"""
import collections
import fnmatch
import glob
import json
import os
import sys

from check import verdict_of

# Error of the clocks, of the ticks of the kernel's account (10 ms at HZ=100) and of the path's own jitter.
SLACK_MS = 60
WINDOWS = ("receive_window_limited", "zero_window")
THINKING = {"client": ("client_think",), "server": ("server_think",)}
# Those that everybody sees alike, shifted by the way.
SHIFTED = {"wire", "handshake", "close", "reset"}


def certain(ledger, causes, sender):
    rows = (r for r in ledger if r["confidence"] == "certain" and r["cause"] in causes)
    return sum(r["ms"] for r in rows if r["direction"] == sender)


def against_kernel(stream, sender, info, link, at_sender):
    """(milliseconds too many, what they are, what the kernel says) of one sender's data in one capture."""
    ledger, resent = stream["ledger"], info["total_retrans"]
    window_ms, busy_ms = info["rwnd_limited_us"] / 1e3, info["busy_us"] / 1e3
    yield certain(ledger, WINDOWS, sender) - window_ms, "window", f"{window_ms:.0f} ms limited by it"
    if not resent:
        yield certain(ledger, ["loss_recovery", "congestion_window_limited"], sender), "loss", "nothing sent again"
    if not link["a2b"].get("rate_bps"):
        yield certain(ledger, ["bandwidth_limited"], sender), "bandwidth_limited", "the cable has no limit"
    if at_sender:
        idle_ms = stream["duration_ms"] - busy_ms
        yield certain(ledger, THINKING[sender], sender) - idle_ms, "thinking", f"{idle_ms:.0f} ms with nothing to send"


def between_views(one, other):
    """What one capture is certain of, and the other neither is nor doubts."""
    doubted = sum(r["ms"] for r in other["ledger"] if r["confidence"] != "certain")
    for cause, sender in sorted({(r["cause"], r["direction"]) for r in one["ledger"]}):
        if cause not in SHIFTED:
            there = certain(other["ledger"], [cause], sender)
            yield certain(one["ledger"], [cause], sender) - there - doubted, f"{cause} of {sender}", f"{there:.0f} ms there"


def questions(tool, folder):
    with open(os.path.join(folder, "truth.json")) as f:
        truth = json.load(f)
    infos = collections.defaultdict(dict)
    for c in truth["connections"]:
        if "info" in c and (c["role"] == "client" or "peer" in c):
            infos[(c["local"] if c["role"] == "client" else c["peer"])[1]][c["role"]] = c["info"]
    views = collections.defaultdict(dict)
    for view in ("client", "server"):
        for stream in verdict_of(tool, os.path.join(folder, f"{view}.pcap"))["streams"]:
            views[int(stream["client"].rsplit(":", 1)[1])][view] = stream
    for port, of_port in views.items():
        for view, stream in of_port.items():
            for sender, info in infos[port].items():
                for row in against_kernel(stream, sender, info, truth["set_up"]["link"], view == sender):
                    yield *row, view, port
        if len(of_port) == 2:
            for view, other in (("client", "server"), ("server", "client")):
                for row in between_views(of_port[view], of_port[other]):
                    yield *row, view, port


def main():
    tool, root, *patterns = sys.argv[1:]
    rows = []
    for path in sorted(glob.glob(os.path.join(root, "*", "truth.json"))):
        folder = os.path.dirname(path)
        name = os.path.basename(folder)
        if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns):
            rows += [(*row, name) for row in questions(tool, folder) if row[0] > SLACK_MS]
    for ms, what, says, view, port, name in sorted(rows, reverse=True):
        print(f"{ms:7.0f} ms {name} {view}.pcap :{port} {what}, too much: {says}")


if __name__ == "__main__":
    main()
