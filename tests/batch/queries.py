#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""queries.py TCPWHY TOP: each `tcpwhy query` returns the same rows through the command, SQLite and DuckDB (if
installed, from the archive's NDJSON), and they match the known captures."""
import json
import math
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import archive  # noqa: E402
import pcapfile  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

try:
    import duckdb
except ImportError:
    duckdb = None

CASES = ("client_idle_500ms", "nginx_nagle_delack", "nginx_nodelay", "mtu_black_hole", "syn_drop_backlog", "http_404", "refused_port", "name_refused")
DATE, DATE_NS = "2026-11-20T05:00:00", 1795150800000000000
LIMIT = 1000


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)


def used(sql):
    values = {"limit": LIMIT, "cause": "", "date_utc_ns": DATE_NS}
    return {name: value for name, value in values.items() if f"${name}" in sql}


def same(a, b):
    return a == b or (isinstance(a, float) or isinstance(b, float)) and None not in (a, b) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)


def differences(have, want):
    if len(have) != len(want):
        yield f"{len(have)} rows, not {len(want)}"
    for a, b in zip(have, want):
        if len(a) != len(b) or not all(same(x, y) for x, y in zip(a, b)):
            yield f"{a}, not {b}"


def asked(tool, database, name, *more):
    """The command's answer as rows, and its complaint."""
    date = ["--date", DATE] if name == "before-after" else []
    done = run(tool, "query", database, name, "--ndjson", "--limit", LIMIT, *date, *more)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def check_same(tap, tool, folder, queries, views):
    database = sqlite3.connect(folder / "a.sqlite")
    database.executescript(views)
    duck = duckdb and duckdb.connect()
    for table in archive.TABLES if duck else ():
        duck.execute(f"CREATE TABLE {table} AS SELECT * FROM read_ndjson('{folder}/a.ndjson/{table}.ndjson')")
    if duck:
        duck.execute(views)
    for path in queries:
        sql = path.read_text(encoding="utf-8")
        want = database.execute(sql, used(sql)).fetchall()
        rows, error = asked(tool, folder / "a.sqlite", path.stem)
        tap.check(f"{path.stem}: the command answers as SQLite does", list(differences([tuple(r.values()) for r in rows], want)) or error)
        tap.check(f"{path.stem}: there is an answer", not want and "none")
        if duck:
            tap.check(f"{path.stem}: DuckDB answers the same", list(differences(duck.execute(sql, used(sql)).fetchall(), want)))
        else:
            tap.skip(f"{path.stem}: DuckDB answers the same", "no duckdb here")
    database.close()


def check_known(tap, tool, folder):
    database = folder / "a.sqlite"
    lost = {(r["server"], r["cause"]): r for r in asked(tool, database, "lost-by-listener")[0]}
    row = lost.get(("10.9.0.2:8080", "nagle_delayed_ack"), {})
    tap.check("nginx with Nagle loses its time to delayed ACKs, over 20 connections", row.get("connections") != 20 and f"{lost}")
    holes = asked(tool, database, "black-hole-clients")[0]
    tap.check("one client is behind a black hole", [r["client_address"] for r in holes] != ["10.9.0.1"] and f"{holes}")
    changed = [r for r in asked(tool, database, "before-after")[0] if r["cause"] == "nagle_delayed_ack"]
    tap.check("TCP_NODELAY took Nagle's share away: before and after say so", not (changed and changed[0]["change_ms_each"] < -1000) and f"{changed}")
    began = [r for r in asked(tool, database, "cause-began")[0] if r["cause"] == "connect_retry"]
    tap.check("the full backlog began in its capture", not (began and "syn_drop_backlog" in began[0]["first_path"]) and f"{began}")
    times = {r["server"]: r for r in asked(tool, database, "exchange-percentiles")[0]}
    tap.check("every answer of http_404 is an error", times["10.9.0.2:8080"]["errors"] < 400 and f"{times}")
    idle = {c: asked(tool, database, "worst-connections", "--cause", c)[0] for c in ("client_idle", "nagle_delayed_ack")}
    worst, verdicts = (asked(tool, database, name)[0] for name in ("worst-connections", "verdicts"))
    tap.check("a connection whose client had nothing to ask lost nothing, and is found when asked for",
              ("client_idle" in {r["cause"] for r in worst} or not all(idle.values())) and f"{worst[:3]} {idle}")
    tap.check("nor do such captures come before those that lost", verdicts[0]["cause"] == "client_idle" and f"{verdicts}")
    tap.check("and they lost nothing", [r for r in verdicts if r["cause"] == "client_idle" and r["lost_ms"] != 0])
    broken = {r["kind"]: r["failures"] for r in asked(tool, database, "failures")[0]}
    tap.check("failures without a connection are counted, too", broken.get("name_refused", 0) < 1 and f"{broken}")
    bad = asked(tool, database, "bad-captures")[0]
    tap.check("the capture that is none comes first of the bad ones", not (bad and bad[0]["how"] == "unreadable") and f"{bad[:1]}")


