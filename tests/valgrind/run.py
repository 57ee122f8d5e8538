#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY SANITIZER FOLDER...: valgrind finds no error and no leak, also after failures.

Captures of the folders, smallest first, until VALGRIND_SECONDS (default 40) have passed; 0: all of them.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

SAYS = 99  # the exit status when it says something
VALGRIND = ["valgrind", "-q", f"--error-exitcode={SAYS}", "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect,possible"]
COMMANDS = [[], ["--json"], ["flow"], ["exchanges"], ["segments"]]


def said(tool, *args):
    """What valgrind says; None when nothing."""
    done = subprocess.run([*VALGRIND, tool, *args, "--threads", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return done.stderr.decode(errors="replace")[:2000] if done.returncode == SAYS or b"\n==" in done.stderr else None


def captures(folders):
    return sorted((p for folder in folders for p in pathlib.Path(folder).rglob("*.pcap*")), key=lambda p: (p.stat().st_size, p))


def check_errors(tap, tool, capture):
    content = capture.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder) / "cut"
        for name, left in (("cut in a record", content[:len(content) // 2 + 1]), ("of another kind", b"text" * 100), ("empty", b"")):
            cut.write_bytes(left)
            tap.check(f"a file {name}", said(tool, cut))
        tap.check("no file", said(tool, pathlib.Path(folder) / "none"))
    tap.check("a stream that is not there", said(tool, "--stream", "nonsense", capture))


def main():
    tool, sanitizer, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
    seconds = float(os.environ.get("VALGRIND_SECONDS", "40"))
    with Tap() as tap:
        found = captures(folders)
        why = "no valgrind here" if not shutil.which("valgrind") else \
            "a sanitizer and valgrind do not go together" if sanitizer != "none" else "" if found else "no captures here"
        if why:
            tap.skip("valgrind", why)
            return
        begin = time.monotonic()
        for command in COMMANDS:
            tap.check(" ".join(command) or "the diagnosis", said(tool, *command, found[0]))
        check_errors(tap, tool, found[0])
        for n, capture in enumerate(found[1:]):
            if seconds and time.monotonic() - begin > seconds:
                print(f"# {n + 1} of {len(found)} captures in {seconds:.0f} s")
                return
            tap.check(f"{capture.parent.name}/{capture.name}", said(tool, capture))


if __name__ == "__main__":
    main()
