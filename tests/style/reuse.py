#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reuse.py TOP: every file has a licence according to REUSE 3.0; .reuse/dep5 covers files that cannot hold a tag."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402


def main():
    top = sys.argv[1]
    if not shutil.which("reuse"):
        skip_all("no reuse here")
    with Tap() as tap:
        done = subprocess.run(["reuse", "--root", top, "lint"], capture_output=True, text=True, check=False)
        tap.check("reuse lint finds nothing", done.stdout + done.stderr if done.returncode else None)


if __name__ == "__main__":
    main()
