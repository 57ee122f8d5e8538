#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutate.py BUILD [FILE...]: break src, or some of its files, in one small thing after the other, and list what no unit test notices.

Needs a build folder (for how files are compiled). All mutants are compiled into one library, in BUILD/mutate; a variable of the environment
says which of them is on, and a run without any records which of them each test reaches: no other is tried.
The same files, --per-file and tests give the same mutants: --out and --against hold two sets of tests against each other.
--each asks the other way round: it lists each test, or each expectation of a script, that no mutant makes fail.
"""
import argparse
import collections
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
# A test that is busy for so much longer than without a mutant goes round in circles, and one that takes longer waits in vain.
BUSY_MS, TIMEOUT_S = 200, 10
# A test is run for so long, with one mutant after the other.
BUDGET_MS = 6000
SIGNS = {"<=": "<", ">=": ">", "<": "<=", ">": ">=", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+"}
SIGN = re.compile(r"(?<=\s)(<=|>=|==|!=|&&|\|\||<|>|\+|-)(?=\s)")
DEFINED = re.compile(r"^#define ([A-Z]\w+) +(?:TW_THRESHOLD\(\w+, |\()?(?:TCPWHY_(?:US|MS|S)\()?\d", re.MULTILINE)
JOINT = re.compile(r"[()?:,]|&&|\|\|")
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'')
# Values that decide, or are passed on: conditions, returned values, stored values.
CHOICE = re.compile(r"^(\s*(?:\} )?(?:else )?(?:if|while) \()(.*)(\)(?: \{)?)$")
RETURN = re.compile(r"^(\s*return )(.*)(;)$")
STORE = re.compile(r"^(\s*(?!static\b|return\b)(?:\w[\w *]*[ *])?[\w\->.\[\]*]+ [-+|&]?= )(?!\{)(.*)(;)$")
REMOVABLE = re.compile(r"^\s+(?!return\b|goto\b)(?:[\w\->.\[\]*]+(?:\(.*\)| [-+|&]?= .*|\+\+|--)|break|continue);$")
# Patterns of failed expectations of a script, and of failed tests in C that did not crash.
EXPECTED = re.compile(r"^\S+\.script:(\d+)\n  - (?!gaps follow each other)", re.MULTILINE)
FAILURE = re.compile(r"error: Failure!")
TESTS = re.compile(r"^(?:test |TEST(?:_WITH|_FROM)?\()(\w+)", re.MULTILINE)
# TW_MUTANTS: numbers, each for a process of its own.
SWITCH = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int tw_mutant = -1;
unsigned char tw_reached[%d];
__attribute__((constructor)) static void each_mutant(void)
{
    struct itimerval time = { 0 };
    const struct rlimit room = { 4UL << 30, 4UL << 30 };
    char *at = getenv("TW_MUTANTS"), *end;
    int status;
    if (!at)
        return;
    time.it_value.tv_sec = atoi(getenv("TW_BUSY_MS")) / 1000;
    time.it_value.tv_usec = atoi(getenv("TW_BUSY_MS")) %% 1000 * 1000;
    for (; (tw_mutant = strtol(at, &end, 10)), end != at; at = end) {
        if (fork() == 0) {
            alarm(%d);
            setitimer(ITIMER_PROF, &time, NULL);
            setrlimit(RLIMIT_AS, &room);
            dup2(1, 2);
            return;
        }
        wait(&status);
        dprintf(1, "\\nmutant %%d %%d\\n", tw_mutant, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
    _exit(0);
}
__attribute__((destructor)) static void reached(void)
{
    FILE *file = getenv("TW_REACHED") ? fopen(getenv("TW_REACHED"), "w") : NULL;
    if (file) {
        fwrite(tw_reached, 1, sizeof tw_reached, file);
        fprintf(file, "%%ld", (long)clock() * 1000 / CLOCKS_PER_SEC);
        fclose(file);
    }
}
"""
ENDED = re.compile(r"^mutant (\d+) (-?\d+)$")
HEADER = """extern int tw_mutant __attribute__((visibility("hidden")));
extern unsigned char tw_reached[] __attribute__((visibility("hidden")));
#define TW_BROKEN(n) (tw_reached[n] = 1, tw_mutant == (n))
"""


