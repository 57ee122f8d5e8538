#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reliability.py TCPWHY ROOT: how often a verdict is right, by what it says of its own confidence; from both ends and from the middle.

The same tables as docs/accuracy.md has, of the cases at hand. Fails on any wrong verdict that is certain.
"""
import concurrent.futures
import os
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests"), str(TOP / "tools/dev/lab")]
from tables import case, confusion, reliability  # noqa: E402
from tap import Tap, skip_all  # noqa: E402


def main():
    tool, root = sys.argv[1:]
    if not os.path.isdir(root):
        skip_all(f"no {root}")
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        measured = list(pool.map(lambda folder: case.measure(tool, folder, (reliability, confusion))[1], case.folders([root])))
        verdicts = [row for (of_case, _), _ in measured for row in of_case]
        rows = [row for _, of_case in measured for row in of_case]
        for line in [*reliability.lines([m[0] for m in measured]), *confusion.lines([m[1] for m in measured])]:
            tap.note(line)
        tap.check("there are verdicts to judge from each vantage",
                  [f"none at the {v}" for v in confusion.VANTAGES if not any(r.vantage == v for r in rows)])
        wrong = [f"{r.where}, the {r.vantage}'s capture" for r in verdicts if r.confidence == "certain" and not r.right]
        tap.check(f"no wrong verdict is certain in {len(verdicts)} captures of the cases, the middle's among them", wrong)


if __name__ == "__main__":
    main()
