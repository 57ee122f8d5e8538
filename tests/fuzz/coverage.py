#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py BUILD [TARGET...]: what the corpora reach of src/: lines and branches by folder, and the files of which less than
70 % of the lines are reached. BUILD: meson setup BUILD -Dbuildtype=debug -Db_coverage=true -Ddefault_library=static
-Dwireshark=disabled -Dhardening=false, then ninja -C BUILD tests/fuzz/fuzz_NAME for each target.

Branches are those of the sources; calls that may not return are none (there are no exceptions).
"""
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
LEAST = 70  # percent of a file's lines


def replay(build, names):
    """Counts begin anew; a target with the corpus of another takes that."""
    for old in build.rglob("*.gcda"):
        old.unlink()
    for test in json.loads(subprocess.run(["meson", "introspect", "--tests", build], check=True, capture_output=True).stdout):
        name = test["name"].removeprefix("fuzz ")
        if test["name"] != name and (not names or name in names) and pathlib.Path(test["cmd"][0]).exists():
            subprocess.run(test["cmd"], check=True, stdout=subprocess.DEVNULL)


def counted(build, folder):
    """(file, lines, branches) of each object of the library: what gcov says of it."""
    objects = list((build / "src").rglob("*.gcno"))
    for at in range(0, len(objects), 50):
        subprocess.run(["gcov", "--json-format", "--branch-probabilities", *map(str, objects[at:at + 50])], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
            for file in json.loads(gzip.decompress(path.read_bytes()))["files"]:
                yield (build / file["file"]).resolve(), file["lines"]
            path.unlink()


def measure(build):
    """Of each file below src: {line: reached}, {(line, branch): reached}; headers are in many objects."""
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)
    with tempfile.TemporaryDirectory() as folder:
        for file, found in counted(build, folder):
            if TOP / "src" not in file.parents:
                continue
            name = str(file.relative_to(TOP / "src"))
            for line in found:
                number = line["line_number"]
                lines[name][number] = lines[name].get(number, False) or line["count"] > 0
                for i, branch in enumerate(b for b in line["branches"] if not b["throw"]):
                    branches[name][number, i] = branches[name].get((number, i), False) or branch["count"] > 0
    return lines, branches


def percent(reached):
    return 100 * sum(reached) / len(reached) if reached else 100.0


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    replay(build, sys.argv[2:])
    lines, branches = measure(build)
    folders = sorted({name.split("/")[0] for name in lines})
    for folder in [*folders, ""]:
        inside = [name for name in lines if name.startswith(folder)]
        of_lines = [r for name in inside for r in lines[name].values()]
        of_branches = [r for name in inside for r in branches[name].values()]
        print(f"{folder or 'all':10} {len(of_lines):6} lines {percent(of_lines):5.1f} %  {len(of_branches):6} branches {percent(of_branches):5.1f} %")
    for share, name in sorted((percent(lines[name].values()), name) for name in lines):
        if share < LEAST:
            print(f"{name:50} {len(lines[name]):4} lines {share:5.1f} %")


if __name__ == "__main__":
    main()
