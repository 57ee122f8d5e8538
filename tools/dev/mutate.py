#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutate.py BUILD [FILE...]: break src/explain, or other files, in one small thing after the other, and list what no unit test notices.

Needs a build folder (for how files are compiled), and compiles its own library and tests from it, in BUILD/mutate, without sanitizers.
The same files, --per-file and tests give the same mutants: --out and --against hold two sets of tests against each other.
--each asks the other way round: it lists each test that no mutant makes fail.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# A test that takes longer goes round in circles.
TIMEOUT_S = 10
SIGNS = {"<=": "<", ">=": ">", "<": "<=", ">": ">=", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}
SIGN = re.compile(r"(?<=\s)(<=|>=|==|!=|&&|\|\||<|>)(?=\s)")
CONSTANT = re.compile(r"(?:TCPWHY_(?:US|MS|S)\(|^#define \w+\s+)(\d+)\b")
IF = re.compile(r"^(\s*(?:\} else )?if )\((.*)\)( \{)?$")
STATEMENT = re.compile(r"^\s+[\w\->.\[\]*]+(?:\(.*\)| [-+|&]?= .*|\+\+|--);$")
# How a script and a test in C say that a test fails, and which tests a script and a file in C have.
FAILED = re.compile(r"^(?:not ok (\w+)|\[  FAILED  \] (\w+))$", re.MULTILINE)
TESTS = re.compile(r"^(?:test |TEST(?:_WITH|_FROM)?\()(\w+)", re.MULTILINE)
VERDICT = re.compile(r"\breturn (true|false);")


def mutants(text):
    """(line number, what it becomes) of each way to break a file in one line."""
    for number, line in enumerate(text.splitlines()):
        code = line.split("/*")[0].rstrip()
        if not code.strip() or code.lstrip().startswith(("*", "#include", "static inline", "for (")):
            continue
        for found in SIGN.finditer(code):
            yield number, code[:found.start()] + SIGNS[found.group()] + code[found.end():]
        for found in CONSTANT.finditer(code):
            yield number, f"{code[:found.start(1)]}{2 * int(found.group(1)) + 1}{code[found.end(1):]}"
        condition = IF.match(code)
        if condition:
            yield number, f"{condition.group(1)}(!({condition.group(2)})){condition.group(3) or ''}"
        if STATEMENT.match(code):
            yield number, re.match(r"\s*", code).group() + ";"
        for found in VERDICT.finditer(code):
            yield number, code[:found.start(1)] + ("false" if found.group(1) == "true" else "true") + code[found.end(1):]


def chosen(path, most):
    """So many mutants of a file, always the same ones."""
    text = path.read_text()
    rows = [(number, line) for number, line in mutants(text) if text.splitlines()[number].strip() != line.strip()]
    rows.sort(key=lambda row: hashlib.sha256(repr((text.splitlines()[row[0]], row[1])).encode()).hexdigest())
    return sorted(rows[:most])


