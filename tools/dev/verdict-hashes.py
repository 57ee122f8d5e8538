#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""verdict-hashes.py TCPWHY [-o FILE] [--against FILE] [--show N]: does a change move a verdict?

Runs `TCPWHY --json` on every capture of pcaps/ and, where they are present, of the lab, the field and the public
captures, and writes a line for each: a hash of the numbers and verdicts, a hash of the whole document with its words,
and the capture. With --against, prints the captures whose lines differ from an earlier run; exit status 1 when a
verdict or a number differs. Words alone may differ.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SHARED = TOP.parent / "shared" / "captures"
WORDS = {"text", "summary", "remedy", "stack", "file", "note"}
SUFFIXES = {".pcap", ".pcapng", ".cap", ".gz", ".zst", ".lz4", ".xz"}
LONGEST_S = 120


def captures():
    found = [p for p in sorted((TOP / "pcaps").rglob("*")) if p.suffix in SUFFIXES]
    for folder in ("lab", "field"):
        found += [p for p in sorted((SHARED / folder).rglob("*")) if p.suffix in SUFFIXES]
    for listing in ("open.txt", "corrupt-open.txt"):
        path = SHARED / "public" / listing
        if path.exists():
            found += [SHARED / "public" / "files" / line for line in path.read_text(encoding="utf-8").split("\n") if line]
    return found


def without_words(value):
    if isinstance(value, dict):
        return {k: without_words(v) for k, v in value.items() if k not in WORDS}
    if isinstance(value, list):
        return [without_words(v) for v in value]
    return value


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def hash_of(tool, path):
    name = str(path.relative_to(TOP) if path.is_relative_to(TOP) else path.relative_to(SHARED))
    run = subprocess.run([tool, "--json", path.name], cwd=path.parent, capture_output=True, timeout=LONGEST_S, check=False)
    text = run.stdout.decode(errors="replace")
    try:
        verdicts = json.dumps(without_words(json.loads(text)), sort_keys=True)
    except ValueError:
        verdicts = f"exit {run.returncode}"
    return name, digest(verdicts), digest(text)


def read(path):
    rows = (line.split(" ", 2) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    return {name: (verdicts, words) for verdicts, words, name in rows}


def compare(before, now, show):
    moved = sorted(n for n in now if n in before and before[n][0] != now[n][0])
    worded = sorted(n for n in now if n in before and before[n][0] == now[n][0] and before[n][1] != now[n][1])
    missing = sorted(set(before) ^ set(now))
    print(f"{len(now)} captures: {len(moved)} with other verdicts or numbers, {len(worded)} with other words only, "
          f"{len(missing)} not in both runs")
    for name in (moved + missing)[:show]:
        print("  ", name)
    return 1 if moved or missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("-o", "--output")
    parser.add_argument("--against")
    parser.add_argument("--show", type=int, default=20)
    args = parser.parse_args()
    tool = os.path.abspath(args.tool)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        now = {name: (verdicts, words) for name, verdicts, words in pool.map(lambda p: hash_of(tool, p), captures())}
    lines = "".join(f"{verdicts} {words} {name}\n" for name, (verdicts, words) in now.items())
    if args.output:
        pathlib.Path(args.output).write_text(lines, encoding="utf-8")
    elif not args.against:
        sys.stdout.write(lines)
    return compare(read(args.against), now, args.show) if args.against else 0


if __name__ == "__main__":
    sys.exit(main())
