#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refuse.py TCPWHY REFUSE.so CAPTURE: a decoder whose allocation fails, early or late, is reported; no crash, no leak."""
import gzip
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

# More allocations than any of the decoders makes for one small file.
MOST = 60


def by_command(*command):
    if not shutil.which(command[0]):
        return None
    return lambda content: subprocess.run(command, input=content, capture_output=True, check=True).stdout


PACKERS = {"gzip": gzip.compress, "xz": lzma.compress, "zstd": by_command("zstd", "-q", "-c"), "lz4": by_command("lz4", "-q", "-c", "-BD")}


def run(tool, preload, path, at):
    environment = dict(os.environ, LD_PRELOAD=preload, REFUSE_AT=str(at),
                       ASAN_OPTIONS="verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""))
    return subprocess.run([tool, "--json", path], capture_output=True, text=True, timeout=60, env=environment, check=False)


def fault(done):
    """What is wrong with a run that got no memory: it says so, or it had enough."""
    if done.returncode == 0:
        return None
    if done.returncode == 1 and done.stderr.count("\n") == 1 and (
            "no memory is left to decompress it" in done.stderr or "out of memory" in done.stderr):
        return None
    return f"exit {done.returncode}: {done.stderr[-300:]}"


def sweep(tool, preload, path):
    """Refuse from the first allocation on, from the second on, and so on until there are no more. How many, and the faults."""
    faults, refused = [], 0
    plain = run(tool, preload, path, 10**6).stdout
    for at in range(1, MOST):
        done = run(tool, preload, path, at)
        if done.returncode == 0 and done.stdout == plain:
            break
        refused += 1
        why = fault(done)
        faults += [f"from allocation {at} on: {why}"] if why else []
    return refused, faults


def main():
    tool, preload, capture = sys.argv[1:4]
    content = pathlib.Path(capture).read_bytes()
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        for name, pack in PACKERS.items():
            if not pack:
                tap.skip(f"{name} is told that there is no memory", "its tool is not here")
                continue
            path = str(pathlib.Path(folder) / name)
            pathlib.Path(path).write_bytes(pack(content))
            refused, faults = sweep(tool, preload, path)
            if refused == 0:
                faults.append("no allocation was refused: the test tests nothing")
            tap.check(f"{name} without memory, at each of its {refused} allocations, is an error in words", faults)


if __name__ == "__main__":
    main()
