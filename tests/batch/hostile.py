#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile.py TCPWHY PCAPS: an archive that somebody else made, to hang, to exhaust or to mislead whoever asks it: one clear line, soon."""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

SOON_S = 20
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"


class Archives:
    def __init__(self, tool, folder, capture):
        self.tool, self.folder, self.capture = tool, folder, capture
        done = self.run("batch", capture, "-o", "good.sqlite")
        if "without SQLite" in done.stderr:
            skip_all("built without SQLite")

    def run(self, *arguments):
        return subprocess.run([self.tool, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=SOON_S, check=False)

    def spoiled(self, name, *statements):
        """A copy of the good archive, changed."""
        shutil.copy(self.folder / "good.sqlite", self.folder / name)
        with sqlite3.connect(self.folder / name) as db:
            for statement in statements:
                db.execute(statement)
        db.close()
        return name

    def refused(self, name, says, question=("lost-by-listener",)):
        """Problems, when the question is not refused in one line that says so."""
        try:
            done = self.run("query", name, *question)
        except subprocess.TimeoutExpired:
            return "it hangs"
        if done.returncode != 1 or done.stderr.count("\n") != 1 or name not in done.stderr or says not in done.stderr:
            return f"exit {done.returncode}: {done.stderr!r} should say {says!r}"
        return None


def check_schema(tap, archives):
    for table in ("ledger_rows", "captures", "copies"):
        columns = [row[1] for row in sqlite3.connect(archives.folder / "good.sqlite").execute(f"PRAGMA table_info({table})")]
        view = f"CREATE VIEW {table} AS {ENDLESS} {', '.join(f'i AS {c}' for c in columns)} FROM n"
        name = archives.spoiled(f"view-{table}.sqlite", f"DROP TABLE {table}", view)
        tap.check(f"a view without end in place of {table} is refused", archives.refused(name, "view", ("verdicts",)))
        tap.check(f"and on the page: {table}", archives.refused(name, "view", ("--html",)))
    name = archives.spoiled("view-ledger.sqlite", "DROP VIEW ledger", f"CREATE VIEW ledger AS {ENDLESS} i FROM n")
    tap.check("what an archive calls its ledger is not asked", archives.run("query", name, "verdicts").stdout != archives.run("query", "good.sqlite", "verdicts").stdout)
    large = "CREATE TABLE ledger_rows (capture_id, stream, kind, cost_ms AS (length(hex(zeroblob(50000000)))), intervals, first_utc_ns)"
    rows = "INSERT INTO ledger_rows SELECT capture_id, stream, (SELECT kind FROM ledger_kinds WHERE cause = 'nagle_delayed_ack'), 1, 1 FROM connections LIMIT 1"
    name = archives.spoiled("large.sqlite", "DROP TABLE ledger_rows", large, rows)
    tap.check("a column that becomes 100 MB when it is read is refused", archives.refused(name, "too big"))
    name = archives.spoiled("wide.sqlite", "DROP TABLE ledger_rows", f"CREATE TABLE ledger_rows ({', '.join(f'c{i}' for i in range(1900))})")
    tap.check("a table of 1,900 columns is refused", archives.refused(name, "too many columns"))
    name = archives.spoiled("lacks.sqlite", "DROP TABLE ledger_rows")
    tap.check("a table that is missing is told", archives.refused(name, "no such table: ledger_rows"))


def check_trigger(tap, archives):
    name = archives.spoiled("trigger.sqlite",
                            "CREATE TRIGGER t AFTER INSERT ON captures BEGIN DELETE FROM connections; UPDATE captures SET path = 'elsewhere'; END")
    shutil.copy(archives.capture, archives.folder / "another.pcap")
    done = archives.run("batch", "--resume", "another.pcap", "-o", name)
    with sqlite3.connect(archives.folder / name) as db:
        connections, = db.execute("SELECT COUNT(*) FROM connections").fetchone()
        paths = sorted(pathlib.Path(path).name for path, in db.execute("SELECT path FROM captures"))
    db.close()
    tap.check("a trigger does not run when batch goes on",
              (done.returncode or connections != 42 or paths != ["another.pcap", "client.pcap"]) and f"{done} {connections} {paths}")


def check_damage(tap, archives):
    content = (archives.folder / "good.sqlite").read_bytes()
    page = int.from_bytes(content[16:18], "big")
    with sqlite3.connect(archives.folder / "good.sqlite") as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'").fetchall())
    db.close()
    for table, question in (("ledger_rows", "lost-by-listener"), ("exchanges", "exchange-percentiles"), ("copies", "verdicts")):
        at = (roots[table] - 1) * page
        (archives.folder / f"{table}.sqlite").write_bytes(content[:at] + b"\xa5" * 200 + content[at + 200:])
        tap.check(f"a damaged page of {table} is found before {question} is answered", archives.refused(f"{table}.sqlite", "damaged", (question,)))
    tap.check("and on the page", archives.refused("exchanges.sqlite", "damaged", ("--html",)))
    tap.check("a question that does not read the damaged table is answered", archives.run("query", "exchanges.sqlite", "verdicts").returncode)
    (archives.folder / "half.sqlite").write_bytes((archives.folder / "good.sqlite").read_bytes()[:5 * page])
    tap.check("half an archive is told", archives.refused("half.sqlite", "malformed") and archives.refused("half.sqlite", "damaged"))
    (archives.folder / "text.sqlite").write_text("this is no database, and nobody wants it to be one\n" * 100)
    tap.check("a text is no archive", archives.refused("text.sqlite", "not a database"))
    os.mkfifo(archives.folder / "pipe.sqlite")
    tap.check("a pipe is not waited for", archives.refused("pipe.sqlite", "a pipe"))


def check_time(tap, archives):
    name = archives.spoiled("much.sqlite", "INSERT INTO ledger_rows SELECT i + capture_id, stream, kind, cost_ms, intervals, first_utc_ns FROM ledger_rows, "
                            f"({ENDLESS} i FROM n LIMIT 6000)")
    done = archives.run("query", "--timeout", "0.02", name, "lost-by-listener")
    tap.check("an answer that takes too long ends, and says so", (done.returncode != 1 or "--timeout" not in done.stderr or done.stdout) and f"{done}")
    done = archives.run("query", name, "lost-by-listener")
    tap.check("and without that bound there is one", (done.returncode or "nagle_delayed_ack" not in done.stdout) and f"{done}")


def check_logs(tap, archives):
    """What a run that was killed leaves, with and without what SQLite shares between processes."""
    good = archives.run("query", "good.sqlite", "lost-by-listener").stdout
    shutil.copy(archives.folder / "good.sqlite", archives.folder / "log.sqlite")
    db = sqlite3.connect(archives.folder / "log.sqlite")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE more (x)")
    db.commit()
    for part in ("log.sqlite", "log.sqlite-wal"):
        shutil.copy(archives.folder / part, archives.folder / part.replace("log", "copy"))
    tap.check("an archive is asked while it is written", archives.run("query", "log.sqlite", "lost-by-listener").stdout != good and "it differs")
    db.close()
    tap.check("an archive with a log that nobody writes is asked", archives.run("query", "copy.sqlite", "lost-by-listener").stdout != good and "it differs")
    (archives.folder / "alone%23.sqlite").write_bytes((archives.folder / "log.sqlite").read_bytes())
    done = archives.run("query", "alone%23.sqlite", "lost-by-listener")
    tap.check("one whose log is gone is asked, whatever its name", (done.stdout != good or (archives.folder / "alone%23.sqlite-wal").exists()) and f"{done}")


def main():
    tool, pcaps = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        archives = Archives(tool, pathlib.Path(folder), pcaps / "nginx_nagle_delack/client.pcap")
        with Tap() as tap:
            check_schema(tap, archives)
            check_trigger(tap, archives)
            check_damage(tap, archives)
            check_time(tap, archives)
            check_logs(tap, archives)


if __name__ == "__main__":
    main()
