#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stores.py TCPWHY LIBTCPWHY_SO TOP: captures in S3 and HDFS give the same tables on Spark as captures in a folder, and
the job writes its output there. S3 is moto's server; HDFS is Hadoop's mini cluster, whose jar TCPWHY_HADOOP names
(hadoop-client-minicluster, in the version of Spark's Hadoop), read by hdfs-native. Skipped without either."""
import contextlib
import importlib.util
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "batch"), str(HERE)]
import archive  # noqa: E402
import on_spark  # noqa: E402
import run as by_command  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

HADOOP = os.environ.get("TCPWHY_HADOOP", "")
KEYS = {"fs.s3a.access.key": "somebody", "fs.s3a.secret.key": "a secret"}


def has(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


@contextlib.contextmanager
def s3_server():
    """moto's server: its URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as server:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


@contextlib.contextmanager
def hdfs_server(spark, folder):
    """A name node and a data node inside Spark's driver: the URI of their root."""
    hadoop = spark._jvm.org.apache.hadoop
    settings = hadoop.conf.Configuration()
    settings.set("hdfs.minidfs.basedir", str(folder))
    cluster = hadoop.hdfs.MiniDFSCluster.Builder(settings).numDataNodes(1).build()
    try:
        cluster.waitActive()
        yield f"hdfs://127.0.0.1:{cluster.getNameNodePort()}"
    finally:
        cluster.shutdown()


def fill(store, folder):
    """Copy a folder to a store."""
    files, inside = store.open()
    for path in folder.rglob("*.*"):
        if path.is_file():
            to = f"{inside}/{path.relative_to(folder)}"
            files.create_dir(os.path.dirname(to), recursive=True)
            with files.open_output_stream(to, compression=None) as out:
                out.write(path.read_bytes())


def placeless(tables, base):
    """Tables whose captures are known by their paths below base."""
    names = {row["capture_id"]: row["path"].removeprefix(f"{base}/") for row in tables["captures"]}
    changed = {"path", "modified_utc_ns", "parts"}
    return {t: archive.ordered([{**{k: v for k, v in row.items() if k not in changed}, "capture_id": names[row["capture_id"]],
                                 "parts": (row.get("parts") or "").replace(f"{base}/", "")} for row in rows]) for t, rows in tables.items()}


def read(store):
    """What the job wrote."""
    import pyarrow
    import pyarrow.parquet

    files, inside = store.open()
    found = {}
    for table in archive.TABLES:
        parts = [info.path for info in files.get_file_info(pyarrow.fs.FileSelector(f"{inside}/{table}", recursive=True))
                 if info.is_file and info.path.endswith(".parquet")]
        rows = [row for part in parts for row in pyarrow.parquet.read_table(part, filesystem=files, partitioning=None).to_pylist()]
        found[table] = archive.ordered([{k: int(v) if isinstance(v, bool) else v for k, v in row.items()} for row in rows])
    return found


def check_store(tap, spark, what, root, folder, want, options):
    from tcpwhy_stores import Store

    captures, tables = f"{root}/captures/in", f"{root}/tables/of/captures"
    fill(Store(captures, options), folder)
    have = on_spark.by_source(spark, captures, **options)
    tap.check(f"captures in {what} give the tables of a folder", list(archive.differences(placeless(have, captures), want)))
    times = [row["modified_utc_ns"] for row in have["captures"]]
    tap.check(f"it is known when captures in {what} were written", [t for t in times if not t or abs(t / 1e9 - time.time()) > 3600])
    for arguments in ([], ["--tasks", "1"]):
        on_spark.run_job(spark, captures, tables, *arguments)
        tap.check(f"the job writes them to {what}: {' '.join(arguments) or 'as it would'}",
                  list(archive.differences(placeless(read(Store(tables, options)), captures), want)))
    nowhere = ""
    try:
        on_spark.run_job(spark, f"{root}/captures/nowhere", tables)
    except FileNotFoundError as error:
        nowhere = str(error)
    tap.check(f"a path that leads nowhere in {what} is told", nowhere != f"{root}/captures/nowhere" and nowhere)


def check_s3(tap, library, folder, want):
    with s3_server() as url:
        options = {**KEYS, "fs.s3a.endpoint": url, "fs.s3a.endpoint.region": "us-east-1"}
        spark = on_spark.session("local[2]", library, {f"spark.hadoop.{name}": value for name, value in options.items()})
        import pyarrow.fs

        maker = pyarrow.fs.S3FileSystem(access_key="somebody", secret_key="a secret", endpoint_override=url, region="us-east-1",
                                        allow_bucket_creation=True)
        maker.create_dir("bucket")
        check_store(tap, spark, "S3", "s3a://bucket", folder, want, options)
        spark.stop()


def check_hdfs(tap, library, folder, want, base):
    spark = on_spark.session("local[2]", library, {"spark.driver.extraClassPath": HADOOP})
    with hdfs_server(spark, base) as root:
        check_store(tap, spark, "HDFS", root, folder, want, {})
    spark.stop()


def main():
    tool, library = on_spark.arguments()
    s3, hdfs = has("moto", "flask"), HADOOP and has("fsspec", "hdfs_native")
    if not s3 and not hdfs:
        skip_all("neither moto's server nor Hadoop's mini cluster here")
    with tempfile.TemporaryDirectory() as name, Tap() as tap:
        folder = pathlib.Path(name)
        batch = by_command.Batch(tool, folder)
        by_command.fill(folder / "in", on_spark.TOP / "pcaps")
        by_command.rotate(folder / "in/rotated", on_spark.TOP / "pcaps/ab_short_connections/client.pcap", by_command.ROTATED["tcpdump -C"])
        want = placeless(batch.tables("want.ndjson", "in"), str(folder / "in"))
        if hdfs:
            check_hdfs(tap, library, folder / "in", want, folder / "hdfs")
        else:
            tap.skip("captures in HDFS", "no mini cluster, or no hdfs-native")
        if s3:
            check_s3(tap, library, folder / "in", want)
        else:
            tap.skip("captures in S3", "no moto")


if __name__ == "__main__":
    main()
