#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py WANTED FILE...: each program or library has what the build asked for: WANTED is a list of names of CHECKS, parted by commas.

readelf tells most of it; how functions begin (CET), and that large frames are touched page by page, only their code does.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def segment(elf, name):
    """The flags of a program header, "" when there is none of that name."""
    found = re.search(rf"^\s*{name}\s+(?:0x\w+\s+){{5}}([RWE ]+?)\s+0x", elf.headers, re.M)
    return found.group(1) if found else ""


class Elf:
    def __init__(self, path):
        self.headers = said("readelf", "-W", "-h", "-l", "-d", path)
        self.symbols = said("readelf", "-W", "--dyn-syms", path)
        self.code = said("objdump", "-d", "--no-show-raw-insn", path)
        self.x86 = "X86-64" in self.headers
        self.content = pathlib.Path(path).read_bytes()


CHECKS = {
    "pie": ("it can be loaded anywhere", lambda e: "Type:" in e.headers and re.search(r"Type:\s+DYN", e.headers)),
    "relro": ("what the loader wrote is read-only afterwards", lambda e: segment(e, "GNU_RELRO") == "R"),
    "now": ("all of it is bound at once", lambda e: "BIND_NOW" in e.headers or re.search(r"Flags:.*\bNOW\b", e.headers)),
    "noexecstack": ("its stack is no code", lambda e: segment(e, "GNU_STACK") == "RW"),
    "protector": ("functions look after their stack", lambda e: "__stack_chk_fail" in e.symbols),
    "fortify": ("copies and prints are bounded", lambda e: re.search(r"__(memcpy|snprintf|vsnprintf)_chk", e.symbols)),
    # Each function that can be called through a pointer begins so.
    "cet": ("calls lead to beginnings alone", lambda e: not e.x86 or e.code.count("endbr64") > 50),
    # Two builds in different folders are then the same: scripts/reproducible.sh.
    "paths": ("it names its sources from their top", lambda e: not re.search(rb"\.\./[\w/.-]+\.c\0", e.content)),
    "clash": ("large frames are touched page by page", lambda e: not e.x86 or re.search(r"orq\s+\$0x0,", e.code)),
}


def main():
    wanted, files = sys.argv[1].split(","), sys.argv[2:]
    if not shutil.which("readelf") or not shutil.which("objdump"):
        skip_all("no readelf here")
    with Tap() as tap:
        for path in files:
            elf, name = Elf(path), pathlib.Path(path).name
            for key in filter(None, wanted):
                what, holds = CHECKS[key]
                tap.check(f"{name}: {what} ({key})", not holds(elf) and "it is not so")


if __name__ == "__main__":
    main()
