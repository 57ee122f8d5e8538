#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY PCAPS: tcpwhy batch: its forms agree, failures are rows, an interrupted run goes on without losing or
repeating anything, and rotated files are read as one."""
import contextlib
import gzip
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import archive  # noqa: E402
import pcapfile  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

SMALL = ("ab_short_connections", "cork_200ms", "late_greeting", "mtu_black_hole", "nagle_python_rtt10", "refused_port")

# Of one file: some of the captures' rows.
FULL_BYTES = 200_000


class Batch:
    def __init__(self, tool, folder):
        self.tool, self.folder = pathlib.Path(tool).resolve(), folder

    def run(self, *arguments, stdin=None):
        return subprocess.run([self.tool, "batch", *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False,
                              cwd=self.folder, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None)

    def tables(self, out, *arguments, stdin=None):
        done = self.run(*arguments, "-o", out, stdin=stdin)
        if done.returncode:
            raise SystemExit(f"batch {arguments}: exit {done.returncode}: {done.stderr}")
        return archive.tables(self.folder / out, self.folder / "kind.sqlite")

    def chains(self, *arguments):
        """How captures came to be: for each, the names of its files."""
        with tempfile.NamedTemporaryFile(suffix=".sqlite", dir=self.folder) as file:
            name = pathlib.Path(file.name)
        self.tables(name.name, *arguments)
        rows = archive.of_sqlite(name, "batch_files")
        name.unlink()
        by_capture = {}
        for row in rows:
            by_capture.setdefault(row["capture_id"], []).append(pathlib.Path(row["path"]).name)
        return sorted(by_capture.values())


def fill(folder, pcaps):
    """A small archive: captures of all sorts, one compressed, two that are broken."""
    folder.mkdir()
    for case in SMALL:
        shutil.copy(pcaps / case / "client.pcap", folder / f"{case}.pcap")
    whole = (folder / "cork_200ms.pcap").read_bytes()
    (folder / "deeper").mkdir()
    (folder / "deeper/SHOUTED.CAP").write_bytes(whole)
    (folder / "deeper/packed.pcap.gz").write_bytes(gzip.compress(whole))
    (folder / "deeper/cut.pcap").write_bytes(whole[:len(whole) // 2])
    (folder / "deeper/nonsense.pcap").write_bytes(b"this is no capture at all")
    (folder / "deeper/notes.txt").write_text("not a capture, and not named like one")


NUMBERED = "SELECT capture_id, path FROM captures ORDER BY 1"


def stored(path, sql):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


def indexed(path):
    """The tables of a SQLite archive that have an index beside their rows."""
    return [table for table, in stored(path, "SELECT tbl_name FROM sqlite_master WHERE type = 'index'") if table in archive.TABLES]


def check_forms(tap, batch, pcaps):
    fill(batch.folder / "in", pcaps)
    database = batch.tables("kind.sqlite", "in")
    tap.check("every file named like a capture is a row of captures", len(database["captures"]) != len(SMALL) + 4 and f"{database['captures']}")
    errors = [row["path"] for row in database["captures"] if row["error"]]
    tap.check("a file that is no capture is a row with its error", [pathlib.Path(p).name for p in errors] != ["nonsense.pcap"] and f"{errors}")
    cut = [row["quality"] for row in database["captures"] if row["path"].endswith("cut.pcap")]
    tap.check("a file that was cut short is read so far", "cut_short=1" not in str(cut) and f"{cut}")
    tap.check("SQLite keeps no index beside the rows of a table", indexed(batch.folder / "kind.sqlite"))
    tap.check("CSV holds the same rows as SQLite", list(archive.differences(batch.tables("out.csv", "in"), database)))
    tap.check("NDJSON holds the same rows as SQLite", list(archive.differences(batch.tables("out.ndjson", "in"), database)))
    one = batch.tables("one.sqlite", "--threads", "1", "in")
    tap.check("one thread gives the same rows as several", list(archive.differences(one, database)))
    tap.check("and the same numbers", stored(batch.folder / "one.sqlite", NUMBERED) != stored(batch.folder / "kind.sqlite", NUMBERED) and "others")
    tap.check("a finished archive says which connections several captures hold", not stored(batch.folder / "kind.sqlite", "SELECT * FROM copies WHERE place > 1"))
    again = batch.run("--resume", "in", "-o", "kind.sqlite")
    tap.check("a run that has only failures to try again is none itself", (again.returncode or "1 capture," not in again.stdout) and f"{again}")
    lost = {}
    for row in database["ledger"]:
        lost[row["capture_id"], row["stream"]] = lost.get((row["capture_id"], row["stream"]), 0) + row["cost_ms"]
    tap.check("the ledger of each connection adds up to its length",
              [f"{row}" for row in database["connections"] if abs(lost.get((row["capture_id"], row["stream"]), 0) - row["duration_ms"]) > 1e-6])


def check_search(tap, batch):
    everything = len(batch.chains("in"))
    tap.check("a pattern finds files", len(batch.chains("in/*.pcap")) != len(SMALL) and "others")
    tap.check("--glob chooses in folders", batch.chains("--glob", "*.gz", "in") != [["packed.pcap.gz"]] and "others")
    said = batch.run("in", "-o", "said.sqlite").stdout
    tap.check("files that are left out for their names are told", "1 other file skipped" not in said and said)
    names = "in/cork_200ms.pcap\nin/deeper\n"
    tap.check("a list of names comes from standard input", len(batch.tables("list.sqlite", "-", stdin=names)["captures"]) != 5 and "others")
    gone = batch.tables("gone.sqlite", "-", stdin="in/cork_200ms.pcap\nin/gone.pcap\n")["captures"]
    tap.check("a file that has gone since the list was made is a row with its error",
              [row["error"] for row in gone if row["path"].endswith("/gone.pcap")] != ["no such file: check the path"] and f"{gone}")
    (batch.folder / "list").write_text(names.replace("\n", "\0"))
    tap.check("--files-from reads names parted by NUL", len(batch.chains("--files-from", "list")) != 5 and "others")
    tap.check("a file that is named twice is read once", len(batch.chains("in", "in/cork_200ms.pcap", "./in/../in")) != everything and "others")
    old = batch.folder / "in/refused_port.pcap"
    os.utime(old, (10**9, 10**9))
    tap.check("--newer leaves out files that are older than an age", len(batch.chains("--newer", "1d", "in")) != everything - 1 and "others")
    tap.check("--newer leaves out files that are older than a date", len(batch.chains("--newer", "2001-09-10", "in")) != everything - 1 and "others")
    late = batch.run("--newer", "2100-01-01", "in", "-o", "late.sqlite")
    tap.check("where nothing is newer there is nothing to do, and nothing wrong", (late.returncode or "nothing to do" not in late.stderr) and f"{late}")
    tap.check("--newer takes the time of a file", len(batch.chains("--newer", old, "in")) != everything - 1 and "others")


def usage(batch, code, said, *arguments):
    done = batch.run(*arguments)
    if done.returncode != code or said not in done.stderr or done.stderr.count("\n") != 1:
        return f"exit {done.returncode}, not {code}; {done.stderr!r} should say {said!r}"
    return None


def check_usage(tap, batch):
    tap.check("without OUT it is a matter of usage", usage(batch, 2, "-o", "in"))
    tap.check("without a PATH it is a matter of usage", usage(batch, 2, "no capture", "-o", "x.sqlite"))
    tap.check("an OUT of no known form is a matter of usage", usage(batch, 2, ".sqlite", "in", "-o", "x"))
    tap.check("Parquet is somebody else's", usage(batch, 2, "python3 -m tcpwhy", "in", "-o", "x.parquet"))
    tap.check("a time that is none is refused", usage(batch, 1, "--newer", "--newer", "soon", "in", "-o", "x.sqlite"))
    tap.check("a path that leads nowhere is refused", usage(batch, 1, "nowhere", "nowhere", "-o", "x.sqlite"))
    tap.check("an archive that is there is not touched without --resume", usage(batch, 1, "--resume", "in", "-o", "kind.sqlite"))
    (batch.folder / "text.sqlite").write_text("this is no database, and nobody wants it to be one")
    tap.check("what is no database is not made one", usage(batch, 1, "text.sqlite", "--resume", "in", "-o", "text.sqlite"))
    tap.check("a folder of another form is not mixed", usage(batch, 1, "other tables", "--resume", "--ndjson", "in", "-o", "out.csv"))


def changed_later(batch, pcaps, out):
    """Run, change a capture, mend another, add a third, go on; against a run of the end state from nothing."""
    folder = batch.folder / f"changing.{out}"
    fill(folder, pcaps)
    batch.tables(f"later.{out}", folder)
    shutil.copy(pcaps / "late_greeting/server.pcap", folder / "cork_200ms.pcap")
    shutil.copy(pcaps / "refused_port/client.pcap", folder / "deeper/nonsense.pcap")
    shutil.copy(pcaps / "cork_200ms/client.pcap", folder / "added.pcap")
    later = batch.tables(f"later.{out}", "--resume", folder)
    again = batch.run("--resume", folder, "-o", f"later.{out}")
    yield from archive.differences(later, batch.tables(f"fresh.{out}", folder))
    if "0 captures" not in again.stdout:
        yield f"not all was known: {again.stdout}"


def kill_in_the_middle(batch, out, want, many):
    """Start, kill -9 once some captures are in, go on; several times over."""
    path, killed = batch.folder / out, 0
    for wait in (0.05, 0.1, 0.2, 0.3):
        process = subprocess.Popen([batch.tool, "batch", "--resume", many, "-o", out], cwd=batch.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(wait)
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    if not killed:
        yield "every run was over before it could be killed"
    yield from archive.differences(batch.tables(out, "--resume", many), want)
    if path.is_dir() and {p.name for p in path.iterdir()} - {f"{t}{path.suffix}" for t in archive.TABLES} != {"batch.journal"}:
        yield f"left behind: {sorted(p.name for p in path.iterdir())}"


def no_more_room():
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_BYTES, FULL_BYTES))


def full_disk(batch, out, want, many):
    """Begin where there is no more room for all of it, go on where there is."""
    done = subprocess.run([batch.tool, "batch", many, "-o", out], cwd=batch.folder, capture_output=True, text=True, check=False, timeout=300,
                          preexec_fn=no_more_room)
    if done.returncode != 1 or out not in done.stderr:
        yield f"exit {done.returncode}: {done.stderr}"
    begun = archive.tables(batch.folder / out, batch.folder / "kind.sqlite")
    whole = {row["capture_id"] for row in begun["captures"]}
    yield from archive.differences(begun, {t: [row for row in rows if row["capture_id"] in whole] for t, rows in want.items()})
    yield from archive.differences(batch.tables(out, "--resume", many), want)


def full_from_the_start(batch, out, capture):
    """Not even a header fits; with room, the same command makes the archive."""
    done = subprocess.run([batch.tool, "batch", capture, "-o", out], cwd=batch.folder, capture_output=True, text=True, check=False, timeout=60,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    left = batch.folder / out
    if done.returncode != 1 or out not in done.stderr or (left.exists() and (not left.is_dir() or list(left.iterdir()))):
        yield f"exit {done.returncode}: {done.stderr!r}, left: {left.exists()}"
    again = batch.run(capture, "-o", out)
    if again.returncode:
        yield f"then: {again.stderr!r}"


def started(batch, out, many):
    """A run that has begun to write."""
    process = subprocess.Popen([batch.tool, "batch", "--threads", "1", many, "-o", out], cwd=batch.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    begun = batch.folder / (f"{out}-wal" if out.endswith(".sqlite") else f"{out}/batch.journal")
    while not begun.exists() and process.poll() is None:
        time.sleep(0.001)
    return process


def refused_beside(batch, out, many):
    """A run that begins while another writes to the same archive."""
    process = started(batch, out, many)
    os.kill(process.pid, signal.SIGSTOP)
    done = batch.run("--resume", many, "-o", out)
    os.kill(process.pid, signal.SIGCONT)
    process.wait()
    return None if "another run" in done.stderr and not process.returncode else f"{done.stderr!r}, {process.returncode}"


def read_beside(batch, many):
    process = started(batch, "read.sqlite", many)
    with contextlib.closing(sqlite3.connect(batch.folder / "read.sqlite", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        error = process.communicate()[1]
    return process.returncode and f"exit {process.returncode}: {error}"


def check_resume(tap, batch, pcaps):
    for out in ("sqlite", "csv", "ndjson"):
        tap.check(f"what was changed is replaced, what is new is added, what failed is tried again: {out}", list(changed_later(batch, pcaps, out)))
    many = batch.folder / "many"
    many.mkdir()
    for i in range(12):
        for case in ("ab_short_connections", "healthy_lan", "random_loss_1pct"):
            os.link(pcaps / case / "client.pcap", many / f"{case}-{'abcdefghijkl'[i]}.pcap") if same_disk(pcaps, many) \
                else shutil.copy(pcaps / case / "client.pcap", many / f"{case}-{'abcdefghijkl'[i]}.pcap")
    want = batch.tables("want.sqlite", many)
    tap.check("workers that must wait until there is room for their rows lose none",
              list(archive.differences(batch.tables("narrow.sqlite", "--threads", "12", "--memory", "16M", many), want)))
    for out in ("killed.sqlite", "killed.csv", "killed.ndjson"):
        tap.check(f"killed and started again, nothing is lost and nothing is there twice: {out}", list(kill_in_the_middle(batch, out, want, many)))
    for out in ("full.sqlite", "full.csv", "full.ndjson"):
        tap.check(f"a full disk ends the run, and what is in the archive is whole: {out}", list(full_disk(batch, out, want, many)))
    for out in ("none.sqlite", "none.csv"):
        tap.check(f"a disk that was full from the start leaves nothing in the way: {out}", list(full_from_the_start(batch, out, many / "healthy_lan-a.pcap")))
    tap.check("somebody who reads the database while it is written does not disturb", read_beside(batch, many))
    for out in ("beside.sqlite", "beside.csv"):
        tap.check(f"a second run beside the first is refused: {out}", refused_beside(batch, out, many))
    folder = batch.folder / "killed.csv"
    journal = (folder / "batch.journal").read_bytes()
    (folder / "batch.journal").write_bytes(journal[:-10])
    with open(folder / "ledger.csv", "ab") as file:
        file.write(b"half a row of")
    tap.check("a journal's last line that is not whole counts for nothing", list(archive.differences(batch.tables("killed.csv", "--resume", many), want)))


def same_disk(a, b):
    return a.stat().st_dev == b.stat().st_dev


def rotate(folder, source, names):
    """A capture in as many files as there are names, equally many records each."""
    header, records = pcapfile.read(source)
    folder.mkdir(parents=True)
    step = -(-len(records) // len(names))
    for i, name in enumerate(names):
        data = pcapfile.write(header, records[i * step:(i + 1) * step])
        (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)


ROTATED = {
    "tcpdump -C": ["x.pcap", "x.pcap1", "x.pcap2", "x.pcap3"],
    "tcpdump -W, a ring": ["x.pcap2", "x.pcap3", "x.pcap0", "x.pcap1"],
    "tcpdump -C beyond nine": [f"x.pcap{i or ''}" for i in range(12)],
    "tcpdump -G": [f"web-2026-11-20_10:{i}0:00.pcap" for i in range(4)],
    "tcpdump -G with seconds since 1970": [f"web-17951507{i}0.pcap" for i in range(4)],
    "dumpcap -b": [f"x_0000{i}_2026112010101{i}.pcap" for i in range(1, 5)],
    "dumpcap with the time first": [f"x_2026112010101{i}_0000{i}.pcap" for i in range(1, 5)],
    "logrotate": ["x.pcap.3.gz", "x.pcap.2.gz", "x.pcap.1", "x.pcap"],
}

# The report of a chain is that of the whole file, but for the file itself and how it is known.
FILE_COLUMNS = {"capture_id", "path", "files", "size_bytes", "modified_utc_ns", "parts"}


def without_file(tables):
    return {t: archive.ordered([{k: v for k, v in row.items() if k not in FILE_COLUMNS} for row in rows]) for t, rows in tables.items()}


def check_chains(tap, batch, pcaps):
    source = pcaps / "ab_short_connections/client.pcap"
    rotate(batch.folder / "whole", source, ["only.pcap"])
    whole = without_file(batch.tables("whole.sqlite", "whole"))
    for i, (what, names) in enumerate(ROTATED.items()):
        rotate(batch.folder / f"rotated{i}", source, names)
        have = batch.tables(f"rotated{i}.sqlite", f"rotated{i}")
        wrong = list(archive.differences(without_file(have), whole))
        if [row["files"] for row in have["captures"]] != [len(names)]:
            wrong = [f"{batch.chains(f'rotated{i}')}"]
        tap.check(f"files as {what} names them are one capture, the same as in one file", wrong)
    tap.check("--no-chain reads each alone", len(batch.chains("--no-chain", "rotated0")) != 4 and "chained")
    (batch.folder / "rotated0/x.pcap2").unlink()
    tap.check("a file that is missing parts the chain", batch.chains("rotated0") != [["x.pcap", "x.pcap1"], ["x.pcap3"]] and f"{batch.chains('rotated0')}")
    (batch.folder / "rotated2/x.pcap2").write_bytes(b"broken")
    have = [row["error"] is not None for row in archive.tables(batch.folder / "rotated2.sqlite")["captures"]]
    later = batch.tables("rotated2.sqlite", "--resume", "rotated2")["captures"]
    tap.check("a file that breaks becomes a row, and its chain two", (have != [False] or sorted(row["files"] for row in later) != [1, 2, 9]) and f"{later}")
    rotate(batch.folder / "packed", source, ["x.pcap"])
    rotate(batch.folder / "packed/deeper", source, ["x.pcap.gz"])
    (batch.folder / "packed/deeper/x.pcap.gz").rename(batch.folder / "packed/x.pcap.gz")
    tap.check("a file and its compressed copy are two captures", len(batch.chains("packed")) != 2 and f"{batch.chains('packed')}")
    rotate(batch.folder / "named", source, ["morning.pcap", "noon.pcap", "evening.pcap"])
    tap.check("files that are not named as rotated are captures of their own", len(batch.chains("named")) != 3 and "chained")
    tap.check("--chain takes a folder's files as one", batch.chains("--chain", "named") != [["morning.pcap", "noon.pcap", "evening.pcap"]] and f"{batch.chains('--chain', 'named')}")


def main():
    tool, pcaps = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(tool, pathlib.Path(folder))
        (batch.folder / "probe").mkdir()
        if "without SQLite" in batch.run(pcaps / "cork_200ms/client.pcap", "-o", "probe.sqlite").stderr:
            skip_all("built without SQLite")
        with Tap() as tap:
            check_forms(tap, batch, pcaps)
            check_search(tap, batch)
            check_usage(tap, batch)
            check_resume(tap, batch, pcaps)
            check_chains(tap, batch, pcaps)


if __name__ == "__main__":
    main()
