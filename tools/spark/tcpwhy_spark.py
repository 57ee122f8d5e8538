# SPDX-License-Identifier: MIT
"""tcpwhy on Apache Spark: captures as DataFrames with the tables of docs/schema.md.

    from tcpwhy_spark import TcpwhyDataSource                      # Spark 4
    spark.dataSource.register(TcpwhyDataSource)
    findings = spark.read.format("tcpwhy").option("table", "findings").load("/captures")

    from tcpwhy_spark import load                                  # Spark 3.3 and later, by mapInArrow
    findings = load(spark, "/captures", table="findings")

Options: table; glob (file names in folders); filter (BPF); chain (found, all, none: docs/archives.md); tasks (default:
number of CPUs, at least 64 MB each); memory (bytes per capture, default 512 MiB); those of tcpwhy_stores. Paths are on
a local or mounted file system, or URIs that tcpwhy_stores opens: s3a://, hdfs://, gs:// and more.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow

import tcpwhy
from tcpwhy import _captures
from tcpwhy._captures import File, Job
from tcpwhy._job_tables import TABLES, analyze_job, tables_of
from tcpwhy_stores import Stores, of_spark

# Rows of one table as a worker hands them to Spark at a time.
BATCH_ROWS = 8192
# For the analysis of a capture, as `tcpwhy batch` gives each; docs/cluster.md counts with it.
MEMORY_BYTES = 512 << 20


def analyze(job: Job, stores: Stores, filter: str | None = None, memory_bytes: int = 0) -> dict[str, pyarrow.Table]:
    """A capture's tables; one that cannot be read has a row with its error."""
    try:
        with stores.local(job.files) as paths:
            return analyze_job(job, paths=paths, filter=filter, memory_bytes=memory_bytes)
    except OSError as error:
        return tables_of(job, error=str(error))


class Plan:
    """What is to be read, and in which tasks: made by the driver, used by the executors."""

    def __init__(self, path: str, options: dict[str, str], tasks: int) -> None:
        self.table = options.get("table", "findings")
        if self.table not in TABLES:
            raise ValueError(f"{self.table}: there is no such table; give one of {', '.join(TABLES)}")
        self.filter = options.get("filter")
        self.memory_bytes = int(options.get("memory", MEMORY_BYTES))
        self.stores = Stores(path.split(","), options)
        files = self.stores.find(options.get("glob"))
        # Rotated files of one sensor are one job, and a job is never split: nor is a connection.
        jobs = _captures.chains(files, options.get("chain", "found"), self.stores.first_time)
        self.tasks = _captures.pack(jobs, int(options.get("tasks", tasks)), int(options.get("task_bytes", 64 << 20))) if jobs else []

    def tables(self, task: list[Job]) -> Iterator[dict[str, pyarrow.Table]]:
        for job in task:
            yield analyze(job, self.stores, self.filter, self.memory_bytes)

    def batches(self, task: list[Job]) -> Iterator[pyarrow.RecordBatch]:
        schema = arrow_schema(self.table)
        for tables in self.tables(task):
            # Spark compares schemas to the letter.
            yield from pyarrow.Table.from_arrays(tables[self.table].columns, schema=schema).to_batches(BATCH_ROWS)


def arrow_schema(table: str) -> pyarrow.Schema:
    """The columns of a table, as every tool has them: times are 64-bit integers, as Spark's own have no nanoseconds."""
    nothing = Job((File("nothing", 0, 0),))
    # Nullable all: Spark reads every file so, and DataFrames of both kinds then have one schema.
    return pyarrow.schema([(field.name, field.type) for field in tables_of(nothing, error="")[table].schema])


def spark_schema(table: str) -> Any:
    """The same for Spark."""
    from pyspark.sql import types

    kinds = {pyarrow.string(): types.StringType(), pyarrow.int64(): types.LongType(), pyarrow.float64(): types.DoubleType(),
             pyarrow.bool_(): types.BooleanType()}
    return types.StructType([types.StructField(field.name, kinds[field.type], True) for field in arrow_schema(table)])


def _parallelism(spark: Any) -> int:
    return max(2 * spark.sparkContext.defaultParallelism, 2)


def load(spark: Any, path: str, **options: str) -> Any:
    """A table of all captures below a path, by mapInArrow."""
    plan = Plan(path, {**of_spark(spark), **{key: str(value) for key, value in options.items()}}, _parallelism(spark))

    def run(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for number in batch["task"].to_pylist():
                yield from plan.batches(plan.tasks[number])

    return each_task(spark, plan).mapInArrow(run, spark_schema(plan.table))


def each_task(spark: Any, plan: Plan) -> Any:
    """A DataFrame with a partition for each task, the largest first."""
    n = len(plan.tasks)
    numbers = spark.sparkContext.parallelize([(i,) for i in range(n)], max(n, 1))
    return spark.createDataFrame(numbers, "task long")


try:
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
except ImportError:  # before Spark 4
    pass
else:
    class TcpwhyPartition(InputPartition):
        """The captures of one task."""

        def __init__(self, task: list[Job]) -> None:
            super().__init__(None)
            self.task = task

    class TcpwhyReader(DataSourceReader):
        def __init__(self, options: Any) -> None:
            if not options.get("path"):
                raise ValueError("say where the captures are: .load(PATH)")
            tasks = int(options.get("tasks", 2 * (os.cpu_count() or 1)))
            self.plan = Plan(options["path"], dict(options), tasks)

        def partitions(self) -> list[InputPartition]:
            return [TcpwhyPartition(task) for task in self.plan.tasks]

        def read(self, partition: Any) -> Iterator[pyarrow.RecordBatch]:
            return self.plan.batches(partition.task)

    class TcpwhyDataSource(DataSource):
        """spark.read.format("tcpwhy")"""

        @classmethod
        def name(cls) -> str:
            return "tcpwhy"

        def schema(self) -> Any:
            return spark_schema(self.options.get("table", "findings"))

        def reader(self, schema: Any) -> TcpwhyReader:
            return TcpwhyReader(self.options)


__all__ = ["Plan", "TcpwhyDataSource", "load", "spark_schema", "tcpwhy"]
