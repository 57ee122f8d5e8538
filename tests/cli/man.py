#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""man.py TCPWHY TOP: the manual pages are well formed and cover every command, option and header, and the example
compiles."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import symbols  # noqa: E402
from tap import Tap  # noqa: E402

# What depends on the machine: which other pages are installed.
NOT_OURS = re.compile(r"referenced manual not found|outdated mandoc.db")


def said(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
    return done.stderr.splitlines()


def lint(page):
    done = subprocess.run(["mandoc", "-Tlint", str(page)], capture_output=True, text=True, check=False)
    return [line for line in (done.stdout + done.stderr).splitlines() if not NOT_OURS.search(line)]


def options(tool, commands):
    """Every --option of every command, from their help."""
    helps = [subprocess.run([tool, *command, "--help"], capture_output=True, text=True, check=True).stdout for command in commands]
    return {name for text in helps for name in re.findall(r"^  (?:-\w,|   ) --([a-z-]+)", text, re.M)}


def library(tap, top):
    text = (top / "docs/libtcpwhy.3").read_text()
    headers = {path.name for path in (top / "include/tcpwhy").glob("*.h")}
    told = set(re.findall(r"^\.In tcpwhy/(\S+)", text, re.M))
    tap.check("the library's page tells of every header", [f"{name}: told or there, not both" for name in sorted(headers ^ told)])
    exports = set(symbols.exported(top))
    tap.check("the library's page names no function that is not there", sorted({name for name in re.findall(r"\btcpwhy_\w+(?=\()|(?<=Fn )tcpwhy_\w+", text)} - exports))
    example = re.search(r"^\.Bd -literal.*?\n(.*?)^\.Ed", text, re.M | re.S).group(1).replace("\\e", "\\")
    done = subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", top / "include", "-x", "c", "-"], input=example,
                          capture_output=True, text=True, check=False)
    tap.check("the example of the library's page compiles", done.stderr)


def well_formed(tap, page):
    for program, check in (("mandoc", lambda: lint(page)), ("groff", lambda: said("groff", "-mdoc", "-Tutf8", "-ww", str(page))),
                           ("man", lambda: said("man", "--warnings", "-l", str(page)))):
        if shutil.which(program):
            tap.check(f"{program} finds nothing wrong with {page.name}", check())
        else:
            tap.skip(f"{program} finds nothing wrong with {page.name}", f"no {program} here")


def quotes(page):
    """Lines in which a quotation ends inside another: what groff makes of several in one .Pq."""
    text = subprocess.run(["groff", "-mdoc", "-Tutf8", "-P-cbou", str(page)], capture_output=True, text=True, check=False).stdout
    return [line for line in text.splitlines() if "\u2019\u2019" in line]


def main():
    tool, top = sys.argv[1], pathlib.Path(sys.argv[2])
    page = top / "docs/tcpwhy.1"
    text = page.read_text()
    overview = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+)  ", overview[overview.index("\nCommands"):], re.M)
    with Tap() as tap:
        tap.check("the manual page tells of every command", [c for c in commands if f".It Cm {c}" not in text] or (not commands and "no commands"))
        names = options(tool, [[]] + [[c] for c in commands])
        tap.check("the manual page tells of every option", [n for n in sorted(names) if f"Fl -{n}" not in text] or (not names and "no options"))
        library(tap, top)
        for path in (page, top / "docs/libtcpwhy.3"):
            well_formed(tap, path)
            if shutil.which("groff"):
                tap.check(f"quotations in {path.name} end before others begin", quotes(path))


if __name__ == "__main__":
    main()