def statements(lines):
    """(first line, number of lines, text on one line) of what functions consist of."""
    at = 0
    while at < len(lines):
        text, first = "", at
        while at < len(lines) and at - first < 20:
            code = QUOTED.sub("", lines[at].split("/*")[0]).rstrip()
            text = f"{text} {lines[at].split('/*')[0].strip()}" if text else lines[at].split("/*")[0].rstrip()
            at += 1
            if not text.startswith("    ") or text.lstrip().startswith(("*", ".", "case ")) or code.endswith("\\"):
                break
            plain = QUOTED.sub("", text)
            if plain.count(")") > plain.count("("):
                break
            whole = plain.count("(") == plain.count(")")
            if whole and (code.endswith((";", "{", "}", ":")) or re.match(r"\s*(?:\} )?(?:else|do|(?:else )?(?:if|while|for|switch) )", plain)):
                yield first, at - first, text
                break


def top_level(expression, sign):
    """Whether that sign stands outside of all brackets."""
    plain, depth = QUOTED.sub("", expression), 0
    for letter in plain:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == sign and not depth:
            return True
    return False


def conditions(plain):
    """(from, to, what it is when it is left out) of each part of a chain of && or ||."""
    starts, before = [0], [""]
    for joint in JOINT.finditer(plain + ","):
        sign = joint.group()
        if sign == "(":
            starts.append(joint.end())
            before.append("")
            continue
        signs = {before[-1], sign}
        if "&&" in signs or "||" in signs:
            yield starts[-1], joint.start(), "true" if "&&" in signs else "false"
        if sign == ")" and len(starts) > 1:
            starts.pop()
            before.pop()
            continue
        starts[-1], before[-1] = joint.end(), sign


def broken_ways(found, constant):
    """What an expression may become that is broken in one thing; the last ones may not compile."""
    head, expression, _ = found.groups()
    plain = QUOTED.sub(lambda quoted: "_" * len(quoted.group()), expression)
    for sign in SIGN.finditer(plain):
        yield expression[:sign.start()] + SIGNS[sign.group()] + expression[sign.end():]
    for start, end, without in conditions(plain):
        yield f"{expression[:start]} {without} {expression[end:]}"
    for number in constant.finditer(plain):
        for other in (f"(2 * {number.group()} + 1)", f"({number.group()} / 2)"):
            yield expression[:number.start()] + other + expression[number.end():]
    if expression in ("true", "false"):
        yield "false" if expression == "true" else "true"
    elif head.endswith("(") or head.lstrip().startswith("bool "):
        yield f"!({expression})"
    elif expression not in ("0", "NULL"):
        if re.search(r" (?:&&|\|\||[=!<>]=|<|>) |^!", expression) and " ? " not in expression:
            yield f"!({expression})"
        yield "0"


