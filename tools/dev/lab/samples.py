#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""samples.py TCPWHY DIR [SCENARIO...]: hold the samples of each connection against its own host's capture, the worst first.

A sample is what the sender's TCP thought of a connection at a time (struct tcp_info). Other programs take rows() from here.
The bytes that it has sent and that nobody acknowledged are those that the capture of that host shows in flight, but for the
moment between a sample and a frame; and its segments are neither empty nor larger than its MSS. Exit 1 when a sample is not so.
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

# Between the clock's reading and the kernel's answer, and between a frame's stamp and the kernel's account of it.
SLACK_NS = 1_000_000
# The kernel counts a SYN and a FIN among the bytes at one end and not at the other.
FLAGS = 2
SIDES = ("client", "server")

# role, local and peer ([address, port]) and cookie of a connection's one end, and its rows in the order of time.
Sampled = collections.namedtuple("Sampled", "role local peer cookie rows")


def rows(samples):
    """The rows of a connection's "samples": named tuples, one for each time (time_ns to until_ns, both included) in which nothing changed."""
    row = collections.namedtuple("Row", samples)
    return [row(*values) for values in zip(*samples.values())]


def of_truth(truth):
    """What was sampled of each end of each connection; nothing for captures that were made without samples."""
    for c in truth["connections"]:
        if "samples" in c:
            yield Sampled(c["role"], c["local"], c.get("peer"), c.get("cookie"), rows(c["samples"]))


def truth_of(folder):
    with open(os.path.join(folder, "truth.json")) as f:
        return json.load(f)


def load(folder):
    return list(of_truth(truth_of(folder)))


class Flight:
    """What one side's data in flight was, by its own host's capture."""

    def __init__(self, segments, side):
        self.times, self.bytes = [], []
        sent = acked = 0
        for at_ns, sender, end, ack in segments:
            if sender == side:
                sent = max(sent, end)
            elif ack is not None:
                acked = max(acked, ack)
            self.times.append(at_ns)
            self.bytes.append(max(0, sent - acked))

    def around(self, from_ns, until_ns):
        """The least and the most of a time."""
        first = max(0, bisect.bisect_left(self.times, from_ns) - 1)
        here = self.bytes[first:bisect.bisect_right(self.times, until_ns)]
        return (min(here), max(here)) if here else (0, 0)


def segments_of(tool, path):
    """Rows (time, side, end of its data, ACK) by the client's port."""
    done = subprocess.run([tool, "segments", "--csv", path], capture_output=True, text=True, timeout=120, check=True)
    found = collections.defaultdict(list)
    for row in csv.DictReader(done.stdout.splitlines()):
        at_ns, sender, flags = int(row["frame.time_epoch"].replace(".", "")), row["tcpwhy.side"], int(row["tcp.flags"], 16)
        port = int(row["tcp.srcport" if sender == "client" else "tcp.dstport"])
        end = int(row["tcpwhy.seq"]) + int(row["tcp.len"]) + (flags & 1) + (flags >> 1 & 1)
        found[port].append((at_ns, sender, end, int(row["tcpwhy.ack"]) if flags & 16 and row["tcpwhy.ack"] else None))
    return found


def in_flight(row):
    """(bytes, segments) that a sample says are on their way; a stack that tells no segments has as many as it may, and None tells nothing."""
    if hasattr(row, "bytes_sent"):
        return (row.bytes_sent - row.bytes_retrans - row.bytes_acked, row.unacked) if row.unacked else None
    bytes_out = getattr(row, "in_flight_bytes", 0)
    return (bytes_out, -(-bytes_out // row.snd_mss)) if bytes_out > 0 else None


def unlike(row, flight, mss, queued):
    """Whether a sample is not what the capture shows; `mss` is the largest that this end ever had.

    Behind a queue of the host's own (tc) the capture does not know yet of all that TCP has sent.
    """
    bytes_out, segments_out = in_flight(row)
    least, most = flight.around(row.time_ns - SLACK_NS, row.time_ns + SLACK_NS)
    if queued:
        return bytes_out < least - FLAGS
    return not (least - FLAGS <= bytes_out <= most + FLAGS and segments_out <= most and least <= segments_out * mss)


def disagreements(tool, folder):
    """(samples that do not fit, samples with data in flight, where) of each end."""
    truth, ports = truth_of(folder), collections.Counter()
    found = [s for s in of_truth(truth) if s.peer]
    for s in found:
        ports[s.role, (s.local if s.role == "client" else s.peer)[1]] += 1
    segments = {side: segments_of(tool, os.path.join(folder, f"{side}.pcap")) for side in SIDES}
    for s in found:
        port = (s.local if s.role == "client" else s.peer)[1]
        if ports[s.role, port] > 1 or port not in segments[s.role]:
            continue
        queued = any("tc qdisc" in command for command in truth["set_up"]["setup"].get(s.role, []))
        flight = Flight(segments[s.role][port], s.role)
        asked = [row for row in s.rows if row.state == 1 and in_flight(row)]
        mss = max((row.snd_mss for row in asked), default=0)
        wrong = sum(unlike(row, flight, mss, queued) for row in asked)
        yield wrong, len(asked), f"{os.path.basename(folder)}/{s.role}.pcap :{port}"


def main():
    tool, root, *patterns = sys.argv[1:]
    found = []
    for path in sorted(glob.glob(os.path.join(root, "*", "truth.json"))):
        name = os.path.basename(os.path.dirname(path))
        if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns):
            found += disagreements(tool, os.path.dirname(path))
    for wrong, total, where in sorted((row for row in found if row[0]), reverse=True):
        print(f"{wrong:7} of {total:6} {where}")
    wrong, total = (sum(row[i] for row in found) for i in (0, 1))
    print(f"{total} samples with data in flight, {wrong} of them unlike the capture, {len(found)} ends of connections")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
