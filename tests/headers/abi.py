#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi.py TOP LIBTCPWHY_SO: programs built with the last release run with this library: abidiff finds no incompatible
change.

The last release is the newest tag vN.N.N before this commit; its library is built in a temporary folder. A new
soversion allows any change. Structs with struct_size may grow at their end (abi.suppr).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

ABIDIFF_ABI_CHANGE = 4


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=False, **more)


def soname(library):
    found = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", library).stdout)
    return found.group(1) if found else ""


def has_debug_info(library):
    return ".debug_info" in run("readelf", "-S", "-W", library).stdout


def build_release(top, tag, folder):
    """Build the library of a tag; its path, or None and why."""
    source, build = folder / "source", folder / "build"
    source.mkdir()
    archive = subprocess.Popen(["git", "-C", top, "archive", tag], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", source], stdin=archive.stdout, check=True)
    if archive.wait():
        return None, f"git archive {tag} failed"
    for command in (["meson", "setup", "--buildtype=debug", build, source],
                    ["meson", "compile", "-C", build, "tcpwhy:shared_library"]):
        done = run(*command)
        if done.returncode:
            return None, done.stdout + done.stderr
    return os.path.realpath(next((build / "src").glob("libtcpwhy.so*[0-9]"))), None


def main():
    top, library = pathlib.Path(sys.argv[1]).resolve(), os.path.realpath(sys.argv[2])
    if not shutil.which("abidiff"):
        skip_all("no abidiff here (Debian: abigail-tools)")
    tag = run("git", "-C", top, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").stdout.strip()
    if not tag:
        skip_all("no release is tagged")
    if not has_debug_info(library):
        skip_all("this build has no debug information")
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        old, why = build_release(top, tag, pathlib.Path(folder))
        tap.check(f"the library of {tag} builds", why)
        if not old:
            return
        if soname(old) != soname(library):
            tap.skip(f"programs built with {tag} run with this library", f"{soname(library)} is no longer {soname(old)}")
            return
        done = run("abidiff", "--suppressions", pathlib.Path(__file__).with_name("abi.suppr"),
                   "--headers-dir1", f"{folder}/source/include", "--headers-dir2", top / "include", "--no-added-syms", old, library)
        tap.check(f"programs built with {tag} run with this library",
                  done.stdout + done.stderr if done.returncode & (ABIDIFF_ABI_CHANGE | 3) else None)


if __name__ == "__main__":
    main()
