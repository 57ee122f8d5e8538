#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""replay.py TCPWHY DIR [--write DOC] [--jobs N] [SCENARIO...]: hold the replay of each sender's TCP against what its kernel said.

Each connection's samples (struct tcp_info, samples.py) meet the curves of `tcpwhy graph cwnd` and `graph rtt`, from the capture of
either host. Prints a row a scenario, end and direction, the worst first, and sums by kind of sender; --write puts the sums between
the markers of a Markdown file.
"""
import argparse
import bisect
import collections
import concurrent.futures
import csv
import fnmatch
import json
import os
import statistics
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import samples  # noqa: E402

# Between a sample and the frame that changed what it says (samples.py), and what the way to a sender elsewhere adds.
SLACK_NS = {True: 1_000_000, False: 3_000_000}
# RTO and SRTT: aims of the check.
TICK_NS, SRTT_SHARE, SRTT_LEAST_NS = 10_000_000, 0.05, 100_000
# A transfer is long when data was under way for so many round trips, and no exchange of small messages with so much in each.
LONG_ROUNDS, LEAST_SEGMENTS = 20, 5
NO_SSTHRESH = 2147483647
OPEN_STATES = (1, 4, 8)
BEGIN, END = "<!-- replay.py begins -->", "<!-- replay.py ends -->"

Result = collections.namedtuple("Result", "scenario role here n inside width srtt rto misses")


def first_time(path):
    """The epoch of the capture's first frame, in ns."""
    with open(path, "rb") as f:
        head = f.read(24)
        magic = struct.unpack("<I", head[:4])[0]
        seconds, fraction = struct.unpack("<II", f.read(8))
    return seconds * 10**9 + fraction * (1 if magic == 0xA1B23C4D else 1000)


def curves(tool, kind, stream, side, path):
    done = subprocess.run([tool, "graph", kind, "--csv", "-s", str(stream), "--side", side, path], capture_output=True, text=True, timeout=300, check=False)
    found = collections.defaultdict(lambda: ([], []))
    for name, at_ms, value, _ in list(csv.reader(done.stdout.splitlines()))[1:]:
        found[name][0].append(int(float(at_ms) * 1e6))
        found[name][1].append(float(value))
    return found


def around(curve, from_ns, to_ns):
    """The values that a step has in a time."""
    times, values = curve
    first = max(0, bisect.bisect_right(times, from_ns) - 1)
    return values[first:bisect.bisect_right(times, to_ns)]


def streams_of(tool, path):
    done = subprocess.run([tool, "streams", "--json", path], capture_output=True, text=True, timeout=300, check=True)
    return {tuple(int(s[side].rsplit(":", 1)[1]) for side in ("client", "server")): s["stream"] for s in json.loads(done.stdout)["streams"]}


def points_of(rows):
    """Each state that the kernel was in counts where it began and where it ended."""
    for row in rows:
        if row.state in OPEN_STATES:
            yield row.time_ns, row
            if row.until_ns != row.time_ns:
                yield row.until_ns, row


class Tally:
    def __init__(self):
        self.n = self.inside = self.srtt = self.n_srtt = self.rto = self.n_rto = 0
        self.widths, self.misses = [], []

    def hold_cwnd(self, at_ns, slack_ns, row, c):
        low, high = (around(c[name], at_ns - slack_ns, at_ns + slack_ns) for name in ("cwnd_low", "cwnd_high"))
        if not low:
            return
        # Another congestion control than the replay knows has no upper bound.
        high = high or [float("inf")]
        said = row.snd_cwnd * row.snd_mss
        # The replay's segment may be shorter than the kernel's.
        inside = min(low) - row.snd_mss / 2 <= said <= max(high) + row.snd_mss / 2
        self.n += 1
        self.inside += inside
        if row.unacked and high[-1] != float("inf"):
            self.widths.append((high[-1] - low[-1]) / ((high[-1] + low[-1]) / 2 or 1))
        if not inside:
            self.misses.append((at_ns, row.snd_cwnd, min(low) / row.snd_mss, max(high) / row.snd_mss))

    def hold_times(self, at_ns, slack_ns, row, c):
        srtt, rto = (around(c[name], at_ns - slack_ns, at_ns + slack_ns) for name in ("srtt", "rto"))
        if srtt and row.rtt_us:
            self.n_srtt += 1
            said = row.rtt_us * 1000
            self.srtt += any(abs(us * 1000 - said) <= max(SRTT_SHARE * said, SRTT_LEAST_NS) for us in srtt)
        if rto and row.rto_us:
            self.n_rto += 1
            self.rto += any(abs(us * 1000 - row.rto_us * 1000) <= TICK_NS for us in rto)


