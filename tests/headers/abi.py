#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi.py [--renew] TOP: programs built against the interface in libtcpwhy.abi run with the library of these headers: abidiff
finds no incompatible change, and the members of every struct lie where they lay.

The file is abidw's dump of the last release's headers. What may change is in abi.suppr: rows and structs with struct_size
grow at their end. abidiff 2.2 lets every change of such a struct pass that is no insertion, so members are compared here.
--renew writes the file anew: with a release, or for a change that must be (then rename the symbols' version in
src/tcpwhy.map, so that programs which no longer run are refused).
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import symbols  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DUMP, ALLOWED = HERE / "libtcpwhy.abi", HERE / "abi.suppr"
ABIDIFF_ABI_CHANGE = 4


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=False, **more)


def compile_interface(include, functions, folder):
    """The headers as debug information: a pointer to each function, a variable of each enumeration, an enumeration of the
    numbers that are macros. The library's own would tell of private types, too."""
    text = "".join(p.read_text() for p in sorted(include.rglob("*.h")))
    enums = sorted(set(re.findall(r"^enum (tcpwhy_\w+)", text, re.M)))
    numbers = [name for name in re.findall(r"^#define (TCPWHY_\w+) \w+$", text, re.M) if "VERSION" not in name]
    (folder / "interface.c").write_text("#include <tcpwhy/tcpwhy.h>\n" +
                                        "".join(f"__typeof__(&{name}) const {name}_;\n" for name in functions) +
                                        "".join(f"enum {name} {name}_;\n" for name in enums) +
                                        "enum tcpwhy_numbers { " + "".join(f"{name}_ = {name}, " for name in numbers) +
                                        "} tcpwhy_numbers_;\n")
    return run("cc", "-std=gnu11", "-g", "-shared", "-fPIC", "-I", include, "interface.c", "-o", "interface.so", cwd=folder)


def dump(folder, out):
    subprocess.run(["abidw", "--no-corpus-path", "--no-elf-needed", "--no-comp-dir-path", "--no-show-locs", "--type-id-style", "hash",
                    "--out-file", out, "interface.so"], cwd=folder, check=True)


def layouts(path):
    """Of a dump: name -> size in bits and members (name, offset, type) of each struct."""
    return {struct.get("name"): (int(struct.get("size-in-bits")),
                                 [(m[0].get("name"), int(m.get("layout-offset-in-bits")), m[0].get("type-id"))
                                  for m in struct.iterfind("data-member")])
            for struct in xml.etree.ElementTree.parse(path).iter("class-decl") if struct.get("size-in-bits")}


def moved(old, new):
    """What a program that knows the old layouts would misread. A member that a program provides must not lie in what was
    padding: nobody has set it to 0."""
    for name, (size, members) in sorted(old.items()):
        _, now = new.get(name, (0, []))
        for member, stays in zip(members, now[:len(members)] + [None] * len(members)):
            if member != stays:
                yield f"struct {name}: {member} became {stays}"
        if members and members[0][0] == "struct_size":
            yield from (f"struct {name}: {more[0]} lies in its padding" for more in now[len(members):] if more[1] < size)


def incompatible(folder):
    done = run("abidiff", "--suppressions", ALLOWED, DUMP, folder / "interface.so")
    if done.returncode & (ABIDIFF_ABI_CHANGE | 3):
        return done.stdout + done.stderr
    dump(folder, folder / "interface.abi")
    return list(moved(layouts(DUMP), layouts(folder / "interface.abi")))


def changed(include, folder, name, before, after):
    """The headers with one change."""
    copy = folder / name
    shutil.copytree(include, copy / "include")
    headers = [header for header in (copy / "include").rglob("*.h") if before in header.read_text()]
    assert headers, f"no {before} in the headers"
    for header in headers:
        header.write_text(header.read_text().replace(before, after, 1))
    return copy


def check_that_it_looks(tap, include, functions, folder):
    """What abidiff is here for: it refuses what would be misread, and lets structs grow."""
    for sentence, before, after, refused in (
            ("a member that moves is refused", "    tcpwhy_ns cost_ns;", "    int moved;\n    tcpwhy_ns cost_ns;", True),
            ("a number of an enumeration that changes is refused", "TCPWHY_WIRE = 22", "TCPWHY_WIRE = 122", True),
            ("an endpoint that grows is refused", "    uint16_t port;", "    uint64_t more;\n    uint16_t port;", True),
            ("a member of options that becomes wider is refused", "    uint32_t threads;", "    uint64_t threads;", True),
            ("a member of a row that becomes wider is refused", "    uint32_t first_frame; ", "    uint64_t first_frame; ", True),
            ("a new option in what was padding is refused", "    bool numeric; ", "    bool numeric;\n    bool more; ", True),
            ("a text that needs more room is refused", "TCPWHY_ENDPOINT_TEXT 64", "TCPWHY_ENDPOINT_TEXT 80", True),
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
