#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY PCAPS: 'tcpwhy ledger' adds up to the lifetimes of the streams, as a table and as folded stacks."""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

CASES = ("nginx_nagle_delack/client", "ab_short_connections/server", "syn_filtered_many_ports/client", "random_loss_1pct/client",
         "refused_port/client")

# How speedscope and flamegraph.pl part a line. The first takes whole numbers only.
SPEEDSCOPE = re.compile(r"^(.*) (\d+)$")
FLAMEGRAPH = re.compile(r"^(.*)\s+?(\d+(?:\.\d*)?)$")
FRAMES = re.compile(r"[0-9a-f.:\[\]]+;[0-9a-f.:\[\]]+;stream_\d+;[a-z_]+")

# Where Debian's libdevel-nytprof-perl has it.
FLAMEGRAPH_PL = shutil.which("flamegraph.pl") or "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"


def run(*command, stdin=None):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60, check=True, input=stdin).stdout


def nanoseconds(entries):
    """A ledger by cause."""
    by = collections.Counter()
    for entry in entries:
        by[entry["cause"]] += round(entry["ms"] * 1e6)
    return by


def stacks(text):
    """(stream, cause) to milliseconds, and what is wrong with the lines."""
    found, problems = {}, []
    for line in text.splitlines():
        parts = SPEEDSCOPE.match(line), FLAMEGRAPH.match(line)
        if not all(parts) or parts[0].groups() != parts[1].groups() or not FRAMES.fullmatch(parts[0][1]):
            problems.append(f"no stack: {line!r}")
            continue
        host, listener, stream, cause = parts[0][1].split(";")
        if listener.rpartition(":")[0].strip("[]") != host:
            problems.append(f"the listener is not at the host: {line}")
        key, ms = (int(stream[7:]), cause), int(parts[0][2])
        if key in found or ms == 0:
            problems.append(f"twice, or empty: {line}")
        found[key] = ms
    return found, problems


def folded(tool, capture, streams):
    """Problems with the stacks of a capture."""
    found, problems = stacks(run(tool, "ledger", "--folded", capture))
    lost = collections.Counter()
    for stream in streams:
        for cause, ns in nanoseconds(stream["ledger"]).items():
            ms = found.pop((stream["stream"], cause), 0)
            lost[cause] += ns - ms * 1_000_000
            if abs(ns - ms * 1_000_000) > 1_000_000:
                problems.append(f"stream {stream['stream']}, {cause}: {ms} ms, not {ns} ns")
    problems += [f"nowhere in the ledgers: {stack}" for stack in found]
    return problems + [f"{cause}: {ns} ns are lost in all" for cause, ns in lost.items() if abs(ns) > 500_000]


def added_up(document, streams):
    """Problems with the capture's and the listeners' ledgers."""
    whole, by_listener, by_stream = nanoseconds(document["ledger"]), collections.Counter(), collections.Counter()
    for listener in document["listeners"]:
        by_listener += nanoseconds(listener["ledger"])
    for stream in streams:
        by_stream += nanoseconds(stream["ledger"])
    lives = sum(round(s["duration_ms"] * 1e6) for s in streams)
    if sum(whole.values()) != lives:
        yield f"{sum(whole.values())} ns of {lives}"
    if +whole != +by_listener or +whole != +by_stream:
        yield f"capture {whole}, listeners {by_listener}, streams {by_stream}"


def main():
    tool, pcaps = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with Tap() as tap:
        for case in CASES:
            capture = pcaps / f"{case}.pcap"
            streams = json.loads(run(tool, "streams", "--json", capture))["streams"]
            document = json.loads(run(tool, "ledger", "--json", capture))
            tap.check(f"the ledger of {case} adds up to the lives of its streams", list(added_up(document, streams)))
            tap.check(f"the folded stacks of {case} do as well, to half a millisecond a cause", folded(tool, capture, streams))
        if pathlib.Path(FLAMEGRAPH_PL).exists():
            picture = run("perl", FLAMEGRAPH_PL, "--countname=ms", stdin=run(tool, "ledger", "--folded", pcaps / f"{CASES[0]}.pcap"))
            tap.check("flamegraph.pl draws them", None if "nagle_delayed_ack (1,42" in picture else picture[:500])
        else:
            tap.skip("flamegraph.pl draws them", "no flamegraph.pl here (libdevel-nytprof-perl has one)")


if __name__ == "__main__":
    main()
