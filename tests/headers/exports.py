#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exports.py TOP LIBTCPWHY_SO: the shared library exports exactly what the public headers declare, each with
the version in src/tcpwhy.map."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import symbols  # noqa: E402
from tap import Tap  # noqa: E402


def differences(have, want):
    return [f"{name}: not there" for name in sorted(want - have)] + [f"{name}: not expected" for name in sorted(have - want)]


def main():
    top, library = pathlib.Path(sys.argv[1]), sys.argv[2]
    listed = symbols.exported(top)
    headers = "".join(p.read_text() for p in (top / "include").rglob("*.h"))
    declared = set(re.findall(r"^TCPWHY_API[^;(]*?\b(\w+)\(", headers, re.M))
    table = subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True).stdout
    exported = {line.split()[2] for line in table.splitlines() if line.split()[1] in "TDBRVW"}
    exported = {name for name in exported if not name.startswith("__")}
    with Tap() as tap:
        tap.check("the library exports the functions of tcpwhy.map, each with its version",
                  differences(exported, {f"{name}@@{node}" for name, node in listed.items()}))
        tap.check("the headers declare the functions of tcpwhy.map", differences(declared, set(listed)))


if __name__ == "__main__":
    main()
