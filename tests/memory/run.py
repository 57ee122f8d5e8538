#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py EACH TCPWHY REFUSE.so PCAPS: memory runs out, at each allocation in turn: of the library (each.c), and of 'batch', which
writes a row with the reason or says in one line that it cannot go on."""
import contextlib
import csv
import gzip
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

# Allocations of a run of 'batch' that fail: from its beginning, after the dozen of GLib's before main(), to the writing of rows.
REFUSED = range(16, 2600, 47)


def library(tap, each, folder, pcaps):
    """Run each.c, and pass on what it says of each task."""
    rotated = folder / "rotated"
    rotated.mkdir()
    for name in ("http_404", "random_loss_1pct"):
        shutil.copy(pcaps / name / "client.pcap", rotated / f"{name}.pcap")
    packed = folder / "long.pcap.gz"
    packed.write_bytes(gzip.compress((pcaps / "bufferbloat_30mbit/client.pcap").read_bytes(), 1))
    captures = [pcaps / "http_404/client.pcap", packed, pcaps / "ab_short_connections/client.pcap", pcaps / "tls13_http2/client.pcapng",
                pcaps / "name_lookup_400ms/client.pcap"]
    done = subprocess.run([each, rotated, *captures], capture_output=True, text=True, timeout=280, check=False)
    remarks = []
    for line in done.stdout.splitlines():
        if line.startswith("#"):
            remarks.append(line)
        elif line.startswith(("ok - ", "not ok - ")):
            tap.check(line.partition(" - ")[2], [] if line.startswith("ok") else remarks or [line])
            remarks = []
    tap.check("the process goes on, and nothing leaks", [] if done.returncode == 0 else [f"exit {done.returncode}: {done.stderr[-2000:]}"])


def batch(tool, preload, archive, capture, at):
    """Refuse one allocation of a run; what is left of earlier runs is gone. The process."""
    if archive.is_dir():
        shutil.rmtree(archive)
    for path in archive.parent.glob(archive.name + "*"):
        path.unlink()
    environment = dict(os.environ, LD_PRELOAD=preload, REFUSE_AT=str(at), REFUSE_ONE="1",
                       ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1")
    form = ["--csv"] if not archive.suffix else []
    return subprocess.run([tool, "batch", "--threads=1", *form, "-o", archive, capture],
                          capture_output=True, text=True, timeout=60, env=environment, check=False)


def reasons(archive):
    """What the archive says of captures that could not be read."""
    try:
        if archive.is_dir():
            with (archive / "captures.csv").open(newline="") as lines:
                return " ".join(row["error"] or "" for row in csv.DictReader(lines))
        with contextlib.closing(sqlite3.connect(f"file:{archive}?mode=ro", uri=True)) as database:
            return " ".join(row[0] or "" for row in database.execute("SELECT error FROM captures"))
    except (OSError, sqlite3.Error):
        return ""


def fault(done, reason):
    """A signal, or an end without a reason. GLib ends the process itself where a lock finds no memory."""
    if "gthread-posix.c" in done.stderr:
        return None
    if done.returncode == 0 or (done.returncode == 1 and ("memory" in done.stderr + reason or "cannot" in done.stderr)):
        return None
    return f"exit {done.returncode}: {done.stderr[-200:]}"


def command(tap, tool, preload, folder, pcaps):
    capture = pcaps / "http_404/client.pcap"
    for archive in (folder / "archive.sqlite", folder / "archive"):
        faults, rows = [], 0
        for at in REFUSED:
            done = batch(tool, preload, archive, capture, at)
            reason = reasons(archive)
            why = fault(done, reason)
            faults += [f"allocation {at}: {why}"] if why else []
            rows += "out of memory" in reason
        # SQLite's own allocations are most of those of the other.
        if rows == 0 and not archive.suffix:
            faults.append("no row says that memory ran out: the test tests nothing")
        tap.check(f"batch to {archive.name} without memory has a row with the reason, or says it", faults)


def main():
    each, tool, preload, pcaps = sys.argv[1:5]
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        library(tap, each, pathlib.Path(folder), pathlib.Path(pcaps))
        command(tap, tool, preload, pathlib.Path(folder), pathlib.Path(pcaps))


if __name__ == "__main__":
    main()
