#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""parquet.py TCPWHY LIBTCPWHY_SO TOP: `python3 -m tcpwhy batch` writes the same tables to Parquet as `tcpwhy batch` to
other formats, groups rotated files alike, and resumes after SIGKILL and after changes. Skipped without cffi or pyarrow."""
import gzip
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import archive  # noqa: E402
import run as by_command  # noqa: E402
import sanitizer  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

try:
    import cffi  # noqa: F401
    import pyarrow.parquet
except ImportError as missing:
    skip_all(f"{missing} here")


class Python:
    """`python3 -m tcpwhy` in a folder."""

    def __init__(self, top, library, folder):
        self.folder = folder
        places = os.pathsep.join([str(top / "python"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
        self.environment = {**os.environ, "PYTHONPATH": places, "TCPWHY_LIBRARY": str(library), "PYTHONDONTWRITEBYTECODE": "1"}

    def start(self, *arguments):
        return subprocess.Popen([sys.executable, "-m", "tcpwhy", "batch", *map(str, arguments)], cwd=self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments):
        process = self.start(*arguments)
        out, error = process.communicate(timeout=300)
        return subprocess.CompletedProcess(arguments, process.returncode, out, error)

    def tables(self, out, *arguments):
        done = self.run(*arguments, "-o", out)
        if done.returncode:
            raise SystemExit(f"{arguments}: exit {done.returncode}: {done.stderr}")
        return read(self.folder / out)


def read(path):
    """All tables of an archive, as archive.tables() gives them."""
    found = {}
    for table in archive.TABLES:
        rows = [row for part in sorted((path / table).rglob("[!_]*.parquet")) for row in pyarrow.parquet.ParquetFile(part).read().to_pylist()]
        found[table] = archive.ordered([{name: int(value) if isinstance(value, bool) else value for name, value in row.items()} for row in rows])
    return found


def killed(python, many, want):
    """Kill runs while they work, then go on."""
    n = 0
    for seconds in (0.6, 0.9, 1.2):
        process = python.start("--resume", many, "-o", "killed.parquet")
        time.sleep(seconds)
        n += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    (python.folder / "killed.parquet/ledger").mkdir(parents=True, exist_ok=True)
    (python.folder / "killed.parquet/ledger/part-000999.parquet").write_bytes(b"a part that no line of the journal tells of")
    yield from archive.differences(python.tables("killed.parquet", "--resume", many), want)


def changed(python, batch, pcaps):
    folder = python.folder / "changing"
    by_command.fill(folder, pcaps)
    python.tables("later.parquet", folder)
    shutil.copy(pcaps / "late_greeting/server.pcap", folder / "cork_200ms.pcap")
    shutil.copy(pcaps / "refused_port/client.pcap", folder / "deeper/nonsense.pcap")
    later = python.tables("later.parquet", "--resume", folder)
    yield from archive.differences(later, batch.tables("fresh.ndjson", folder))


def main():
    tool, library, top = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    sanitizer.come_first(library)
    pcaps = top / "pcaps"
    with tempfile.TemporaryDirectory() as name, Tap() as tap:
        folder = pathlib.Path(name)
        batch, python = by_command.Batch(tool, folder), Python(top, library, folder)
        by_command.fill(folder / "in", pcaps)
        want = batch.tables("want.ndjson", "in")
        tap.check("Parquet holds the rows that the command writes", list(archive.differences(python.tables("in.parquet", "in"), want)))
        by_day = python.tables("day.parquet", "--partition-by-day", "in")
        tap.check("partitioned by day, too", list(archive.differences(by_day, want)))
        days = sorted(p.name for p in (folder / "day.parquet/captures").iterdir())
        tap.check("a day is a folder", days != ["day=2026-11-20", "day=unknown"] and f"{days}")
        for i, (what, names) in enumerate(by_command.ROTATED.items()):
            by_command.rotate(folder / f"rotated{i}", pcaps / "ab_short_connections/client.pcap", names)
            have = python.tables(f"rotated{i}.parquet", f"rotated{i}")
            tap.check(f"files as {what} names them are one capture, as to the command",
                      list(archive.differences(have, batch.tables(f"rotated{i}.ndjson", f"rotated{i}"))))
        (folder / "rotated0/x.pcap2").unlink()
        tap.check("a file that is missing parts the chain", list(archive.differences(
            python.tables("parted.parquet", "rotated0"), batch.tables("parted.ndjson", "rotated0"))))
        (folder / "rotated0/x.pcap.gz").write_bytes(gzip.compress((folder / "rotated0/x.pcap").read_bytes()))
        tap.check("a file and its compressed copy are two captures", list(archive.differences(
            python.tables("packed.parquet", "rotated0"), batch.tables("packed.ndjson", "rotated0"))))
        tap.check("what was changed is replaced, what failed is tried again", list(changed(python, batch, pcaps)))
        many = folder / "many"
        many.mkdir()
        for i in range(12):
            shutil.copy(pcaps / "healthy_lan/client.pcap", many / f"capture-{'abcdefghijkl'[i]}.pcap")
        tap.check("killed and started again, nothing is lost and nothing is there twice", list(killed(python, many, batch.tables("many.ndjson", many))))
        done = python.run("in", "-o", "in.parquet")
        tap.check("an archive that is there is not touched without --resume", (done.returncode != 1 or "--resume" not in done.stderr) and f"{done}")
        done = python.run("in", "-o", "in.sqlite")
        tap.check("another form is the command's", (done.returncode != 2 or "tcpwhy command" not in done.stderr) and f"{done}")


if __name__ == "__main__":
    main()