def listed_names(text):
    return [line.split()[0] for line in text.splitlines()]


def check_shown(tap, tool, folder):
    listed = run(tool, "query").stdout
    text = run(tool, "query", folder / "a.sqlite", "lost-by-listener").stdout
    tap.check("a table has titles, separators and shares", [part for part in ("lost ms", ",", "%") if part not in text])
    wide, narrow = (run(tool, "query", folder / "a.sqlite", "worst-connections", *width).stdout for width in ((), ("--width", "60")))
    tap.check("rows of a narrow table go on below, and lack nothing",
              [line for line in narrow.splitlines() if len(line) > 60 and "/" not in line.split()[0]]
              or (wide.split() != narrow.split() or len(narrow.splitlines()) <= len(wide.splitlines())) and narrow)
    csv = run(tool, "query", folder / "a.sqlite", "verdicts", "--csv").stdout
    tap.check("CSV has the columns' names", not csv.startswith("cause,party,captures") and csv[:80])
    tap.check("without a question they are listed", "worst-connections" not in listed and listed)
    for arguments, code, said in ((("query", folder / "a.sqlite", "why"), 2, "no such question"),
                                  (("query", folder / "a.sqlite", "before-after"), 2, "--date"),
                                  (("query", folder / "a.sqlite", "verdicts", "--cause", "wire"), 2, "not for the question 'verdicts'"),
                                  (("query", folder / "a.sqlite", "verdicts", "--date", "7d"), 2, "not for the question 'verdicts'"),
                                  (("query", folder / "none.sqlite", "verdicts"), 1, "none.sqlite"),
                                  (("query", folder / "a.sqlite", "verdicts", "--cause", "gremlins"), 2, "gremlins"),
                                  (("query", folder / "in" / "none.pcap", "verdicts"), 1, "none.pcap")):
        done = run(tool, *arguments)
        tap.check(f"tcpwhy {' '.join(str(a) if isinstance(a, str) else a.name for a in arguments)}: exit {code}",
                  (done.returncode != code or said not in done.stderr) and f"exit {done.returncode}: {done.stderr}")
    with sqlite3.connect(folder / "a.sqlite") as database:
        met = {cause for cause, in database.execute("SELECT DISTINCT cause FROM ledger")}
    database.close()
    absent = next(c["cause"] for c in json.loads(run(tool, "causes", "--json").stdout)["causes"] if c["cause"] not in met)
    empty = [run(tool, "query", folder / "a.sqlite", "lost-by-listener", "--cause", absent, *more).stdout for more in ((), ("--html",))]
    tap.check("an empty answer says so, and the page heads no empty table",
              (empty[0] != "nothing\n" or "<p>nothing</p>" not in empty[1] or "<thead>" in empty[1]) and f"{empty}")
    with sqlite3.connect(folder / "a.sqlite") as database:
        database.execute("UPDATE captures SET path = char(27) || '[31m' || path")
    database.close()
    with sqlite3.connect(folder / "a.sqlite") as database:
        database.execute("UPDATE captures SET path = path || '<script>alert(1)</script>'")
    database.close()
    page = run(tool, "query", folder / "a.sqlite", "--html").stdout
    tap.check("the overview answers every question that needs no date",
              [q for q in listed_names(listed) if (f"tcpwhy query ARCHIVE {q}<" in page) == (q == "before-after")])
    tap.check("a cause has its colour, and the greatest cost the longest bar",
              [part for part in ('<i class="c-nagle_delayed_ack"></i>nagle_delayed_ack', 'style="--w:100%"', ".c-nagle_delayed_ack{--c:#")
               if part not in page])
    tap.check("with a date it answers them all", "before-after" not in run(tool, "query", folder / "a.sqlite", "--html", "--date", DATE).stdout and "not")
    tap.check("the page is whole, runs nothing and loads nothing",
              ("<script" in page or not page.endswith("</html>\n") or "default-src 'none'" not in page or "http-equiv" not in page) and page[:500])
    text = run(tool, "query", folder / "a.sqlite", "bad-captures").stdout
    tap.check("what a terminal would obey is not printed", ("\x1b" in text or "[31m" not in text) and text)


