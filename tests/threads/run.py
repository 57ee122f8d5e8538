#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY TOP SANITIZER [CAPTURES]: the output is identical for any number of threads.

A build with -Db_sanitize=thread also fails on data races; whether 2 threads print what 4 do is asked of one without a sanitizer.
"""
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "hostile")]
import make  # noqa: E402
import sanitizer  # noqa: E402
from tap import Tap  # noqa: E402

# Many connections, large ones, and a bound that is reached while several threads are at work: frames, those that a slow program gets,
# memory, and what the output then tells of it.
MADE = (("syn_flood", 20000, 4000, "2G", None), ("ports_reused", 20000, 4000, "2G", None),
        ("refused_everywhere", 20000, 5000, "16M", "memory_endpoints"), ("syn_flood_everywhere", 30000, 20000, "16M", "memory_forgotten"),
        ("one_exchange_each", 60000, 50000, "16M", "memory_split"), ("held_back", 8000, 4000, "16M", "memory_split"),
        ("holes", 100000, 25000, "16M", "memory_split"), ("soup", 20000, 4000, "2G", None), ("pipelined", 40000, 8000, "2G", None))
# The thread sanitizer cannot see through the locks of GLib's slices.
ENVIRONMENT = dict(os.environ, G_SLICE="always-malloc")

COMMANDS = (("--json",), ("exchanges", "--json"), ("traffic", "--json"))


def answer(tool, command, threads, memory, path):
    done = subprocess.run([tool, *command, "--threads", str(threads), "--memory", memory, path], capture_output=True, check=False,
                          env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr[-2000:].decode(errors="replace")


def problems(tool, several, path, memory="2G", told=None):
    for command in COMMANDS:
        code, alone, said = answer(tool, command, 1, memory, path)
        if code != 0:
            yield f"{' '.join(command)}: exit {code}: {said}"
        if told and command == ("--json",) and told.encode() not in alone:
            yield f"the bound of {memory} is not reached: no {told}"
        for threads in several:
            code, together, said = answer(tool, command, threads, memory, path)
            if code != 0 or together != alone:
                yield f"{' '.join(command)}: {threads} threads: exit {code}, {'other bytes' if together != alone else ''} {said}"


def packed(path):
    """What is compressed is unpacked by a thread of its own: name, and the file's content."""
    whole = gzip.compress(pathlib.Path(path).read_bytes(), 1)
    at = len(whole) * 4 // 5
    yield "gzip", whole
    yield "gzip, cut short", whole[:at]
    yield "gzip, damaged", whole[:at] + bytes(64) + whole[at + 64:]


def archived(tool, folder, captures):
    """Captures that several threads analyse and another writes."""
    for name in "all.sqlite", "all.csv":
        done = subprocess.run([tool, "batch", "--threads", "4", "-o", os.path.join(folder, name), *map(str, captures)], capture_output=True,
                              check=False, env=ENVIRONMENT)
        if done.returncode != 0:
            yield f"{name}: exit {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}"


def main():
    tool, top, slow = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] != "none"
    several = (4,) if slow else (2, 4)
    same = f"the same with {', '.join(map(str, (1, *several[:-1])))} and 4 threads"
    lab = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else top / "pcaps"
    captures = sanitizer.some(sorted(lab.glob("*/*.pcap")) or sorted((top / "pcaps").glob("*/*.pcap")), tool)
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        path = os.path.join(folder, "capture.pcap")
        for kind, frames, few, memory, told in MADE:
            with open(path, "wb") as file:
                make.write(kind, few if slow else frames, file)
            tap.check(f"{kind} with {memory}: {same}", list(problems(tool, several, path, memory, told)))
        with open(path, "wb") as file:
            make.write("pipelined", 8000 if slow else 40000, file)
        for name, content in packed(path):
            pathlib.Path(path).write_bytes(content)
            tap.check(f"{name}: {same}", list(problems(tool, several, path)))
        tap.check("captures are archived with 4 threads", list(archived(tool, folder, captures[:40])))
        tap.check(f"{len(captures)} captures: {same}", [f"{c}: {p}" for c in captures for p in problems(tool, several, c)])


if __name__ == "__main__":
    main()
