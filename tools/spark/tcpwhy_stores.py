# SPDX-License-Identifier: MIT
"""Object stores and distributed file systems as source of captures and target of tables.

The URI selects the implementation: pyarrow (s3://, gs://, abfs://, and hdfs:// with Hadoop's libhdfs), otherwise fsspec
with the installed backends (hdfs:// by hdfs-native, webhdfs://, sftp://). s3a:// and s3n:// are s3://, with the
settings of Hadoop's s3a connector in SETTINGS: as options, or in Spark's own configuration
(spark.hadoop.fs.s3a.endpoint ...). Other credentials come from the usual AWS sources: AWS_ACCESS_KEY_ID, profiles, the
machine's role.
"""
from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.fs

from tcpwhy import _captures
from tcpwhy._captures import File

# Hadoop's names, and pyarrow's.
SETTINGS = {
    "fs.s3a.endpoint": "endpoint_override",
    "fs.s3a.endpoint.region": "region",
    "fs.s3a.access.key": "access_key",
    "fs.s3a.secret.key": "secret_key",
    "fs.s3a.session.token": "session_token",
}

# Enough of a capture to know when its first packets were taken.
FIRST_BYTES = 4 << 20


def of_spark(spark: Any) -> dict[str, str]:
    """What Spark's configuration says of stores."""
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    return {name: value for name in SETTINGS if (value := hadoop.get(name))}


def _by_fsspec(uri: str, unknown: Exception) -> tuple[pyarrow.fs.FileSystem, str]:
    try:
        import fsspec

        files, path = fsspec.core.url_to_fs(uri)
    except (ImportError, ValueError) as error:
        raise OSError(f"{uri.split('://')[0]}://: pyarrow says: {unknown}; fsspec says: {error}") from None
    return pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(files)), path


@functools.lru_cache(16)
def _open(uri: str, settings: tuple[tuple[str, str], ...]) -> tuple[pyarrow.fs.FileSystem, str]:
    if settings and uri.startswith("s3://"):
        return pyarrow.fs.S3FileSystem(**dict(settings)), uri.removeprefix("s3://").rstrip("/")
    try:
        files, path = pyarrow.fs.FileSystem.from_uri(uri)
    except (pyarrow.ArrowInvalid, OSError) as unknown:
        files, path = _by_fsspec(uri, unknown)
    return files, path.rstrip("/")


class Store:
    """A path or URI, and what opens it: each process does so by itself."""

    def __init__(self, uri: str, options: dict[str, str] | None = None) -> None:
        if uri.startswith("file:"):
            uri = re.sub("^file:(//)?", "", uri)
        self.uri = uri if "://" in uri else os.path.abspath(uri)
        self.remote = "://" in uri
        self.settings = tuple((theirs, options[name]) for name, theirs in SETTINGS.items() if name in options) if options else ()
        # What its files' URIs begin with: no password, and no query. Every run writes them so.
        self.base = re.sub(r"//[^/@]*:[^/@]*@", "//", self.uri.split("?")[0]).rstrip("/") if self.remote else self.uri

    def open(self) -> tuple[pyarrow.fs.FileSystem, str]:
        """The file system, and the path in it."""
        if not self.remote:
            return pyarrow.fs.LocalFileSystem(), self.uri
        return _open(re.sub("^s3[an]://", "s3://", self.uri), self.settings)

    def replace(self, old: str, new: str) -> None:
        """Rename a file of it over another."""
        files, _ = self.open()
        try:
            files.move(old, new)
        except OSError:
            # HDFS renames over nothing.
            if files.get_file_info(new).type == pyarrow.fs.FileType.NotFound:
                raise
            files.delete_file(new)
            files.move(old, new)

    def find(self, pattern: str | None) -> list[File]:
        """The captures below it."""
        if not self.remote:
            return _captures.find([self.uri], pattern=pattern)
        files, inside = self.open()
        top = files.get_file_info(inside)
        if top.type == pyarrow.fs.FileType.NotFound:
            raise FileNotFoundError(self.base)
        below = [top] if top.is_file else files.get_file_info(pyarrow.fs.FileSelector(inside, recursive=True))
        return [File(self.base + info.path[len(inside):], info.size, _modified_ns(files, info)) for info in below
                if info.is_file and (top.is_file or _captures.wanted(info.base_name, pattern))]

    def fetch(self, path: str, to: str, most_bytes: int | None) -> None:
        """Bring a file that find() gave to this machine, or its first bytes."""
        files, inside = self.open()
        with files.open_input_stream(inside + path[len(self.base):], compression=None) as source, open(to, "wb") as here:
            if most_bytes is None:
                shutil.copyfileobj(source, here, 1 << 20)
            else:
                here.write(source.read(most_bytes))


def _modified_ns(files: pyarrow.fs.FileSystem, info: pyarrow.fs.FileInfo) -> int:
    """When a file was changed, 0 when its store does not say."""
    if info.mtime_ns is None and isinstance(files, pyarrow.fs.PyFileSystem):
        with contextlib.suppress(NotImplementedError, OSError):
            return int(files.handler.fs.modified(info.path).timestamp() * 1000) * 10**6
    return info.mtime_ns or 0


class Stores:
    """Where the captures of a run are."""

    def __init__(self, uris: Iterable[str], options: dict[str, str]) -> None:
        self.stores = [Store(uri, options) for uri in uris]

    def find(self, pattern: str | None = None) -> list[File]:
        """Each once, in the order of their paths."""
        found = {file.path: file for store in self.stores for file in store.find(pattern)}
        return sorted(found.values(), key=lambda file: os.fsencode(file.path))

    @contextlib.contextmanager
    def local(self, files: Iterable[File], most_bytes: int | None = None) -> Iterator[list[str]]:
        """Where the files are on this machine, brought here while they are needed when they are elsewhere; or their first bytes."""
        with contextlib.ExitStack() as stack:
            paths = []
            for i, file in enumerate(files):
                path = file.path
                store = next((s for s in self.stores if s.remote and (path == s.base or path.startswith(f"{s.base}/"))), None)
                if store:
                    path = f"{stack.enter_context(tempfile.TemporaryDirectory(prefix='tcpwhy-'))}/{i}"
                    store.fetch(file.path, path, most_bytes)
                paths.append(path)
            yield paths

    def first_time(self, path: str) -> int | None:
        """When a capture begins, wherever it is; None: not known."""
        with contextlib.suppress(OSError), self.local([File(path, 0, 0)], FIRST_BYTES) as paths:
            return _captures.first_time(paths[0])
        return None
