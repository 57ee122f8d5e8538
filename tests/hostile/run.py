#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY SANITIZERS [KIND...]: four times as many hostile frames take about four times the time and memory.

Quadratic work would take sixteen times as long. The bounds are generous, and far below that. A program with sanitizers (not "none")
is asked for no time, which it takes ten times of, but to be sound.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import make  # noqa: E402
from tap import Tap  # noqa: E402

FRAMES = 12000
GROWTH = 4
# Enough for each table to grow, and each limit of a stage to be met once.
FRAMES_SOUND = 2000

# Between linear (4) and quadratic (16): tables that outgrow the caches take six times. Of a run this short the start of a process is most.
MOST_GROWTH = 10
START_S = 0.25
MOST_KIB_PER_FRAME = 6
START_KIB = 200 * 1024

# Each goes through other code behind the tracker.
EACH_FRAME = ("flow", "-s", "0", "--whole", "--unfold", "--rows", "1000000")
COMMANDS = (("--json",), ("segments", "--csv"), ("follow", "-s", "0", "--raw"), ("flow", "-s", "0"), EACH_FRAME, ("report",))


def run(tool, command, path):
    """User and system seconds, peak KiB, exit code, the end of what it complained of."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([tool, *command, path], stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, process.returncode, said


def complaint(command, code, said):
    if code != 0 and "no stream" not in said and "-s 0 selects" not in said:
        yield f"{' '.join(command)}: exit {code}: {said[-2000:]}"


def unsound(tool, command, path):
    _, _, code, said = run(tool, command, path)
    yield from complaint(command, code, said)


def out_of_proportion(tool, command, small, large, frames):
    before, _, _, _ = run(tool, command, small)
    after, peak_kib, code, said = run(tool, command, large)
    yield from complaint(command, code, said)
    if after > MOST_GROWTH * max(before, START_S / GROWTH):
        before = min(before, run(tool, command, small)[0])
        after = min(after, run(tool, command, large)[0])
        if after > MOST_GROWTH * max(before, START_S / GROWTH):
            yield f"{' '.join(command)}: {before:.2f} s for {frames // GROWTH} frames, {after:.2f} s for {frames}"
    if peak_kib > START_KIB + MOST_KIB_PER_FRAME * frames:
        yield f"{' '.join(command)}: {peak_kib} KiB for {frames} frames"


def write(kind, frames, path):
    with open(path, "wb") as file:
        make.write(kind, frames, file)


def main():
    tool, sanitized, kinds = sys.argv[1], sys.argv[2] != "none", sys.argv[3:] or make.KINDS
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        small, large = (os.path.join(folder, name) for name in ("small.pcap", "large.pcap"))
        for kind in kinds:
            if sanitized:
                write(kind, FRAMES_SOUND, small)
                tap.check(f"{kind}: sound", [p for command in COMMANDS for p in unsound(tool, command, small)])
                continue
            write(kind, FRAMES, small)
            write(kind, GROWTH * FRAMES, large)
            found = [p for command in COMMANDS for p in out_of_proportion(tool, command, small, large, GROWTH * FRAMES)]
            tap.check(f"{kind}: time and memory grow as the capture does", found)


if __name__ == "__main__":
    main()
