#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench.py BUILD: packets a second and peak memory of tcpwhy beside other readers, on a capture multiplied from ours.

BENCH_MB    size of the capture (default 200; 1000 for a figure to publish)
BENCH_RUNS  runs of each (default 3); they are interleaved, so that a slow minute of the machine hits all alike
BENCH_ONLY  "tcpwhy,libpcap": leave the others out
The capture is kept in BUILD/bench/ and used again.
"""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
LAB = TOP / "../shared/captures/lab"


def capture_of(build, megabytes):
    """The multiplied capture; made when it is not there."""
    path = build / "bench" / f"{megabytes}.pcap"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        parts = sorted((LAB if LAB.is_dir() else TOP / "pcaps").glob("*/client.pcap"))
        subprocess.run([build / "tools/bench/multiply", f"{path}.part", str(megabytes), *parts], check=True)
        os.rename(f"{path}.part", path)
    return path


def contenders(build, path):
    """Name to command, of those that are here."""
    all_of_them = {
        "tcpwhy": [str(build / "tools/tcpwhy/tcpwhy"), str(path)],
        "libpcap": [str(build / "tools/bench/read_loop"), str(path)],
        "tcptrace": ["tcptrace", "-ln", str(path)],
        "tshark": ["tshark", "-n", "-q", "-z", "conv,tcp", "-r", str(path)],
    }
    only = os.environ.get("BENCH_ONLY")
    return {name: command for name, command in all_of_them.items()
            if shutil.which(command[0]) and (not only or name in only.split(","))}


def measure(command):
    """(seconds, peak bytes) of one run."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit {child.returncode}")
    return time.monotonic() - start, usage.ru_maxrss * 1024


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    megabytes, runs = int(os.environ.get("BENCH_MB", "200")), int(os.environ.get("BENCH_RUNS", "3"))
    path = capture_of(build, megabytes)
    said = subprocess.run([build / "tools/bench/read_loop", path], text=True, capture_output=True, check=True).stdout
    packets = int(re.match(r"(\d+) packets", said).group(1))
    options = (build / "meson-info/intro-buildoptions.json").read_text()
    if re.search(r'"name": "buildtype"[^}]*"value": "debug"', options):
        print("NOTE: a debug build; for figures use a build with --buildtype=release")
    commands = contenders(build, path)
    results = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            results[name].append(measure(command))
    print(f"{path.stat().st_size / 1e6:.0f} MB, {packets} packets, {runs} runs each, medians")
    print(f"{'':10} {'seconds':>8} {'packets/s':>12} {'MB/s':>8} {'peak MB':>8} {'tcpwhy is':>12}")
    ours = statistics.median(s for s, _ in results["tcpwhy"]) if "tcpwhy" in results else None
    for name, measured in results.items():
        seconds = statistics.median(s for s, _ in measured)
        peak = statistics.median(p for _, p in measured)
        ratio = f"{seconds / ours:.2f} x" if ours else ""
        print(f"{name:10} {seconds:8.2f} {packets / seconds:12,.0f} {path.stat().st_size / 1e6 / seconds:8.0f} {peak / 1e6:8.1f} {ratio:>12}")


if __name__ == "__main__":
    main()
