#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""xplot.py TCPWHY LAB [CAPTURE...]: the sequence graph agrees with that of tcptrace, point for point.

tcptrace -S writes a time-sequence graph per direction. Compared are segments and their payload, the ACK line, the
window edge, SACK blocks, and retransmissions; sequence numbers are relative to the SYN.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sanitizer  # noqa: E402
from tap import Tap  # noqa: E402

COLORS = {"white", "green", "yellow", "purple", "red", "orange", "pink", "blue", "magenta"}
MAX_STREAMS = 6  # of a capture: thousands of alike connections tell nothing more
KINDS = ["segments", "ACKs", "window", "SACK blocks", "retransmissions"]


def parse(path):
    """title, and the commands of an .xpl as (colour, command, words); a text follows its command."""
    lines = path.read_text().splitlines()
    title, color, commands = "", "", []
    at = 0
    while at < len(lines):
        words = lines[at].split()
        at += 1
        if words and words[0] == "title":
            title = lines[at]
            at += 1
        elif words and words[0] in ("xlabel", "ylabel"):
            at += 1
        elif len(words) == 1 and words[0] in COLORS:
            color = words[0]
        elif words and words[0] in ("atext", "rtext", "ltext", "btext"):
            commands.append((color, words[0], [*words[1:3], lines[at].strip()]))
            at += 1
        elif len(words) > 2:
            commands.append((color, words[0], words[1:]))
    return title, commands


def us(text):
    seconds, _, rest = text.partition(".")
    return int(seconds) * 1000000 + int(rest.ljust(6, "0")[:6])


def points(commands, base):
    """Of each kind a multiset of (time, sequence number ...)."""
    found = collections.defaultdict(collections.Counter)

    def seq(text):
        return (int(text) - base) % (1 << 32)

    for color, command, words in commands:
        if command == "line":
            here, there = (us(words[0]), seq(words[1])), (us(words[2]), seq(words[3]))
            upright = here[0] == there[0]
            if color in ("white", "red", "orange", "pink") and upright and here[1] != there[1]:
                found["segments"][(here[0], here[1], there[1])] += 1
            elif color == "purple" and upright:
                found["SACK blocks"][(here[0], here[1], there[1])] += 1
            elif color in ("green", "yellow"):
                # Of a step only where it ends: both its lines end at the same time.
                found["ACKs" if color == "green" else "window"][there] += 1
        elif command == "atext" and words[2] == "R":
            found["retransmissions"][(us(words[0]), seq(words[1]))] += 1
    # Steps: the corner below the end of an upright line is no point of its own.
    for kind in ("ACKs", "window"):
        last = {}
        for at, value in found[kind]:
            last.setdefault(at, set()).add(value)
        found[kind] = collections.Counter({(at, max(values)): 1 for at, values in last.items()})
    return found


def syn_of(commands):
    """The sequence number of the SYN, which tcptrace names."""
    for _, command, words in commands:
        if command == "atext" and words[2] == "SYN":
            return int(words[1]) - 1
    return None


def ends_of(title):
    found = re.match(r"(\S+?)_==>_(\S+)", title)
    return found.group(1), found.group(2)


def ours(tool, capture, stream, side, folder):
    path = folder / f"{stream}-{side}.xpl"
    command = [tool, "graph", "sequence", capture, "-s", str(stream), "--side", side, "--xplot", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return path if done.returncode == 0 else None


def streams_of(tool, capture):
    """Streams of each pair of ends, in order: {(client, server): [stream ...]}."""
    done = subprocess.run([tool, "streams", "--json", capture], capture_output=True, text=True, check=True)
    found = collections.defaultdict(list)
    for s in json.loads(done.stdout)["streams"]:
        found[(s["client"], s["server"])].append(s["stream"])
    return found


def excused(kind, theirs, mine, less, more):
    """Take out what differs by definition. tcptrace calls a repair what it saw before: one whose first copy was lost
    on the way to the capture is none. And where a clock steps back its times do too, ours stand."""
    if kind == "retransmissions":
        begins = {(at, to): begin for at, begin, to in mine["segments"]}
        for at, to in list(more):
            begin = begins.get((at, to), to)
            if not any(t < at and b < to and e > begin for t, b, e in theirs["segments"]):
                del more[(at, to)]
    for point in list(less):
        for late in (1, 2):
            other = (point[0] + late, *point[1:])
            if other in more:
                del less[point], more[other]
                break


def directions(folder, streams):
    """(stream, side, title's commands) of tcptrace's graphs; the k-th of a pair of ends is its k-th stream."""
    parsed = [parse(path) for path in folder.glob("*_tsg.xpl")]
    parsed.sort(key=lambda p: min((us(words[0]) for _, _, words in p[1]), default=0))
    seen = collections.Counter()
    for title, commands in parsed:
        sender, receiver = ends_of(title)
        side = "client" if (sender, receiver) in streams else "server"
        numbers = streams.get((sender, receiver)) or streams.get((receiver, sender)) or []
        if seen[title] < len(numbers):
            yield numbers[seen[title]], side, commands
        seen[title] += 1


def compare(tool, capture):
    """{kind: points in both}, and differences, over the directions of a capture."""
    agreed, differences = collections.Counter(), []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["tcptrace", "-n", "-S", capture.resolve()], cwd=folder, capture_output=True, check=True)
        for stream, side, commands in list(directions(folder, streams_of(tool, capture)))[:2 * MAX_STREAMS]:
            base = syn_of(commands)
            mine = ours(tool, capture, stream, side, folder) if base is not None else None
            if mine is None:
                continue
            theirs, mine = points(commands, base), points(parse(mine)[1], 0)
            for kind in KINDS:
                both = theirs[kind] & mine[kind]
                less, more = theirs[kind] - both, mine[kind] - both
                excused(kind, theirs, mine, less, more)
                agreed[kind] += sum(both.values())
                differences += [f"stream {stream} {side} {kind}: tcptrace alone {x}" for x in list(less)[:3]]
                differences += [f"stream {stream} {side} {kind}: tcpwhy alone {x}" for x in list(more)[:3]]
    return agreed, differences


def main():
    tool, lab, only = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), set(sys.argv[3:])
    captures = sanitizer.some([p for p in sorted(lab.glob("*/*.pcap")) if not only or p.parent.name in only], tool)
    with Tap() as tap:
        if not shutil.which("tcptrace"):
            tap.skip("the sequence graph agrees with tcptrace's", "no tcptrace here")
            return
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for capture, (agreed, differences) in zip(captures, pool.map(lambda c: compare(tool, c), captures)):
                counts = ", ".join(f"{agreed[k]} {k}" for k in KINDS if agreed[k])
                tap.check(f"{capture.parent.name} at the {capture.stem}: {counts}",
                          differences or ("" if agreed["segments"] else "nothing to compare"))


if __name__ == "__main__":
    main()
