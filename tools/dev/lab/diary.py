#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""diary.py TCPWHY DIR [SCENARIO...]: hold what is certain against what the programs noted themselves, the largest first.

peer.py notes when it begins to write, read and sleep, and when it is done. What is charged to a program must be time that it
spent neither writing nor reading, with nothing left to send; what is charged to TCP, time in which something was.
"""
import bisect
import collections
import csv
import fnmatch
import glob
import json
import os
import subprocess
import sys

# Less of a span is clocks and a busy machine's; less of a connection, nothing to look at.
SLACK_MS, MATERIAL_MS = 3, 20
# The side whose program causes the delay; all other causes are the sender's.
PROGRAM = {"server_think": "server", "client_think": "client", "client_idle": "client"}
# Causes that hold back a sender with data to send. Queueing and recovery may come after all was sent.
HELD = {
    "slow_start", "slow_start_after_idle", "early_slow_start_exit", "congestion_window_limited", "receive_window_limited",
    "zero_window", "send_buffer_limited", "nagle_hold", "nagle_delayed_ack", "cork_hold", "delayed_ack",
}  # fmt: skip


def run(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=120, check=True).stdout


class Capture:
    """The frames that one host saw, so that those of another host are found here."""

    def __init__(self, tool, path, side):
        self.side, self.frame, self.times = side, {}, collections.defaultdict(list)
        self.sent = collections.defaultdict(list)  # by client port: when how much of this host's data was out
        for row in csv.DictReader(run(tool, "segments", "--csv", path).splitlines()):
            sender, length, at_ns = row["tcpwhy.side"], int(row["tcp.len"]), int(row["frame.time_epoch"].replace(".", ""))
            port = int(row["tcp.srcport" if sender == "client" else "tcp.dstport"])
            key = (port, *(row[name] for name in ("tcpwhy.side", "tcp.flags", "tcpwhy.seq", "tcpwhy.ack", "tcp.len")))
            self.frame[int(row["frame.number"])] = key, at_ns
            self.times[key].append(at_ns)
            if sender == side and length:
                syn = bool(int(row["tcp.flags"], 16) & 2)
                self.sent[port].append((at_ns, "sent", int(row["tcpwhy.seq"]) + length - (not syn)))

    def time_of(self, key, there_ns):
        """When a frame was sent or came here that the other host saw at its time; None: it was not."""
        times = self.times.get(key, [])
        if key[1] == self.side:
            return max((ns for ns in times if ns <= there_ns), default=None)
        return min((ns for ns in times if ns >= there_ns), default=None)


class Program:
    """One side of a connection: since when something was left to send, and since when the program did something of its own."""

    def __init__(self, diary, sent, broken_off):
        events, now = list(sent), collections.Counter()
        # Nothing is noted of the time before a server has accepted.
        self.begins_ns = diary[0][1]
        # Nobody could know that more was to come.
        self.ends_ns = diary[-1][1] if broken_off else diary[-1][2]
        for what, from_ns, until_ns, n in diary:
            events += [(from_ns, what, 1), (until_ns, what, -1)]
            events += [(from_ns, "wanted", n)] * (what == "write")
        self.since, self.left, self.own = [], [], []
        for at_ns, what, n in sorted(events):
            now[what] = max(now[what], n) if what == "sent" else now[what] + n
            self.since.append(at_ns)
            self.left.append(now["wanted"] > now["sent"])
            self.own.append(not self.left[-1] and (now["sleep"] > 0 or now["read"] + now["write"] == 0))

    def duration(self, is_so, from_ns, until_ns):
        """For how long it is so (`left` or `own`) in that time."""
        total, i = 0, max(0, bisect.bisect_right(self.since, from_ns) - 1)
        while i < len(self.since) and self.since[i] < until_ns:
            end_ns = self.since[i + 1] if i + 1 < len(self.since) else until_ns
            total += max(0, min(end_ns, until_ns) - max(self.since[i], from_ns)) * is_so[i]
            i += 1
        return total


def about(span):
    """Whether a diary can tell of the cause: "left" (something to send was) or "own" (the program's own time); None: it cannot."""
    if span["cause"] in HELD:
        return "left"
    return "own" if span["cause"] in PROGRAM or span["cause"] == "app_limited" else None


def fit_ms(span, what, first_ns, view, host, program, way_ns):
    """How much of a span in one capture was so at the host whose program or data it is about; None: beyond what the diary knows."""
    from_ns, until_ns = (first_ns + int(span[k] * 1e6) for k in ("from_ms", "to_ms"))
    begin_ns, end_ns = from_ns, until_ns
    if host is not view:
        begin_ns = host.time_of(*view.frame[span["first_frame"]]) or from_ns - way_ns
        end_ns = host.time_of(*view.frame[span["last_frame"]]) or until_ns
    if begin_ns < program.begins_ns or end_ns > program.ends_ns:
        return None
    return program.duration(getattr(program, what), begin_ns, end_ns) / 1e6


def unfit_ms(span, first_ns, view, host, program, way_ns):
    """How much of a certain span was not so."""
    if span["confidence"] != "certain" or not about(span):
        return 0
    fits = fit_ms(span, about(span), first_ns, view, host, program, way_ns)
    return 0 if fits is None else span["to_ms"] - span["from_ms"] - fits


def programs(truth, captures):
    """By client port and side."""
    found = {}
    for c in truth["connections"]:
        if c.get("diary") and (c["role"] == "client" or "peer" in c):
            port = (c["local"] if c["role"] == "client" else c["peer"])[1]
            found[port, c["role"]] = Program(c["diary"], captures[c["role"]].sent[port], "error" in c)
    return found


def questions(tool, folder):
    """Rows of (milliseconds, capture, stream, what is charged to whom, the worst of its spans)."""
    with open(os.path.join(folder, "truth.json")) as f:
        truth = json.load(f)
    captures = {side: Capture(tool, f"{folder}/{side}.pcap", side) for side in ("client", "server")}
    of_port = programs(truth, captures)
    way_ns = sum(truth["set_up"]["link"][way]["delay_us"] for way in ("a2b", "b2a")) * 1000
    for view in captures:
        document = json.loads(run(tool, "explain", "--json", f"{folder}/{view}.pcap"))
        rows = collections.defaultdict(list)
        for stream in document["streams"]:
            port = int(stream["client"].rsplit(":", 1)[1])
            for span in stream["spans"]:
                who = PROGRAM.get(span["cause"], span["direction"])
                if (port, who) not in of_port:
                    continue
                ms = unfit_ms(span, document["capture"]["first_ns"], captures[view], captures[who], of_port[port, who], way_ns)
                if ms > SLACK_MS:
                    row = ms, span["to_ms"] - span["from_ms"], span["first_frame"], span["last_frame"]
                    rows[stream["stream"], f"{span['cause']} of {who}"].append(row)
        for (stream, what), found in rows.items():
            yield sum(row[0] for row in found), f"{view}.pcap -s{stream}", what, max(found)


def main():
    tool, root, *patterns = sys.argv[1:]
    rows = []
    for path in sorted(glob.glob(os.path.join(root, "*", "truth.json"))):
        name = os.path.basename(os.path.dirname(path))
        if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns):
            rows += [(*row, name) for row in questions(tool, os.path.dirname(path)) if row[0] > MATERIAL_MS]
    for ms, capture, what, (worst_ms, of_ms, first, last), name in sorted(rows, reverse=True):
        print(f"{ms:7.0f} ms {name}/{capture} {what}: not so; {worst_ms:.0f} of {of_ms:.0f} ms in frames {first}-{last}")


if __name__ == "__main__":
    main()
