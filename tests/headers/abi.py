#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi.py [--renew] TOP: programs built against the interface in libtcpwhy.abi run with the library of these headers: abidiff
finds no incompatible change.

The file is abidw's dump of the last release's headers. What may change is in abi.suppr: rows and structs with struct_size
grow at their end. --renew writes the file anew: with a release, or for a change that must be (then rename the symbols'
version in src/tcpwhy.map, so that programs which no longer run are refused).
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import symbols  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DUMP, ALLOWED = HERE / "libtcpwhy.abi", HERE / "abi.suppr"
ABIDIFF_ABI_CHANGE = 4


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=False, **more)


def compile_interface(include, functions, folder):
    """The headers as debug information: a pointer to each function, a variable of each enumeration. The library's own would
    tell of private types, too."""
    enums = sorted(set(re.findall(r"^enum (tcpwhy_\w+)", "".join(p.read_text() for p in include.rglob("*.h")), re.M)))
    (folder / "interface.c").write_text("#include <tcpwhy/tcpwhy.h>\n" +
                                        "".join(f"__typeof__(&{name}) const {name}_;\n" for name in functions) +
                                        "".join(f"enum {name} {name}_;\n" for name in enums))
    return run("cc", "-std=gnu11", "-g", "-shared", "-fPIC", "-I", include, "interface.c", "-o", "interface.so", cwd=folder)


def dump(folder, out):
    subprocess.run(["abidw", "--no-corpus-path", "--no-elf-needed", "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash",
                    "--out-file", out, "interface.so"], cwd=folder, check=True)


def incompatible(folder):
    done = run("abidiff", "--suppressions", ALLOWED, DUMP, folder / "interface.so")
    return done.stdout + done.stderr if done.returncode & (ABIDIFF_ABI_CHANGE | 3) else None


def changed(include, folder, name, before, after):
    """The headers with one change."""
    copy = folder / name
    shutil.copytree(include, copy / "include")
    for header in (copy / "include").rglob("*.h"):
        header.write_text(header.read_text().replace(before, after, 1) if before in header.read_text() else header.read_text())
    return copy


def check_that_it_looks(tap, include, functions, folder):
    """What abidiff is here for: it refuses what would be misread, and lets structs grow."""
    for sentence, before, after, refused in (
            ("a member that moves is refused", "    tcpwhy_ns cost_ns;", "    int moved;\n    tcpwhy_ns cost_ns;", True),
            ("a number of an enumeration that changes is refused", "TCPWHY_WIRE = 22", "TCPWHY_WIRE = 122", True),
            ("an endpoint that grows is refused", "    uint16_t port;", "    uint64_t more;\n    uint16_t port;", True),
            ("options that grow at their end are not", "    bool numeric; ", "    bool numeric;\n    uint64_t more; ", False),
            ("a new number of an enumeration is not", "TCPWHY_UNKNOWN = 27,", "TCPWHY_UNKNOWN = 27, TCPWHY_MORE = 128,", False)):
        copy = changed(include, folder, sentence.replace(" ", "-"), before, after)
        done = compile_interface(copy / "include", functions, copy)
        found = done.stderr or incompatible(copy)
        tap.check(sentence, None if bool(found) == refused else found or "abidiff was silent")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--renew"]
    top = pathlib.Path(arguments[0]).resolve()
    include, functions = top / "include", symbols.exported(top)
    for tool in ("abidw", "abidiff", "cc"):
        if not shutil.which(tool):
            skip_all(f"no {tool} here (Debian: abigail-tools)")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = compile_interface(include, functions, folder)
        if "--renew" in sys.argv:
            dump(folder, DUMP)
            return
        with Tap() as tap:
            tap.check("programs built against libtcpwhy.abi run with this library", done.stderr or incompatible(folder))
            check_that_it_looks(tap, include, functions, folder)


if __name__ == "__main__":
    main()
