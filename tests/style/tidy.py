#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tidy.py TOP BUILD: clang-tidy has no findings in any file of the build.

A clean file is checked again only if it, a header, or a .clang-tidy changes (BUILD/tidy.json).
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


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
    files = sorted({(pathlib.Path(e["directory"]) / e["file"]).resolve() for e in entries})
    files = [f for f in files if top in f.parents and build not in f.parents]
    house = digest([top / ".clang-tidy", top / "tests/.clang-tidy"] + sorted((top / "include").rglob("*.h")) + sorted((top / "src").rglob("*.h")))
    remembered = build / "tidy.json"
    clean = json.loads(remembered.read_text()) if remembered.exists() else {}
    wanted = {str(f): house + digest([f]) for f in files}
    stale = [f for f in files if clean.get(str(f)) != wanted[str(f)]]
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(stale, pool.map(lambda f: tidy(top, build, f), stale)))
        remembered.write_text(json.dumps({str(f): wanted[str(f)] for f in files if not said.get(f)}))
        tap.note(f"{len(stale)} of {len(files)} files are new or changed")
        for folder in sorted({f.relative_to(top).parent for f in files}):
            inside = [f for f in files if f.parent == top / folder]
            tap.check(f"clang-tidy finds nothing in the {len(inside)} files of {folder}/", [said[f] for f in inside if said.get(f)])


if __name__ == "__main__":
    main()
