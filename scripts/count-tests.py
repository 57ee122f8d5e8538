#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count-tests.py TESTLOG_JSON...: what the tests of meson runs noted, which took longest, which failed, and 'N passed, N failed'.

A test program holds many tests: those that cmocka or TAP name are counted one by one. Notes are TAP's '#' lines: tables, figures.
Exit 1 when one failed.
"""
import fileinput
import json
import re
import sys

CMOCKA = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\w+)$", re.M)
FAILURE = re.compile(r"^(not ok\b|\[ +FAILED)|\b(Error|Sanitizer|Assertion)\b")
SLOWEST = 15  # tests
TOLD = 20  # lines of one that failed
TAP = re.compile(r"^(ok|not ok)\b([^\n]*)", re.M)


def named(run):
    """(passed, failed, skipped) of the tests that the program named."""
    output = run.get("stdout", "") + run.get("stderr", "")
    # cmocka lists failures again at the end, so each name counts once.
    of = {word: {m[2] for m in CMOCKA.finditer(output) if m[1] == word} for word in ("OK", "FAILED", "SKIPPED")}
    if any(of.values()):
        return len(of["OK"]), len(of["FAILED"]), len(of["SKIPPED"])
    tap = [(m[1], "# SKIP" in m[2]) for m in TAP.finditer(run.get("stdout", ""))]
    return (sum(word == "ok" and not skip for word, skip in tap), sum(word == "not ok" for word, _ in tap),
            sum(skip for _, skip in tap))


def count(run):
    """(passed, failed, skipped) of one test program."""
    passed, failed, skipped = named(run)
    if run["result"] == "SKIP":
        return 0, 0, max(1, skipped)
    if run["result"] not in ("OK", "EXPECTEDFAIL"):
        # Failed after its tests passed (a sanitizer report, a crash): a failure of its own.
        return passed, max(1, failed), skipped
    return (passed, failed, skipped) if passed + failed + skipped else (1, 0, 0)


def name_of(run):
    return run["name"].split("/")[-1].strip()


def show_notes(run):
    notes = [line[2:] for line in run.get("stdout", "").splitlines() if line.startswith("# ")]
    if notes and TAP.search(run["stdout"]):
        print(f"{name_of(run)}:", *notes, sep="\n  ")


def show_slowest(runs):
    print("took longest:", *(f"{run['duration']:6.1f} s  {name_of(run)}" for run in sorted(runs, key=lambda run: -run["duration"])[:SLOWEST]),
          sep="\n  ")


def show_failures(runs):
    """The last lines of each that failed: a log may be cut at its begin, and this is its end."""
    for run in runs:
        if count(run)[1]:
            output = (run.get("stdout", "") + run.get("stderr", "")).splitlines()
            told = [line for line in output if FAILURE.search(line)] or output
            print(f"failed: {name_of(run)} ({run['result']}, {run['duration']:.1f} s)", *told[-TOLD:], sep="\n  ")


def main():
    passed = failed = skipped = 0
    runs = []
    with fileinput.input(sys.argv[1:], encoding="utf-8") as logs:
        for line in logs:
            run = json.loads(line)
            runs.append(run)
            show_notes(run)
            p, f, s = count(run)
            passed, failed, skipped = passed + p, failed + f, skipped + s
    show_slowest(runs)
    show_failures(runs)
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
