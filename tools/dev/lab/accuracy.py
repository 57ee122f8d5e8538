#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""accuracy.py TCPWHY FOLDER... [-o PAGE]: how often tcpwhy is right, over every scenario below the folders.

Prints the tables, or puts them between the page's markers (<!-- accuracy: NAME -->); what is written around them stays.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import sys

from tables import case, confusion, ends, estimates, reliability, repairs
from tables.markdown import between_markers

TABLES = (reliability, confusion, repairs, ends, estimates)


def quiet(tool, folder):
    """What was measured, or why nothing was: one bad folder does not spoil a page."""
    try:
        return case.measure(tool, folder, TABLES)
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as problem:
        return os.path.basename(folder), f"{type(problem).__name__}: {problem}"


def measured(tool, roots, jobs):
    """(what each table measured of each scenario, problems)."""
    found, problems = [], []
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for name, rows in pool.map(functools.partial(quiet, tool), case.folders(roots), chunksize=4):
            if isinstance(rows, str):
                problems.append(f"{name}: {rows}")
            else:
                found.append(rows)
    return found, problems


def version_of(tool):
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def made_from(tool, roots, found):
    captures = sum(len(rows[TABLES.index(estimates)]) for rows in found)
    names = " ".join(os.path.basename(os.path.normpath(root)) for root in roots)
    return [f"{version_of(tool)}, {len(found):,} scenarios, {captures:,} captures (a third of most are the middle's): `tools/dev/lab/accuracy.py TCPWHY {names}`."]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", metavar="TCPWHY")
    parser.add_argument("roots", metavar="FOLDER", nargs="+")
    parser.add_argument("-o", metavar="PAGE", type=pathlib.Path, dest="page")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--rows", metavar="FILE", help="also every row as JSON, to look at what is wrong")
    given = parser.parse_args()
    found, problems = measured(os.path.abspath(given.tool), given.roots, given.jobs)
    columns = {table.HEADING: [rows[i] for rows in found] for i, table in enumerate(TABLES)}
    if given.rows:
        pathlib.Path(given.rows).write_text(json.dumps(columns))
    sections = {"made from": made_from(given.tool, given.roots, found)}
    sections |= {table.HEADING: list(table.lines(columns[table.HEADING])) for table in TABLES}
    if given.page:
        old = given.page.read_text(encoding="utf-8") if given.page.exists() else "# Accuracy\n"
        given.page.write_text(between_markers(old, sections), encoding="utf-8")
    else:
        for lines in sections.values():
            print("\n".join(lines))
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
