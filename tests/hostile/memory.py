#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""memory.py TCPWHY [KIND...]: captures that need several times the memory bound are analysed within it.

RLIMIT_AS enforces the bound: what the program needs before it reads a frame, plus the bound. What was evicted is
reported in the quality of the capture.
"""
import gzip
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import make  # noqa: E402
from tap import Tap  # noqa: E402

MIB = 1 << 20
BOUND = 48 * MIB

# Frames, what is run, and what the quality must tell; None: no bound has to be reached.
KINDS = {
    "syn_flood": (300000, ("--json",), "memory_forgotten"),
    "syn_flood_everywhere": (300000, ("--json",), "memory_forgotten"),
    "ports_reused": (300000, ("--json",), "memory_streams"),
    "holes": (400000, ("--json",), "memory_split"),
    "sequence_jumps": (400000, ("--json",), "memory_split"),
    "forged_acks": (300000, ("--json",), "memory_forgotten"),
    "duplicate_acks": (300000, ("--json",), "memory_split"),
    "pipelined": (300000, ("--json",), "memory_split"),
    "held_back": (30000, ("--json",), "memory_split"),
    "refused_everywhere": (300000, ("--json",), None),
    "fragments": (300000, ("--json",), None),
    "clock_back": (300000, ("--json",), "memory_split"),
    "syn_flood labels": (200000, ("segments", "--csv"), None),
    "bomb": (16 * MIB, ("--json",), None),
    "long_record": (1, ("--json",), "bad_record"),
    "long_block": (1, ("--json",), "bad_record"),
}


def bomb(n, file):
    """Empty frames, so many of them that a thousandth of it holds them."""
    with gzip.open(file, "wb", 1) as packed:
        packed.write(make.HEADER)
        for _ in range(n // 65536):
            packed.write(bytes(16 * 65536))


def long_record(_, file):
    """It says that it is 4 GiB long."""
    file.write(make.HEADER + struct.pack("<IIII", 0, 0, 0xFFFFFFFF, 0xFFFFFFFF) + bytes(1000))


def long_block(_, file):
    """Likewise in pcapng."""
    file.write(struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28) + struct.pack("<IIHHII", 1, 20, 101, 0, 0, 20) +
               struct.pack("<IIIIIII", 6, 0xFFFFFFFC, 0, 0, 0, 0xFFFFFFF0, 0xFFFFFFF0) + bytes(1000))


FILES = {kind.__name__: kind for kind in (bomb, long_record, long_block)}


def write(kind, n, file):
    if kind in FILES:
        FILES[kind](n, file)
    else:
        make.write(kind, n, file)


def run(tool, command, path, limit, bound=BOUND):
    def confine():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run([tool, *command, "--memory", str(bound), "--threads", "1", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=confine, check=False)


def needs(tool, path):
    """Address space without which nothing runs; None when there is no such bound, as with the address sanitizer."""
    for limit in range(8 * MIB, 512 * MIB, 4 * MIB):
        if run(tool, ("--json",), path, limit).returncode == 0:
            return limit
    return None


def problems(tool, kind, path, start):
    frames, command, fact = KINDS[kind]
    with open(path, "wb") as file:
        write(kind.split()[0], frames, file)
    done = run(tool, command, path, start + BOUND)
    if done.returncode != 0:
        yield f"exit {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}"
    elif fact:
        told = [q["fact"] for q in json.loads(done.stdout)["capture"]["quality"]]
        if fact not in told:
            yield f"the quality tells of {told}, not of {fact}"


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        path = os.path.join(folder, "capture.pcap")
        with open(path, "wb") as file:
            make.write("holes", 10, file)
        start = needs(tool, path)
        for kind in sys.argv[2:] or KINDS:
            sentence = f"{kind}: within {BOUND // MIB} MiB"
            if start:
                tap.check(sentence, list(problems(tool, kind, path, start)))
            else:
                tap.skip(sentence, "this build needs address space without end")


if __name__ == "__main__":
    main()