def share(n, of):
    return n / of if of else None


def hold(tool, folder, patterns=()):
    results = []
    found = [s for s in samples.load(folder) if s.peer and s.rows]
    for here in ("client", "server"):
        path = os.path.join(folder, f"{here}.pcap")
        streams, begin_ns = streams_of(tool, path), first_time(path)
        for s in found:
            client, server = (s.local, s.peer) if s.role == "client" else (s.peer, s.local)
            stream = streams.get((client[1], server[1]))
            last = s.rows[-1]
            if stream is None or getattr(last, "bytes_sent", 0) == 0 or not hasattr(last, "snd_cwnd"):
                continue
            c, t, tally = curves(tool, "cwnd", stream, s.role, path), curves(tool, "rtt", stream, s.role, path), Tally()
            slack_ns = SLACK_NS[here == s.role]
            for at_ns, row in points_of(s.rows):
                at_ns -= begin_ns
                tally.hold_cwnd(at_ns, slack_ns, row, c)
                tally.hold_times(at_ns, slack_ns, row, t)
            if not tally.n:
                continue
            rounds = last.busy_us / last.rtt_us if last.rtt_us else 0
            is_long = tally.widths and rounds >= LONG_ROUNDS and last.bytes_sent >= LEAST_SEGMENTS * last.snd_mss * rounds
            results.append(Result(os.path.basename(folder), s.role, here == s.role, tally.n, tally.inside / tally.n,
                                  statistics.median(tally.widths) if is_long else None, share(tally.srtt, tally.n_srtt), share(tally.rto, tally.n_rto),
                                  tally.misses))
    return results


def percent(value):
    return "-" if value is None else f"{100 * value:.1f}"


def kind_of(scenario):
    for kind in ("gvisor", "lwip", "smoltcp"):
        if scenario.startswith(kind):
            return "other TCPs"
    return "Linux, BBR" if "bbr" in scenario else "Linux, Reno" if "reno" in scenario else "Linux, CUBIC"


def summary(results):
    yield "| sender | capture | ends | samples | cwnd inside | width, long transfers | SRTT within 5 % | RTO within 10 ms |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    groups = collections.defaultdict(list)
    for r in results:
        groups[kind_of(r.scenario), "at the sender" if r.here else "at the receiver"].append(r)
    for (kind, where), group in sorted(groups.items()):
        n = sum(r.n for r in group)
        widths = [r.width for r in group if r.width is not None]
        mean = {name: share(sum(getattr(r, name) * r.n for r in group if getattr(r, name) is not None),
                            sum(r.n for r in group if getattr(r, name) is not None)) for name in ("inside", "srtt", "rto")}
        width = f"{statistics.median(widths):.2f}" if widths else "-"
        yield f"| {kind} | {where} | {len(group)} | {n} | {percent(mean['inside'])} % | {width} | {percent(mean['srtt'])} % | {percent(mean['rto'])} % |"


def write(path, lines):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("root")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--write", metavar="DOC")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--misses", type=int, default=0, help="so many of each row's samples outside the band")
    args = parser.parse_intermixed_args()
    names = [n for n in sorted(os.listdir(args.root)) if os.path.exists(os.path.join(args.root, n, "truth.json"))]
    names = [n for n in names if not args.patterns or any(fnmatch.fnmatch(n, p) for p in args.patterns)]
    results = []
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for found in pool.map(hold, [args.tool] * len(names), [os.path.join(args.root, n) for n in names]):
            results += found
    for r in sorted(results, key=lambda r: (r.inside, -(r.width or 0))):
        width = "-" if r.width is None else f"{r.width:.2f}"
        print(f"{r.scenario:44} {r.role:6} {'here' if r.here else 'away':5} {r.n:6} inside {percent(r.inside):>5} width {width:>5} srtt {percent(r.srtt):>5} rto {percent(r.rto):>5}")
        for at_ns, cwnd, low, high in r.misses[:args.misses]:
            print(f"    {at_ns / 1e6:10.1f} ms: {cwnd} not in {low:.1f} to {high:.1f}")
    lines = list(summary(results))
    print("\n".join(lines))
    if args.write:
        write(args.write, lines)


if __name__ == "__main__":
    main()