def lost(tool, database, **changed):
    """What an archive says is lost, by listener and cause, and on how many connections; after a change of the client's capture."""
    if changed:
        with sqlite3.connect(database) as db:
            db.execute("DROP TABLE IF EXISTS copies")
            for column, value in changed.items():
                db.execute(f"UPDATE connections SET {column} = {value} WHERE capture_id = (SELECT capture_id FROM captures WHERE path LIKE '%client.pcap')")
        db.close()
    return {(r["server"], r["cause"]): (round(r["lost_ms"], 6), r["connections"]) for r in asked(tool, database, "lost-by-listener")[0]}


def check_copies(tap, tool, folder, case):
    """The server sends more: of several captures the server's tells a connection."""
    ends = {end: case / f"{end}.pcap" for end in ("client", "server")}
    header, records = pcapfile.read(ends["client"])
    ends["late"] = folder / "late.pcap"
    ends["late"].write_bytes(pcapfile.write(header, records[8:]))
    for name, captures in (("one", ["server"]), ("all", list(ends)), ("late", ["late", "server"])):
        run(tool, "batch", *[ends[c] for c in captures], "-o", folder / f"{name}.sqlite")
    alone = lost(tool, folder / "one.sqlite")
    tap.check("a connection that three captures hold is counted once", (not alone or lost(tool, folder / "all.sqlite") != alone) and f"{alone}")
    tap.check("also where its beginning is in one of them only", lost(tool, folder / "late.sqlite") != alone and f"{alone}")
    worst = asked(tool, folder / "all.sqlite", "worst-connections")[0]
    tap.check("the capture at the sender tells it, the others are named",
              ([r["path"] for r in worst] != [str(ends["server"])] or sorted(worst[0]["also_in"].split(", ")) != sorted(map(str, (ends["client"], ends["late"]))))
              and f"{worst}")
    verdicts = {name: asked(tool, folder / f"{name}.sqlite", "verdicts")[0] for name in ("one", "all")}
    tap.check("three captures have the verdict, once the connection and its cost",
              (verdicts["all"][0]["captures"] != 3 or any(sum(r[k] for r in verdicts["all"]) - sum(r[k] for r in verdicts["one"]) > 1e-6
                                                         for k in ("connections", "lost_ms"))) and f"{verdicts}")
    twice = {what: lost(tool, folder / "all.sqlite", **change) for what, change in
             (("another initial sequence number", {"client_isn": "client_isn + 1"}),
              ("an hour later", {"client_isn": "client_isn - 1", "start_utc_ns": "start_utc_ns + 3600000000000"}))}
    for what, rows in twice.items():
        tap.check(f"{what}: another connection", [key for key, (ms, n) in alone.items() if rows[key][1] != 2 * n] and f"{rows}")


def main():
    tool, top = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    views = [top / "data/queries" / name for name in ("copies.sql", "told.sql")]
    queries = sorted(set(views[0].parent.glob("*.sql")) - set(views))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in").mkdir()
        (folder / "in/none.pcap").write_text("no capture")
        names = [top / "pcaps" / case / "client.pcap" for case in CASES]
        for out in ("a.sqlite", "a.ndjson"):
            done = run(tool, "batch", folder / "in", *names, "-o", folder / out)
            if "without SQLite" in done.stderr:
                skip_all("built without SQLite")
        with Tap() as tap:
            documents = {d: (top / "docs" / d).read_text(encoding="utf-8") for d in ("archives.md", "tcpwhy.1")}
            tap.check("every question is documented", [f"{q.stem}: {d}" for q in queries for d, text in documents.items() if q.stem not in text])
            check_same(tap, tool, folder, queries, "".join(view.read_text(encoding="utf-8") for view in views))
            check_known(tap, tool, folder)
            check_shown(tap, tool, folder)
            check_copies(tap, tool, folder, top / "pcaps/cork_200ms")


if __name__ == "__main__":
    main()
