# SPDX-License-Identifier: MIT
"""Common parts of the tests on Spark: a session, and the rows of a table by each method. Skips without PySpark and
Java."""
import contextlib
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "batch")]
import archive  # noqa: E402
import sanitizer  # noqa: E402
from tap import skip_all  # noqa: E402

try:
    import cffi  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    from pyspark.sql import SparkSession
except ImportError as missing:
    skip_all(f"{missing} here")
if not shutil.which("java"):
    skip_all("no java here")


def arguments():
    """The command and the library that the test is given."""
    tool, library = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    if sanitizer.sanitized(library):
        skip_all("Java does not start with a sanitizer before it")
    sys.path[:0] = [str(TOP / "python"), str(TOP / "tools/spark")]
    return tool, library


def session(master, library, settings=None):
    places = os.pathsep.join([str(TOP / "python"), str(TOP / "tools/spark"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    os.environ.update({"TCPWHY_LIBRARY": str(library), "PYTHONPATH": places, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"})
    builder = (SparkSession.builder.master(master).appName("tcpwhy").config("spark.ui.enabled", "false")
            .config("spark.executorEnv.TCPWHY_LIBRARY", str(library)).config("spark.executorEnv.PYTHONPATH", places)
            .config("spark.executor.memory", "512m").config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1").config("spark.log.level", "OFF"))
    for name, value in (settings or {}).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def rows(frame):
    return archive.ordered([{name: int(value) if isinstance(value, bool) else value for name, value in row.asDict().items()}
                            for row in frame.collect()])


def by_source(spark, path, **options):
    from tcpwhy_spark import TcpwhyDataSource

    spark.dataSource.register(TcpwhyDataSource)
    return {t: rows(spark.read.format("tcpwhy").option("table", t).options(**options).load(str(path))) for t in archive.TABLES}


def by_map(spark, path):
    from tcpwhy_spark import load

    return {t: rows(load(spark, str(path), table=t)) for t in archive.TABLES}


def run_job(spark, path, out, *arguments):
    import job

    # What it prints is no TAP.
    with contextlib.redirect_stdout(sys.stderr):
        return job.main([str(path), str(out), *arguments], spark)
