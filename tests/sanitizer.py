# SPDX-License-Identifier: MIT
"""Load a sanitized library into a program that is not sanitized: Python."""
import os
import subprocess
import sys


def sanitized(library):
    """Was the library built with the address sanitizer?"""
    return "__asan_init" in subprocess.run(["nm", "-D", library], text=True, capture_output=True, check=False).stdout


def preload(library):
    """The environment in which such a program finds its sanitizer first."""
    if not sanitized(library):
        return {}
    found = subprocess.run(["cc", "-print-file-name=libasan.so"], text=True, capture_output=True, check=False).stdout.strip()
    return {"LD_PRELOAD": os.path.realpath(found), "ASAN_OPTIONS": "detect_leaks=0"}


def come_first(library):
    """A sanitized library wants its sanitizer to come first: start again with it."""
    environment = preload(library)
    if "LD_PRELOAD" in os.environ or not environment:
        return
    os.environ.update(environment)
    os.execv(sys.executable, [sys.executable, *sys.argv])
