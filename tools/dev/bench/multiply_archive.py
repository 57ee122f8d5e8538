#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""multiply_archive.py ARCHIVE.sqlite OUT.sqlite TIMES: the captures of an archive TIMES times over, each copy a day later and under
another path, for how long questions take."""
import shutil
import sqlite3
import sys

TABLES = ("captures", "connections", "exchanges", "findings", "ledger_rows", "failures")
DAY_NS = 86400000000000


def copied(column):
    """A column of copy ?2; ?1 is the number of captures."""
    if column == "capture_id":
        return "capture_id + ?1 * ?2"
    if column in ("path", "capture_hash"):
        return f"{column} || ?2"
    if column == "client_isn":  # another connection
        return "client_isn + ?2"
    return f"{column} + ?2 * {DAY_NS}" if column.endswith("_utc_ns") else column


def main():
    source, out, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    shutil.copy(source, out)
    database = sqlite3.connect(out)
    database.execute("PRAGMA cache_size = -500000")
    database.execute("DROP TABLE IF EXISTS copies")
    captures, = database.execute("SELECT MAX(capture_id) FROM captures").fetchone()
    for table in TABLES:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        for i in range(1, times):
            database.execute(f"INSERT INTO {table} SELECT {', '.join(map(copied, columns))} FROM {table} WHERE capture_id <= ?1", (captures, i))
    database.commit()


if __name__ == "__main__":
    main()
