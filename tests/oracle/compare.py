#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare `tcpwhy segments --csv` with tshark, field by field and frame by frame, and `tcpwhy follow` byte by byte.

    compare.py [OPTION...] TCPWHY [SET...]

SET is a folder of captures, or a list of files (paths relative to the folder "files" beside it). Prints a table per
set, the frames that only tshark sees, and every difference by its class in docs/tshark-differences.md. Exit status 0 if
every field reaches --min percent, no difference is unclassified and every followed stream matches; otherwise 1; 77 if
there is nothing to compare.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

import differences
import follow
import formats
import invent
import tcpwhy
import tshark

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "docs" / "tshark-differences.md"
SKIP = 77
INVENTED_CONNECTIONS = 1500


def captures_of(name):
    """The files of a set, each with the name it is shown by."""
    path = pathlib.Path(name)
    if path.is_dir():
        return [(str(f), str(f.relative_to(path))) for f in sorted(path.rglob("*")) if f.suffix in (".pcap", ".pcapng")]
    if path.is_file():
        files = path.parent / "files"
        return [(str(files / line), line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return []


def invented(folder, n):
    """n captures of random connections, every other one with odd flags and clocks."""
    made = []
    for seed in range(n):
        path = os.path.join(folder, f"invented-{seed}.pcap")
        with open(path, "wb") as file:
            file.write(invent.capture(seed, INVENTED_CONNECTIONS, odd=bool(seed % 2)))
        made.append((path, os.path.basename(path)))
    return made


def theirs(row, field):
    """tshark's value of the first TCP header in a frame; a flag with two notes is still one flag."""
    return row[field].split(tshark.SEPARATOR)[0]


class Result:
    """Counts that add up over files, and examples."""

    def __init__(self):
        self.files = self.frames = self.refused = 0
        self.differing = collections.Counter()  # field
        self.listed = collections.Counter()     # field
        self.excused = collections.Counter()    # field and class
        self.classes = collections.Counter()    # class: frames
        self.unseen = collections.Counter()     # class
        self.examples = {}                      # class, or field of an unlisted difference
        self.unlisted = []
        self.streams = collections.Counter()    # outcome of following one
        self.otherwise = []                     # streams that say something else

    def add(self, other):
        for name in ("files", "frames", "refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("differing", "listed", "excused", "classes", "unseen", "streams"):
            getattr(self, name).update(getattr(other, name))
        for name, example in other.examples.items():
            self.examples.setdefault(name, example)
        self.unlisted += other.unlisted
        self.otherwise += other.otherwise


def compare_frame(result, capture, row, ours, where):
    found = set()
    result.frames += 1
    for field in tshark.FIELDS:
        if theirs(row, field) == ours[field]:
            continue
        name = capture.classify(field, row, ours)
        result.differing[field] += 1
        if name:
            result.listed[field] += 1
            result.excused[field, name] += 1
            found.add(name)
        else:
            result.unlisted.append(f"{where}: {field}: tshark {row[field]!r}, tcpwhy {ours[field]!r}")
    for name in found:
        result.classes[name] += 1
        result.examples.setdefault(name, where)


def compare_file(options, path, shown):
    result = Result()
    capture = differences.Capture(path)
    view = tshark.view(path, options.follow)
    with tempfile.TemporaryDirectory() as folder:
        ours, refusal, read = tcpwhy.rows(options.tcpwhy, path, os.path.join(folder, "converted.pcapng") if options.convert else None)
        result.streams, result.otherwise = follow.outcomes(options.tcpwhy, read, shown, view, ours)
    result.files = 1
    result.refused = bool(refusal)
    for row in view["rows"]:
        own = ours.pop(row["frame.number"], None)
        where = f"{shown} frame {row['frame.number']}"
        if row["tcp.srcport"]:
            capture.see(row, own)
        elif own:
            result.unlisted.append(f"{where}: TCP for tcpwhy alone")
        if row["tcp.srcport"] and own:
            compare_frame(result, capture, row, own, where)
        elif row["tcp.srcport"]:
            name = "file-formats" if refusal else differences.unseen(row)
            result.unseen[name or "unlisted"] += 1
            result.examples.setdefault(name, where)
            if not name:
                result.unlisted.append(f"{where}: TCP for tshark alone: {row['frame.protocols']}")
    result.unlisted += [f"{shown} frame {number}: TCP for tcpwhy alone" for number in ours]
    return result


def compare_set(options, captures):
    total = Result()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(compare_file, options, path, shown) for path, shown in captures]
        for job in jobs:
            total.add(job.result())
    return total


def documented():
    """Names of the classes in the document: the headings in code quotes."""
    return set(re.findall(r"^#+ `([a-z-]+)`", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))


def percent(differing, compared):
    return 100.0 if not compared else 100.0 * (compared - differing) / compared


def print_result(name, result, limit):
    print(f"\n{name}: {result.files} files, {result.frames} TCP frames compared"
          + (f", {result.refused} files refused" if result.refused else ""))
    print(f"{'field':40} {'frames':>8} {'differ':>7} {'listed':>7} {'percent':>9}")
    for field in tshark.FIELDS:
        differing = result.differing[field]
        print(f"{field:40} {result.frames:8} {differing:7} {result.listed[field]:7} "
              f"{percent(differing, result.frames):9.4f}")
    for title, counts in (("frames in which only tshark sees TCP", result.unseen),
                          ("frames with a difference, by class", result.classes)):
        if counts:
            print(f"{title}: {sum(counts.values())}")
            for kind, n in counts.most_common():
                print(f"  {kind:22} {n:7}  {result.examples.get(kind, '')}")
    print("streams followed:", ", ".join(f"{result.streams[outcome]} {outcome}" for outcome in follow.OUTCOMES))
    for title, lines in (("differences outside the classes", result.unlisted), ("streams that say something else", result.otherwise)):
        print(f"{title}: {len(lines)}")
        for line in lines[:limit]:
            print("  " + line)


def failed(result, least, whole, but=()):
    """Does the set miss its target? Unknown class names count as a miss too. whole: no stream may be apart.

    but: classes that do not count; the percentages printed above include them.
    """
    strange = (set(result.classes) | set(result.unseen)) - documented()
    if strange:
        print(f"not in {DOCUMENT.name}: {', '.join(sorted(map(str, strange)))}")
    worst = min(percent(result.differing[field] - sum(result.excused[field, name] for name in but), result.frames)
                for field in tshark.FIELDS)
    print(f"worst field {worst:.4f} %, target {least} %" + (f", without {', '.join(but)}" if but else ""))
    return bool(strange or result.unlisted or result.otherwise or worst < least or (whole and result.streams["apart"]))


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tcpwhy")
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--min", type=float, default=100.0, help="percent that each field must reach")
    parser.add_argument("--limit", type=int, default=20, help="unlisted differences to print")
    parser.add_argument("--follow", type=int, metavar="N",
                        help="streams of a capture that are followed; without it all of them, and none may differ in its frames")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look at every Nth capture of a set only")
    parser.add_argument("--convert", action="store_true",
                        help="let editcap rewrite file formats that tcpwhy does not read")
    parser.add_argument("--invent", type=int, default=0, metavar="N",
                        help=f"compare N captures of {INVENTED_CONNECTIONS} random connections, too")
    parser.add_argument("--formats", action="append", default=[], metavar="CAPTURE",
                        help="compare this capture in every other file format, too")
    parser.add_argument("--but", action="append", default=[], metavar="CLASS",
                        help="a class of differences that does not count towards --min")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    return parser.parse_intermixed_args(arguments)


def main():
    options = parse(sys.argv[1:])
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        sets = [(name, captures_of(name)[::options.every]) for name in options.sets]
        sets.append(("invented connections", invented(folder, options.invent)))
        sets.append(("file formats", [made for capture in options.formats for made in formats.written(folder, capture)]))
        sets = [(name, captures) for name, captures in sets if captures]
        if not tshark.version() or not sets:
            print("nothing to compare: no tshark, or no captures in", *options.sets)
            return SKIP
        print(tshark.version())
        for name, captures in sets:
            result = compare_set(options, captures)
            print_result(name, result, options.limit)
            bad = failed(result, options.min, options.follow is None, options.but) or bad
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