class Broken:
    """A file with its mutants: in each statement, what may become of it."""

    def __init__(self, path, constant):
        self.path, self.lines = path, path.read_text().splitlines()
        self.rows = []
        for number, n, text in statements(self.lines):
            found = CHOICE.match(text) or RETURN.match(text) or STORE.match(text)
            ways = list(broken_ways(found, constant)) if found and found.group(2) and not top_level(found.group(2), ",") else []
            ways = [found.group(1) + way + found.group(3) for way in ways]
            if REMOVABLE.match(text):
                ways.insert(0, re.match(r"\s*", text).group() + ";")
            if ways:
                self.rows.append({"line": number, "n": n, "text": text, "at": found and found.span(2), "ways": ways})
        self.n = len(self.mutants())

    def mutants(self):
        return [(row, way) for row in self.rows for way in row["ways"]]

    def name(self, row, way):
        return f"{self.path.relative_to(TOP)}:{row['line'] + 1}: {row['text'].strip()} -> {way.strip()}"

    def text(self, number):
        """The whole file with a switch for each mutant, the first of that number."""
        lines = [*self.lines]
        for row in self.rows:
            text, removed, switches = row["text"], None, ""
            for way in row["ways"]:
                if way.strip() == ";":
                    removed = number
                else:
                    start, end = row["at"][0], len(way) - (len(text) - row["at"][1])
                    switches += f"TW_BROKEN({number}) ? ({way[start:end]}) : "
                number += 1
            if switches:
                start, end = row["at"]
                text = f"{text[:start]}({switches}({text[start:end]})){text[end:]}"
            lines[row["line"]] = text if removed is None else f"{{ if (!TW_BROKEN({removed})) {text.strip()} }}"
            for line in range(row["line"] + 1, row["line"] + row["n"]):
                lines[line] = ""
        return "\n".join(lines) + "\n"

    def forget(self, errors):
        """Leaves out mutants that do not compile, and says which."""
        numbers = {int(number) - 1 for number in re.findall(rf"{re.escape(self.path.name)}:(\d+):", errors)}
        wrong = [row for row in self.rows if numbers & set(range(row["line"], row["line"] + row["n"]))] or self.rows
        return self.leave([self.name(row, row["ways"][-1]) for row in wrong])

    def leave(self, names):
        """Goes on without these mutants."""
        for row in self.rows:
            row["ways"] = [way for way in row["ways"] if self.name(row, way) not in names]
        self.rows = [row for row in self.rows if row["ways"]]
        return names


