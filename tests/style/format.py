#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format.py TOP: all C files are formatted by clang-format, and every source file has its licence tag."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

FOLDERS = ("examples", "include", "python", "src", "tests", "tools")
SOURCES = (".c", ".cpp", ".h", ".py", ".sh", ".build")
# REUSE-IgnoreStart
TAG = "SPDX-License-Identifier: MIT"
# Wireshark's licence reaches its plugins, and no further.
PLUGIN = ("tools/wireshark", "SPDX-License-Identifier: GPL-2.0-or-later")
# REUSE-IgnoreEnd


def sources(top):
    found = [p for folder in FOLDERS for p in (top / folder).rglob("*") if p.suffix in SOURCES or p.name == "meson.build"]
    commands = [p for p in (top / "diagnose", top / "check", top / ".ci/run", top / "meson.build") if p.exists()]
    return sorted(set(found)) + commands + sorted((top / "scripts").iterdir())


def tag_of(path):
    return PLUGIN[1] if str(path).startswith(PLUGIN[0]) else TAG


def unformatted(top, paths):
    command = ["clang-format", "--dry-run", "-Werror", "--style=file"] + [str(p) for p in paths]
    done = subprocess.run(command, cwd=top, text=True, capture_output=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "error:" in line or "warning:" in line]
    return sorted({line.split(":")[0].replace(f"{top}/", "") + ": run clang-format -i" for line in lines}) or done.stderr[:done.returncode * 400]


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    files = [p for p in sources(top) if p.is_file() and "__pycache__" not in p.parts]
    untagged = [str(p.relative_to(top)) for p in files if tag_of(p.relative_to(top)) not in "".join(p.read_text(encoding="utf-8").splitlines(True)[:3])]
    in_c = [p for p in files if p.suffix in (".c", ".cpp", ".h")]
    with Tap() as tap:
        tap.check(f"the {len(files)} source files begin with their licence", untagged)
        if shutil.which("clang-format"):
            tap.check(f"the {len(in_c)} C files are formatted as .clang-format says", unformatted(top, in_c))
        else:
            tap.skip("the C files are formatted as .clang-format says", "no clang-format here")


if __name__ == "__main__":
    main()
