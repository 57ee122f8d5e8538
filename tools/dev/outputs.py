#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""outputs.py TCPWHY [DOCUMENT...]: print the outputs anew that documents show. Look at the diff.

A shown output is a code block behind a comment, <!-- output of: tcpwhy ARGUMENTS -->; DOCUMENT is README.md and all of docs/
unless given.
"""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"(<!-- output of: tcpwhy (.+?) -->\n```\n)(.*?)(\n?```)", re.DOTALL)


def documents(top):
    return [top / "README.md", *sorted((top / "docs").glob("*.md"))]


def output(tcpwhy, arguments, top):
    done = subprocess.run([tcpwhy, *arguments.split()], cwd=top, capture_output=True, text=True, check=False)
    return done.stdout.rstrip()


def shown(text):
    """(arguments, output) of each."""
    return [(arguments, said) for _, arguments, said, _ in SHOWN.findall(text)]


def renewed(text, tcpwhy, top):
    return SHOWN.sub(lambda m: f"{m[1]}{output(tcpwhy, m[2], top)}\n```", text)


def main():
    tcpwhy = pathlib.Path(sys.argv[1]).resolve()
    for path in [pathlib.Path(p) for p in sys.argv[2:]] or documents(TOP):
        before = path.read_text(encoding="utf-8")
        after = renewed(before, tcpwhy, TOP)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
