#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tidy.py TOP BUILD: clang-tidy has no findings in any file of the build.

What it says of a file is kept (../kept.py) until it, a file that it includes, how it is compiled or a .clang-tidy changes.
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import kept  # noqa: E402
from tap import Tap, skip_all  # noqa: E402


@functools.cache
def digest(path):
    return kept.key_of(path.read_bytes())


def included(build):
    """Object -> the files that it was compiled of, as the compiler told ninja."""
    told = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=False).stdout
    found, real = {}, functools.cache(lambda name: (build / name).resolve())
    for block in told.split("\n\n"):
        head, *lines = block.strip().split("\n")
        if head.endswith("(VALID)"):
            found[head.split(": #deps")[0]] = sorted(real(line.strip()) for line in lines)
    return found


def key(top, entry, files, house):
    """All that decides what clang-tidy says of a file; the folder of the checkout does not."""
    return kept.key_of(*house, entry["command"].replace(str(top), ""), entry["file"], *(f"{path.name} {digest(path)}" for path in files))


def tidy(top, build, path):
    """What clang-tidy says of one file, a line a finding; "" when nothing."""
    # what GCC alone knows: warnings, and in a release build how it optimizes the whole
    gcc = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-optimization-argument"]
    command = ["clang-tidy", "-p", str(build), "--quiet", *gcc, str(path)]
    done = subprocess.run(command, cwd=top, text=True, capture_output=True, check=False)
    lines = [re.sub(r"^\S*\.\./", "", line.replace(f"{top}/", "")) for line in done.stdout.splitlines()]
    findings = [line for line in lines if ": error: " in line or ": warning: " in line]
    return "\n".join(dict.fromkeys(findings)) or (done.stderr if done.returncode else "")


def main():
    top, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if not shutil.which("clang-tidy"):
        skip_all("no clang-tidy here")
    entries = json.loads((build / "compile_commands.json").read_text())
    of = {(pathlib.Path(e["directory"]) / e["file"]).resolve(): e for e in entries}
    files = sorted(f for f in of if top in f.parents and build not in f.parents)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    house = [version, *(digest(path) for path in (top / ".clang-tidy", top / "tests/.clang-tidy", pathlib.Path(__file__)))]
    headers, new = included(build), []

    def say(file):
        def ask():
            new.append(file)
            return tidy(top, build, file)

        inside = headers.get(of[file]["output"])
        return kept.value("tidy", key(top, of[file], inside, house), ask, keeps=lambda findings: not findings) if inside else ask()

    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(files, pool.map(say, files)))
        tap.note(f"{len(new)} of {len(files)} files are new or changed")
        for folder in sorted({f.relative_to(top).parent for f in files}):
            inside = [f for f in files if f.parent == top / folder]
            tap.check(f"clang-tidy finds nothing in the {len(inside)} files of {folder}/", [said[f] for f in inside if said[f]])


if __name__ == "__main__":
    main()
