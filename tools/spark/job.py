#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""job.py PATH OUT: all five tables of the captures below PATH, as Parquet in OUT/TABLE/day=YYYY-MM-DD/.

    spark-submit --py-files tcpwhy.zip tools/spark/job.py s3a://captures s3a://tables

Each capture is read once. A task writes its tables itself, in files named after its captures: a repeated task, after an
executor failed or was slow, writes the same files. At the end files of earlier runs are removed, so that OUT matches
PATH without duplicates. Prints a line for each capture that could not be read.
"""
from __future__ import annotations

import argparse
import hashlib
import posixpath
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.fs
import pyarrow.parquet
from pyspark.sql import SparkSession

import tcpwhy_spark
from tcpwhy_stores import Store, of_spark
from tcpwhy._job_tables import TABLES
from tcpwhy._parquet import day_of

# Captures of a task that are written together: rows for a file worth reading, and no more memory than that.
PART_BYTES = 128 << 20

# What tasks tell the driver: a capture, or a file that was written.
TOLD = pyarrow.schema([("path", pyarrow.string()), ("error", pyarrow.string()), ("file", pyarrow.string())])


def write(out: Store, table: pyarrow.Table, folder: str, name: str) -> None:
    """A file of Parquet; under its name only when it is whole."""
    files, inside = out.open()
    folder = posixpath.join(inside, folder)
    files.create_dir(folder, recursive=True)
    hidden = posixpath.join(folder, f"_{name}-{uuid.uuid4().hex}.parquet")
    pyarrow.parquet.write_table(table, hidden, filesystem=files, compression="zstd")
    out.replace(hidden, posixpath.join(folder, f"{name}.parquet"))


def write_part(out: Store, parts: list[dict[str, pyarrow.Table]], by_day: bool) -> Iterator[pyarrow.Table]:
    """Gives the files that it has written."""
    days: dict[str, list[dict[str, pyarrow.Table]]] = {}
    for tables in parts:
        days.setdefault(day_of(tables["captures"]) if by_day else "", []).append(tables)
    for day, several in days.items():
        ids = "".join(tables["captures"]["capture_id"][0].as_py() for tables in several)
        name = f"part-{hashlib.sha256(ids.encode()).hexdigest()[:16]}"
        for table in TABLES:
            folder = f"{table}/day={day}" if day else table
            write(out, pyarrow.concat_tables([tables[table] for tables in several]), folder, name)
            yield pyarrow.table({"path": [None], "error": [None], "file": [f"{folder}/{name}.parquet"]}, schema=TOLD)


def run_task(plan: tcpwhy_spark.Plan, number: int, out: Store, by_day: bool) -> Iterator[pyarrow.Table]:
    """Write the tables of a task. Gives path and error of each capture, and the files."""
    parts: list[dict[str, pyarrow.Table]] = []
    bytes_ = 0
    for tables in plan.tables(plan.tasks[number]):
        parts.append(tables)
        bytes_ += sum(table.nbytes for table in tables.values())
        captures = tables["captures"]
        yield pyarrow.table({"path": captures["path"], "error": captures["error"], "file": [None]}, schema=TOLD)
        if bytes_ >= PART_BYTES:
            yield from write_part(out, parts, by_day)
            parts, bytes_ = [], 0
    if parts:
        yield from write_part(out, parts, by_day)


def remove_others(out: Store, written: set[str]) -> None:
    """Files of earlier runs, and of attempts that were given up."""
    files, inside = out.open()
    for table in TABLES:
        for info in files.get_file_info(pyarrow.fs.FileSelector(posixpath.join(inside, table), recursive=True, allow_not_found=True)):
            if info.is_file and info.path.endswith(".parquet") and posixpath.relpath(info.path, inside) not in written:
                files.delete_file(info.path)


def main(arguments: list[str] | None = None, spark: Any = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path")
    parser.add_argument("out")
    parser.add_argument("--glob", help="in folders, files of such names alone")
    parser.add_argument("--filter", help="a BPF expression")
    parser.add_argument("--chain", default="found", choices=("found", "all", "none"))
    parser.add_argument("--tasks", type=int, help="at most so many; twice the processors when not given")
    parser.add_argument("--memory", type=int, default=0, help="bytes that the analysis of a capture may need; 512 MiB when not given")
    parser.add_argument("--not-by-day", dest="by_day", action="store_false")
    options = parser.parse_args(arguments)
    spark = spark or SparkSession.builder.appName("tcpwhy").getOrCreate()
    wanted = {key: str(value) for key, value in vars(options).items() if key in ("glob", "filter", "chain", "memory") and value}
    tasks = options.tasks or 2 * spark.sparkContext.defaultParallelism
    hadoop = of_spark(spark)
    plan, out, by_day = tcpwhy_spark.Plan(options.path, {**hadoop, **wanted}, tasks), Store(options.out, hadoop), options.by_day

    def run(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for number in batch["task"].to_pylist():
                for table in run_task(plan, number, out, by_day):
                    yield from table.to_batches()

    rows = tcpwhy_spark.each_task(spark, plan).mapInArrow(run, "path string, error string, file string").collect()
    remove_others(out, {row.file for row in rows if row.file})
    rows = [row for row in rows if row.path is not None]
    failed = [row for row in rows if row.error is not None]
    for row in failed:
        print(f"{row.path}: {row.error}")
    print(f"{out.base}: {len(rows)} captures, {len(failed)} could not be read")
    return 0 if len(rows) > len(failed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
