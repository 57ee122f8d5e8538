# SPDX-License-Identifier: MIT
"""What tests do otherwise under the address sanitizer: load such a library into Python, and ask a slow program for less."""
import functools
import os
import subprocess
import sys


@functools.cache
def calls(binary):
    """The names that the library or the program asks others for."""
    return subprocess.run(["nm", "-D", binary], text=True, capture_output=True, check=False).stdout


def sanitized(binary):
    """Was the library or the program built with the address sanitizer?"""
    return "__asan_init" in calls(binary)


def some(captures, program, turn=0):
    """The captures that a program is asked about: all of them, or every sixth when the address or the thread sanitizer makes it take ten
    times as long. Those who ask several things of each take others at each turn."""
    return captures[turn % 6::6] if sanitized(program) or "__tsan_init" in calls(program) else captures


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