class Works:
    """The library and the tests, as they are built here."""

    def __init__(self, build, tests, jobs):
        self.build, self.out = build.resolve(), build.resolve() / "mutate"
        self.jobs = jobs
        self.out.mkdir(exist_ok=True)
        self.entries = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            if re.match(r"src/libtw_\w+\.a\.p/", entry["output"]):
                self.entries[entry["output"]] = entry
        self.tests = tests
        self.linker = ["-fuse-ld=mold"] if shutil.which("mold") else []
        self.links = self.flags_of_link()

    def flags_of_link(self):
        """Libraries that a test in C is linked with."""
        ninja = ["ninja", "-C", str(self.build), "-t"]
        targets = subprocess.run([*ninja, "targets", "all"], capture_output=True, text=True, check=True).stdout
        target = re.search(r"^(tests/unit/test_\w+): ", targets, flags=re.MULTILINE).group(1)
        line = subprocess.run([*ninja, "commands", target], capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        return [word for word in shlex.split(line) if word.endswith(".so") or word in ("-lm", "-pthread")]

    def command(self, entry, source, target):
        words = [w for w in shlex.split(entry["command"]) if not re.match(r"-fsanitize|-O\d|-Werror|-g$|-fvisibility|-W", w)]
        for flag in ("-MD", "-MQ", "-MF"):
            while flag in words:
                at = words.index(flag)
                del words[at:at + (1 if flag == "-MD" else 2)]
        words[words.index("-o") + 1] = str(target)
        words[words.index("-c") + 1] = str(source)
        return words + ["-O0", "-w", "-fPIC", f"-I{source.parent}"]

    def target(self, output):
        return self.out / (output.replace("/", "_"))

    def compile(self, output, source=None):
        entry = self.entries[output]
        original = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        words = self.command(entry, source or original, self.target(output))
        if source:
            words.append(f"-I{original.parent}")
        return subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)

    def link(self):
        objects = [str(self.target(output)) for output in self.entries]
        subprocess.run(["gcc", *self.linker, "-shared", "-o", self.out / "libmutant.so", *objects, *self.links], check=True)

    def build_all(self):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for done in pool.map(self.compile, self.entries):
                if done.returncode:
                    sys.exit(done.stderr)
        self.link()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(self.build_test, self.tests))

    def build_test(self, test):
        if not test["sources"]:
            return
        entry = next(iter(self.entries.values()))
        folder = test["sources"][0].parent.parent.parent
        words = ["ccache", "gcc", f"-I{folder}", *[w for w in shlex.split(entry["command"]) if w.startswith(("-I", "-D", "-std"))], "-w", "-O0",
                 f'-DTESTS_FOLDER="{folder}/tests/unit"', "-o", str(test["program"])]
        done = subprocess.run([*words, *map(str, test["sources"]), self.out / "libmutant.so", *self.links, f"-Wl,-rpath,{self.out}"],
                              cwd=self.build, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)

    def fails(self, test):
        try:
            done = subprocess.run([test["program"], *test["args"]], capture_output=True, check=False, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def broken(self, files, per_file):
        """Breaks the library in one line after the other, and says how; it is sound again behind the last."""
        outputs = {(pathlib.Path(e["directory"]) / e["file"]).resolve(): output for output, e in self.entries.items()}
        for path in map(pathlib.Path.resolve, files):
            lines = path.read_text().splitlines()
            for number, line in chosen(path, per_file):
                copy = self.out / path.name
                copy.write_text("\n".join([*lines[:number], line, *lines[number + 1:]]) + "\n")
                if self.compile(outputs[path], copy).returncode == 0:
                    self.link()
                    yield f"{path.relative_to(TOP)}:{number + 1}: {lines[number].strip()} -> {line.strip()}"
            self.compile(outputs[path])
        self.link()

    def failing(self, test, names):
        """Which of these tests of a file fail; None if one goes round in circles. Where one crashes, each is run alone."""
        try:
            done = subprocess.run([test["program"], *test["args"]], capture_output=True, check=False, timeout=TIMEOUT_S, text=True, errors="replace")
            if done.returncode >= 0:
                return names & {a or b for a, b in FAILED.findall(done.stdout + done.stderr)}
            return {name for name in names if subprocess.run([test["program"], *test["args"], name], capture_output=True, check=False,
                                                             timeout=TIMEOUT_S).returncode}
        except subprocess.TimeoutExpired:
            return None

    def killer(self):
        """The first test that fails, or None."""
        for test in self.tests:
            if self.fails(test):
                return test["name"]
        return None


def tests_of(folder, out, names):
    """Scripts, and tests in C that include what looks into src/explain; or those of these names."""
    unit, rows = folder / "tests/unit", []
    of = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
    runner = {"name": "script", "program": out / f"script_{of}", "sources": sorted(unit.glob("script*.c")), "args": []}
    scripts = sorted((unit / "scripts").glob("*.script")) if runner["sources"] else []
    for path in [path for path in scripts if not names or f"script {path.stem}" in names]:
        rows.append({**runner, "name": f"script {path.stem}", "args": [path], "sources": [] if rows else runner["sources"]})
    for path in sorted(unit.glob("test_*.c")):
        if path.stem in (names or []) or re.search(r'#include "(?:explain/|tests/unit/(?:talk|verdict|made_gap)\.h)', path.read_text()):
            rows.append({"name": path.stem, "program": out / f"{path.stem}_{of}", "sources": [path, *unit.glob("enrolled.c")], "args": []})
    return [row for row in rows if not names or row["name"] in names]


def each_test_fails(works, files, args):
    """Which mutant each test fails for, and the tests that fail for none; a test that has failed is not run for its own sake again."""
    seen, unseen = {}, {}
    for test in works.tests:
        path = test["args"][0] if test["args"] else test["sources"][0]
        unseen[test["name"]] = set(TESTS.findall(path.read_text()))
    for mutant in works.broken(files, args.per_file):
        for test in [test for test in works.tests if unseen[test["name"]]]:
            failed = works.failing(test, unseen[test["name"]])
            if failed is None:
                break
            unseen[test["name"]] -= failed
            seen.update({f"{test['name']}: {name}": mutant for name in failed})
        if args.out:
            args.out.write_text(json.dumps(seen, indent=1, sort_keys=True))
    left = sorted(f"{test}: {name}" for test, names in unseen.items() for name in names)
    print(*[f"never fails: {name}" for name in left], f"{len(seen)} of {len(seen) + len(left)} tests are seen to fail", sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="of src; all of src/explain when none is given")
    parser.add_argument("--per-file", type=int, default=4, help="so many mutants a file at most (4)")
    parser.add_argument("--tests", nargs="*", help="names of tests, as test_nagle or 'script nagle'; all when not given")
    parser.add_argument("--unit", type=pathlib.Path, default=TOP, help="take the tests from this tree")
    parser.add_argument("--each", action="store_true", help="list each test that no mutant makes fail; --out, written as it goes: which does")
    parser.add_argument("--out", type=pathlib.Path, help="write which test noticed which mutant")
    parser.add_argument("--against", type=pathlib.Path, help="list what the tests of that --out noticed, and these do not")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    files = args.files or sorted((TOP / "src/explain").rglob("*.c"))
    works = Works(args.build, tests_of(args.unit.resolve(), args.build.resolve() / "mutate", args.tests), args.jobs)
    works.build_all()
    sound = works.killer()
    if sound:
        sys.exit(f"{sound} fails before anything is broken")
    if args.each:
        return each_test_fails(works, files, args)
    noticed = {}
    for name in works.broken(files, args.per_file):
        noticed[name] = works.killer()
        if not noticed[name]:
            print(f"survives: {name}", flush=True)
    killed = sum(bool(by) for by in noticed.values())
    print(f"{killed} of {len(noticed)} mutants are noticed")
    if args.out:
        args.out.write_text(json.dumps(noticed, indent=1))
    if args.against:
        before = json.loads(args.against.read_text())
        lost = [name for name, by in before.items() if by and not noticed.get(name, True)]
        print(*[f"no longer noticed: {name} (was by {before[name]})" for name in lost], sep="\n")
        print(f"{len(lost)} of {sum(bool(by) for by in before.values())} are no longer noticed")


if __name__ == "__main__":
    main()
