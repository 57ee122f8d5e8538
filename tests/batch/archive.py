# SPDX-License-Identifier: MIT
"""Read archives written by `tcpwhy batch`, in any format: rows as dictionaries, tables as sorted lists of rows."""
import csv
import json
import sqlite3

TABLES = ("captures", "connections", "exchanges", "findings", "ledger", "failures")


def typed(text, kind):
    """A CSV field as its column's type; an empty field that was not quoted is null, which csv cannot tell: text only."""
    if text == "":
        return None
    return {"TEXT": str, "INTEGER": int, "REAL": float, "BOOLEAN": lambda t: int(t == "true")}[kind](text)


def kinds(database, table):
    return {row[1]: "TEXT" if row[1] == "capture_id" else row[2] for row in database.execute(f"PRAGMA table_info({table})")}


def of_sqlite(path, table):
    """Its rows as other forms have them: a capture is a number in SQLite, and a hash there."""
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        hashes = dict(database.execute("SELECT capture_id, capture_hash FROM captures").fetchall())
        rows = [{**row, "capture_id": hashes[row["capture_id"]]} for row in map(dict, database.execute(f"SELECT * FROM {table}"))]
    database.close()
    return [{name: value for name, value in row.items() if name != "capture_hash"} for row in rows]


def of_csv(folder, table, kind):
    with open(folder / f"{table}.csv", newline="", encoding="utf-8") as file:
        return [{name: typed(value, kind[name]) for name, value in row.items()} for row in csv.DictReader(file)]


def of_ndjson(folder, table):
    with open(folder / f"{table}.ndjson", encoding="utf-8") as file:
        return [{name: int(value) if isinstance(value, bool) else value for name, value in json.loads(line).items()} for line in file]


def plain(value):
    """28.0 and 28 are the same number, and stand in the same place."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def ordered(rows):
    return sorted(rows, key=lambda row: [(value is not None, plain(value)) for value in row.values()])


def tables(path, kind=None):
    """All tables of an archive, each in one order; kind: of_csv needs the types, from a SQLite archive."""
    if path.suffix == ".sqlite":
        return {t: ordered(of_sqlite(path, t)) for t in TABLES}
    if path.suffix == ".csv":
        with sqlite3.connect(kind) as database:
            types = {t: kinds(database, t) for t in TABLES}
        database.close()
        return {t: ordered(of_csv(path, t, types[t])) for t in TABLES}
    return {t: ordered(of_ndjson(path, t)) for t in TABLES}


def differences(have, want, names=TABLES):
    """What two archives differ in, a line a table."""
    for table in names:
        if have[table] != want[table]:
            odd = [row for row in have[table] if row not in want[table]][:1] + [row for row in want[table] if row not in have[table]][:1]
            yield f"{table}: {len(have[table])} rows, not {len(want[table])}, or they differ: {odd}"
