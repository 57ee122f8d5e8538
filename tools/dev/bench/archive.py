#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""archive.py TCPWHY MULTIPLY CAPTURES FOLDER: measure `tcpwhy batch` on an archive of 2,000 captures.

CAPTURES is searched for *.pcap, which are copied repeatedly, some truncated or corrupted, some compressed; MULTIPLY
(tools/dev/bench/multiply) generates the large ones. Measured: one process per capture, on one thread, sequentially; the
batch; its peak memory; and a batch that is killed with SIGKILL and resumed, whose tables must equal those of the first.
FOLDER is created, and kept for the next run.
"""
import argparse
import contextlib
import gzip
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import time

TABLES = ("captures", "connections", "exchanges", "findings", "ledger")


def spoiled(data, kind, chance):
    if kind == "cut":
        return data[:chance.randrange(1, len(data))]
    spots = bytearray(data)
    for _ in range(20):
        spots[chance.randrange(len(spots))] = chance.randrange(256)
    return bytes(spots)


def fill(folder, sources, count, huge, huge_mb, multiply):
    """One in 20 is cut short, one in 20 scrambled, one in 10 compressed, one in 100 is no capture at all."""
    chance = random.Random(1)
    for i in range(count - huge):
        name, data = folder / f"{i % 40:02}" / f"capture-{i:05}.pcap", chance.choice(sources).read_bytes()
        name.parent.mkdir(parents=True, exist_ok=True)
        kind = chance.randrange(100)
        if kind < 10:
            data = spoiled(data, "cut" if kind < 5 else "scrambled", chance)
        if 10 <= kind < 20:
            name, data = name.with_suffix(".pcap.gz"), gzip.compress(data, 6)
        name.write_bytes(b"no capture" if kind == 20 else data)
    for i in range(huge):
        subprocess.run([multiply, folder / f"huge-{i}.pcap", str(huge_mb), *chance.sample(sources, 12)], check=True)


def ready(pid):
    """How many threads of a process run, or would if they got a processor."""
    n = 0
    for stat in pathlib.Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            n += stat.read_text().rpartition(")")[2].split()[0] == "R"
        except (OSError, IndexError):
            pass  # it ended
    return n


def measured(command, cores=0):
    """(wall seconds, CPU seconds, peak bytes, share of so many processors that it had work for) of a process."""
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    samples = []
    while cores and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        samples.append(min(ready(process.pid), cores) / cores)
        time.sleep(0.01)
    _, _, usage = os.wait4(process.pid, 0)
    return (time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
            sum(samples) / len(samples) if samples else 0)


def singles(tool, files):
    wall = cpu = 0
    for path in files:
        seconds, busy, _, _ = measured([tool, "--threads", "1", path])
        wall, cpu = wall + seconds, cpu + busy
    return wall, cpu


def tables(path):
    """What is in an archive, in an order of its own: a number for each table, and its rows."""
    with sqlite3.connect(path) as database:
        return {t: (len(rows := sorted(map(repr, database.execute(f"SELECT * FROM {t}")))), hash("".join(rows))) for t in TABLES}


def remove(path):
    for name in path.parent.glob(f"{path.name}*"):
        name.unlink()


def captures_in(out):
    try:
        with contextlib.closing(sqlite3.connect(f"file:{out}?mode=ro", uri=True)) as database:
            return database.execute("SELECT COUNT(*) FROM captures").fetchone()[0]
    except sqlite3.Error:
        return 0  # not there yet


def killed(tool, folder, out, after):
    """Kill a batch with SIGKILL when so many captures are in, resume it. How many were in by then."""
    process = subprocess.Popen([tool, "batch", "--no-chain", folder, "-o", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while captures_in(out) < after and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    n = captures_in(out)
    subprocess.run([tool, "batch", "--resume", "--no-chain", folder, "-o", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return n


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("multiply", type=pathlib.Path)
    parser.add_argument("captures", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--huge", type=int, default=4)
    parser.add_argument("--huge-mb", type=int, default=400)
    options = parser.parse_args()
    tool, folder, cores = options.tool.resolve(), options.folder / "in", len(os.sched_getaffinity(0))
    if not folder.exists():
        fill(folder, sorted(options.captures.rglob("*.pcap")), options.count, options.huge, options.huge_mb, options.multiply)
    files = [p for p in sorted(folder.rglob("*")) if p.is_file()]
    size = sum(p.stat().st_size for p in files)
    out = options.folder / "archive.sqlite"
    remove(out)
    wall, cpu, peak, used = measured([tool, "batch", "--no-chain", folder, "-o", out], cores)
    alone_wall, alone_cpu = singles(tool, files)
    print(f"{len(files)} captures, {size / 1e9:.2f} GB, {cores} processors, load {os.getloadavg()[0]:.1f}")
    print(f"each alone, one after the other: {alone_wall:.1f} s, {alone_cpu:.1f} s of CPU")
    print(f"batch: {wall:.1f} s, {cpu:.1f} s of CPU; {size / wall / 1e6:.0f} MB/s, "
          f"peak memory {peak / 1e6:.0f} MB, archive {out.stat().st_size / 1e6:.0f} MB")
    # On a machine that others use, too: what it had work for, and what that work cost beside the single runs.
    print(f"parallel efficiency: {alone_wall / (cores * wall):.2f} as measured; it had work for {used:.0%} of the processors, "
          f"at {cpu / alone_cpu:.2f} of the CPU time: {used * alone_cpu / cpu:.2f} alone on the machine")
    again = options.folder / "killed.sqlite"
    remove(again)
    n = killed(tool, folder, again, len(files) // 2)
    equal = tables(again) == tables(out)
    print(f"killed with {n} captures in, resumed: {'the same tables' if equal else 'OTHER TABLES'}")
    return 0 if equal else 1


if __name__ == "__main__":
    raise SystemExit(main())
