#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY LIBTCPWHY_SO TOP [CAPTURES]: tcpwhy on Spark gives the tables of `tcpwhy batch` row for row: by the
data source, by mapInArrow and by the job, in local mode and on a cluster of two workers, one of which is killed.
Skipped without PySpark and Java."""
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "batch"), str(HERE)]
import archive  # noqa: E402
import on_spark  # noqa: E402
import parquet  # noqa: E402
import pyspark  # noqa: E402
import run as by_command  # noqa: E402
from on_spark import TOP, by_map, by_source, run_job, session  # noqa: E402
from tap import Tap  # noqa: E402


def executors(pid):
    """The processes of executors below a process."""
    found = []
    for child in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for number in child.read_text().split():
            command = pathlib.Path(f"/proc/{number}/cmdline").read_bytes()
            found += [int(number)] if b"CoarseGrainedExecutorBackend" in command else executors(int(number))
    return found


def kill_one(after, killed):
    time.sleep(after)
    for pid in executors(os.getpid())[:1]:
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)


def check_local(tap, library, folder, want):
    spark = session("local[2]", library)
    if int(pyspark.__version__.split(".")[0]) >= 4:
        tap.check("the data source gives the tables of batch", list(archive.differences(by_source(spark, folder / "in"), want)))
        tap.check("one task gives the same", list(archive.differences(by_source(spark, folder / "in", tasks=1), want)))
    else:
        tap.skip("the data source gives the tables of batch", "Spark before 4 has no data sources in Python")
    tap.check("mapInArrow gives the same", list(archive.differences(by_map(spark, folder / "in"), want)))
    run_job(spark, folder / "in", folder / "job.parquet")
    tap.check("the job writes the same, by day", list(archive.differences(parquet.read(folder / "job.parquet"), want)))
    run_job(spark, folder / "in", folder / "job.parquet", "--tasks", "1", "--not-by-day")
    tap.check("run again with other tasks, nothing is there twice", list(archive.differences(parquet.read(folder / "job.parquet"), want)))
    read = spark.read.parquet(str(folder / "job.parquet/ledger"))
    tap.check("Spark reads what the job wrote", read.count() != len(want["ledger"]) and f"{read.count()}")
    tap.check("a file:// URI is a path", run_job(spark, f"file://{folder}/in", folder / "uri.parquet") and "failed")
    spark.stop()


def check_set(tap, library, place, want):
    """A set of captures, by the data source or, before Spark 4, by mapInArrow."""
    spark = session("local[2]", library)
    have = by_source(spark, place) if int(pyspark.__version__.split(".")[0]) >= 4 else by_map(spark, place)
    tap.check(f"the tables of {place.name} are those of batch", list(archive.differences(have, want)))
    spark.stop()


def check_cluster(tap, library, folder, want):
    spark = session("local-cluster[2,1,1024]", library)
    killed = []
    many = folder / "many"
    tasks = ["--tasks", "24"]
    killer = threading.Thread(target=kill_one, args=(3, killed))
    killer.start()
    run_job(spark, many, folder / "cluster.parquet", *tasks)
    killer.join()
    tap.check("an executor was killed", not killed and "none was there")
    tap.check("two workers, one of which is killed: the job writes the same", list(archive.differences(parquet.read(folder / "cluster.parquet"), want)))
    spark.stop()


def main():
    tool, library = on_spark.arguments()
    captures = [pathlib.Path(p).resolve() for p in sys.argv[4:] if pathlib.Path(p).is_dir()]
    with tempfile.TemporaryDirectory() as name, Tap() as tap:
        folder = pathlib.Path(name)
        batch = by_command.Batch(tool, folder)
        by_command.fill(folder / "in", TOP / "pcaps")
        by_command.rotate(folder / "in/rotated", TOP / "pcaps/ab_short_connections/client.pcap", by_command.ROTATED["tcpdump -C"])
        check_local(tap, library, folder, batch.tables("want.ndjson", "in"))
        for place in captures:
            check_set(tap, library, place, batch.tables(f"{place.name}.ndjson", place))
        many = folder / "many"
        many.mkdir()
        for i in range(24):
            shutil.copy(TOP / "pcaps/bufferbloat_30mbit/client.pcap", many / f"capture-{'abcdefghijklmnopqrstuvwx'[i]}.pcap")
        check_cluster(tap, library, folder, batch.tables("many.ndjson", "many"))


if __name__ == "__main__":
    main()
