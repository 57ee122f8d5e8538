#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bless.py [--tool TCPWHY] CASE...: accept the current output as the expectation of pcaps/CASE.

Rewrites the values named in pcaps/CASE/expected.json and no others; a case without the file gets the verdict and the
findings. Ranges and choices are kept, and reported if they do not hold. Review the diff.
"""
import argparse
import json
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests"), str(TOP / "tests/cases")]
import expect  # noqa: E402
import verdicts  # noqa: E402

FIRST = ("verdict.cause", "verdict.party", "verdict.endpoint", "findings")


def renewed(fact, value, want):
    """The expectation with the value of now, where it holds a plain one."""
    if not isinstance(want, dict):
        return value
    if "about" in want:
        return {**want, "about": value}
    if "only" in want:
        return {**want, "only": value}
    text = expect.problem(fact, value, want)
    if text:
        print(f"  left as it is: {text}")
    return want


def bless(folder, tool):
    path = folder / "expected.json"
    now = {c.stem: verdicts.facts(verdicts.diagnose(tool, c)) for c in sorted(folder.glob("*.pcap*"))}
    said = json.loads(path.read_text()) if path.exists() else {side: dict.fromkeys(FIRST) for side in now}
    out = {}
    for side, facts in now.items():
        want = {**said.get("both", {}), **said.get(side, {})}
        out[side] = {fact: renewed(fact, facts.get(fact), value) for fact, value in want.items()}
    first = next(iter(out.values()))
    both = {k: v for k, v in first.items() if all(k in o and o[k] == v for o in out.values())}
    out = {side: {k: v for k, v in o.items() if k not in both} for side, o in out.items()}
    table = {"both": both, **{side: o for side, o in out.items() if o}}
    path.write_text(json.dumps(table, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=str(TOP / "build-release/tools/tcpwhy/tcpwhy"))
    parser.add_argument("case", nargs="+")
    asked = parser.parse_args()
    for case in asked.case:
        print(case)
        bless(TOP / "pcaps" / case, asked.tool)


if __name__ == "__main__":
    main()
