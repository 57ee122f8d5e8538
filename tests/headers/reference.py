# SPDX-License-Identifier: MIT
"""Part of run.py: doxygen builds the reference from the public headers without a warning, with every function."""
import pathlib
import shutil
import subprocess
import tempfile

import symbols


def doxygen(top, folder, extra=""):
    settings = (top / "docs/Doxyfile").read_text() + f"OUTPUT_DIRECTORY = {folder}\nGENERATE_TAGFILE = {folder}/tags\n" + extra
    return subprocess.run(["doxygen", "-"], cwd=top, input=settings, text=True, capture_output=True, check=False)


def check_reference(tap, top):
    if not shutil.which("doxygen"):
        tap.skip("the reference builds without a warning", "no doxygen here")
        return
    names = list(symbols.exported(top))
    with tempfile.TemporaryDirectory() as folder:
        done = doxygen(top, folder)
        tap.check("the reference builds without a warning", done.stderr or ("doxygen failed" if done.returncode else None))
        tags = pathlib.Path(folder, "tags").read_text()
        tap.check("the reference has every exported function: each header begins with /** @file",
                  [n for n in names if f"<name>{n}</name>" not in tags])
        bare = pathlib.Path(folder, "bare.h")
        bare.write_text("/** @file */\nint tcpwhy_nobody_says_what_this_does(void);\n")
        tap.check("a function without a word is a warning",
                  None if "nobody_says" in doxygen(top, folder, f"INPUT = {bare}\n").stderr else "doxygen was silent")