class Works:
    """The library with all mutants, and the tests, as they are built here."""

    def __init__(self, build, tests, files, jobs):
        self.build, self.out, self.jobs = build.resolve(), build.resolve() / "mutate", jobs
        self.out.mkdir(exist_ok=True)
        self.entries = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            if re.match(r"src/libtw_\w+\.a\.p/", entry["output"]):
                self.entries[(pathlib.Path(entry["directory"]) / entry["file"]).resolve()] = entry
        names = {name for path in (TOP / "src").rglob("*.[ch]") for name in DEFINED.findall(path.read_text())}
        constant = re.compile(rf"(?<![\w.])(?:[2-9]|[1-9]\d+|{'|'.join(sorted(names, reverse=True))})(?![\w.])")
        self.files = {path: Broken(path, constant) for path in map(pathlib.Path.resolve, files) if path in self.entries}
        self.linker = ["-fuse-ld=mold"] if shutil.which("mold") else []
        self.links = self.flags_of_link()
        self.build_library()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.build_program, {test["program"]: test for test in tests}.values()))

    def flags_of_link(self):
        """Libraries that a test in C is linked with."""
        ninja = ["ninja", "-C", str(self.build), "-t"]
        targets = subprocess.run([*ninja, "targets", "all"], capture_output=True, text=True, check=True).stdout
        target = re.search(r"^(tests/unit/test_\w+): ", targets, flags=re.MULTILINE).group(1)
        line = subprocess.run([*ninja, "commands", target], capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        return [word for word in shlex.split(line) if word.endswith(".so") or word in ("-lm", "-pthread")]

    def compile(self, path, number):
        entry, broken, target = self.entries[path], self.files.get(path), self.out / self.entries[path]["output"].replace("/", "_")
        words = [w for w in shlex.split(entry["command"]) if not re.match(r"-fsanitize|-O\d|-Werror|-g$|-fvisibility|-W|-MD$", w)]
        for flag in ("-MQ", "-MF"):
            while flag in words:
                del words[words.index(flag):words.index(flag) + 2]
        copy = self.out / path.relative_to(TOP) if broken else path
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(target), str(copy)
        words += ["-O0", "-w", "-fPIC", f"-I{path.parent}", *(["-include", str(self.out / "broken.h")] if broken else [])]
        copy.parent.mkdir(parents=True, exist_ok=True)
        while True:
            text = broken.text(number) if broken else path.read_text()
            if not copy.exists() or copy.read_text() != text:
                copy.write_text(text)
            elif target.exists() and target.stat().st_mtime > max(self.newest, copy.stat().st_mtime):
                return str(target)
            done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return str(target)
            if not broken or not broken.rows:
                sys.exit(done.stderr)
            with self.forgotten.open("a") as file:
                file.writelines(f"{name}\n" for name in broken.forget(done.stderr))

    def build_library(self):
        (self.out / "broken.h").write_text(HEADER)
        headers = [path for folder in ("src", "include") for path in (TOP / folder).rglob("*.h")]
        self.newest = max(path.stat().st_mtime for path in [*headers, self.build / "compile_commands.json"])
        self.forgotten = self.out / "does-not-compile"
        forgotten = set(self.forgotten.read_text().splitlines()) if self.forgotten.exists() else set()
        first, numbers = 0, {}
        for path, broken in self.files.items():
            numbers[path], first = first, first + broken.n
            broken.leave(forgotten)
        self.room = first + 1
        (self.out / "switch.c").write_text(SWITCH % (self.room, TIMEOUT_S))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            objects = list(pool.map(lambda path: self.compile(path, numbers.get(path, 0)), self.entries))
        subprocess.run(["gcc", *self.linker, "-shared", "-fPIC", "-o", self.out / "libmutant.so", self.out / "switch.c", *objects, *self.links],
                       check=True)
        self.mutants = {}
        for path, broken in self.files.items():
            for number, (row, way) in enumerate(broken.mutants(), numbers[path]):
                self.mutants[number] = (broken.path, broken.name(row, way))

    def build_program(self, test):
        folder = test["sources"][0].parent.parent.parent
        words = ["ccache", "gcc", f"-I{folder}", *[w for w in shlex.split(next(iter(self.entries.values()))["command"])
                                                   if w.startswith(("-I", "-D", "-std"))], "-w", "-O0",
                 f'-DTESTS_FOLDER="{folder}/tests/unit"', *self.linker, "-o", str(test["program"])]
        done = subprocess.run([*words, *map(str, test["sources"]), self.out / "libmutant.so", *self.links, f"-Wl,-rpath,{self.out}"],
                              cwd=self.build, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)

    def reached(self, test):
        """The numbers of the mutants that a test reaches; and measures how long it takes."""
        file = self.out / f"reached.{hashlib.sha256(test['name'].encode()).hexdigest()[:16]}"
        done = subprocess.run(test["command"], capture_output=True, check=False, env={**os.environ, "TW_REACHED": str(file)})
        if done.returncode:
            sys.exit(f"{test['name']} fails before anything is broken")
        bits = file.read_bytes()
        file.unlink()
        test["ms"] = 1 + int(bits[self.room:])
        return {number for number in self.mutants if bits[number]}

    def runs(self, test, mutants):
        """Of each mutant: its number, how the test ends under it, and what it said."""
        env = {**os.environ, "TW_MUTANTS": " ".join(map(str, mutants)), "TW_BUSY_MS": str(test["ms"] + BUSY_MS)}
        with subprocess.Popen(test["command"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", env=env) as run:
            said = ""
            for line in run.stdout:
                ended = ENDED.match(line)
                if ended:
                    yield int(ended.group(1)), int(ended.group(2)), said
                said = "" if ended else said + line
            run.kill()


def tests_of(folder, out, names):
    """Tests of scripts and in C; of those files if names are given, as test_nagle or 'script nagle'."""
    unit, rows = folder / "tests/unit", []
    of = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
    files = [(f"script {path.stem}", path, out / f"script_{of}", sorted(unit.glob("script*.c")), [path])
             for path in sorted((unit / "scripts").glob("*.script"))]
    files += [(path.stem, path, out / f"{path.stem}_{of}", [path, unit / "enrolled.c"], []) for path in sorted(unit.glob("test_*.c"))]
    for name, path, program, sources, args in files:
        if names and name not in names:
            continue
        lines, tests, within = path.read_text().splitlines(), {}, None
        for number, line in enumerate(lines, 1):
            head = TESTS.match(line)
            if head or (line and line[0] not in " }#/"):
                within = head and tests.setdefault(head.group(1), [])
            if args and within is not None and re.match(r"\s+expect\b", line):
                within.append(number)
        rows += [{"name": f"{name}: {test}", "program": program, "sources": sources, "command": [program, *args, test],
                  "lines": {number: f"{name}: {test}: {lines[number - 1].strip()}" for number in expected}} for test, expected in tests.items()]
    return rows


def each_test_fails(works, tests, reached, args):
    """Which mutant each test fails for. First come mutants of a file that it names (a cause, a protocol), then those that the fewest reach."""
    seen = json.loads(args.out.read_text()) if args.out and args.out.exists() else {}
    often = collections.Counter(mutant for mutants in reached for mutant in mutants)

    def try_all(test, mutants, names):
        found, wanted = {}, names - set(seen)
        words = {word for name in wanted for word in re.findall(r"\w+", name)}

        def turn(mutant):
            return works.mutants[mutant][0].stem.removeprefix("proto_") not in words, often[mutant], hashlib.sha256(str(mutant).encode()).digest()

        most = min(args.most, BUDGET_MS // test["ms"])
        for mutant, code, said in works.runs(test, sorted(mutants, key=turn)[:most] if wanted else []):
            if code > 0 and (EXPECTED.search(said) or FAILURE.search(said)):
                for name in {test["name"], *[test["lines"].get(int(number)) for number in EXPECTED.findall(said)]} - set(found) - {None}:
                    found[name] = works.mutants[mutant][1]
            if not wanted - set(found):
                break
        return found

    sets = [{test["name"]} if args.each == "test" else set(test["lines"].values()) for test in tests]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for found in pool.map(try_all, tests, reached, sets):
            seen.update({name: mutant for name, mutant in found.items() if name not in seen})
            if args.out and found:
                args.out.write_text(json.dumps(seen, indent=1, sort_keys=True))
    names = set.union(*sets)
    print(*[f"never fails: {name}" for name in sorted(names - set(seen))], f"{len(names & set(seen))} of {len(names)} are seen to fail", sep="\n")


def each_mutant_is_noticed(works, tests, reached, args):
    """Which test notices each of some mutants of each file, always the same ones."""
    by_file, noticed = collections.defaultdict(list), {}
    for number, (path, name) in works.mutants.items():
        by_file[path].append((hashlib.sha256(name.encode()).hexdigest(), number))
    for number in sorted(number for rows in by_file.values() for _, number in sorted(rows)[:args.per_file]):
        near = [test for test, mutants in zip(tests, reached) if number in mutants]
        name = works.mutants[number][1]
        noticed[name] = next((test["name"] for test in near for _, code, _ in works.runs(test, [number]) if code), None)
        if not noticed[name]:
            print(f"survives: {name}", flush=True)
    print(f"{sum(bool(by) for by in noticed.values())} of {len(noticed)} mutants are noticed")
    if args.out:
        args.out.write_text(json.dumps(noticed, indent=1))
    if args.against:
        before = json.loads(args.against.read_text())
        lost = [name for name, by in before.items() if by and not noticed.get(name, True)]
        print(*[f"no longer noticed: {name} (was by {before[name]})" for name in lost], sep="\n")
        print(f"{len(lost)} of {sum(bool(by) for by in before.values())} are no longer noticed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="of src; all of it when none is given")
    parser.add_argument("--per-file", type=int, default=4, help="so many mutants a file at most (4)")
    parser.add_argument("--tests", nargs="*", help="names of files, as test_nagle or 'script nagle'; all when not given")
    parser.add_argument("--unit", type=pathlib.Path, default=TOP, help="take the tests from this tree")
    parser.add_argument("--each", choices=["test", "expectation"], help="list each test, or expectation of a script, that no mutant makes fail")
    parser.add_argument("--most", type=int, default=500, help="with --each: try so many mutants a test at most (500)")
    parser.add_argument("--out", type=pathlib.Path, help="write which test noticed which mutant; --each goes on from there")
    parser.add_argument("--against", type=pathlib.Path, help="list what the tests of that --out noticed, and these do not")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    tests = tests_of(args.unit.resolve(), args.build.resolve() / "mutate", args.tests)
    works = Works(args.build, tests, args.files or sorted((TOP / "src").rglob("*.c")), args.jobs)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        reached = list(pool.map(works.reached, tests))
    (each_test_fails if args.each else each_mutant_is_noticed)(works, tests, reached, args)


if __name__ == "__main__":
    main()
