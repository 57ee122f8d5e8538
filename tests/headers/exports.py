#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exports.py TOP LIBTCPWHY_SO: the shared library exports exactly what the public headers declare, and what exports.txt
lists."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402


def differences(have, want):
    return [f"{name}: not there" for name in sorted(want - have)] + [f"{name}: not expected" for name in sorted(have - want)]


def main():
    top, library = pathlib.Path(sys.argv[1]), sys.argv[2]
    listed = set((pathlib.Path(__file__).parent / "exports.txt").read_text().split())
    headers = "".join(p.read_text() for p in (top / "include").rglob("*.h"))
    declared = set(re.findall(r"^TCPWHY_API[^;(]*?\b(\w+)\(", headers, re.M))
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True).stdout
    exported = {line.split()[2] for line in symbols.splitlines() if line.split()[1] in "TDBRVW"}
    exported = {name.split("@")[0] for name in exported if not name.startswith("__")}
    with Tap() as tap:
        tap.check("the library exports the names of exports.txt", differences(exported, listed))
        tap.check("the headers declare the names of exports.txt", differences(declared, listed))


if __name__ == "__main__":
    main()
