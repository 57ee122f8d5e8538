# SPDX-License-Identifier: MIT
"""Load a sanitized library into a program that is not sanitized: Python."""
import os
import subprocess
import sys


def sanitized(library):
    """Was the library built with the address sanitizer?"""
    return "__asan_init" in subprocess.run(["nm", "-D", library], text=True, capture_output=True, check=False).stdout


def come_first(library):
    """A sanitized library wants its sanitizer to come first: start again with it."""
    if "LD_PRELOAD" in os.environ or not sanitized(library):
        return
    found = subprocess.run(["cc", "-print-file-name=libasan.so"], text=True, capture_output=True, check=False).stdout.strip()
    os.environ["LD_PRELOAD"] = os.path.realpath(found)
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    os.execv(sys.executable, [sys.executable, *sys.argv])
