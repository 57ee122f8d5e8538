# SPDX-License-Identifier: MIT
"""A capture to its five tables, of which one is there even when it cannot be read."""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pyarrow

from ._analysis import analyze
from ._arrow import Table
from ._captures import Job
from ._library import Error, ffi

TABLES = ("captures", "connections", "exchanges", "findings", "ledger", "failures")


class _JobTable(Table):
    """A table that knows the capture's files. report NULL: it could not be read."""

    def __init__(self, report: Any, name: str, job: Job, error: str | None, integer_times: bool) -> None:
        super().__init__(report, name, None, integer_times, 0)
        # Kept: the library borrows them until it has opened the stream.
        self._path = ffi.new("char[]", os.fsencode(job.files[0].path))
        self._error = ffi.new("char[]", error.encode("utf-8", "replace")) if error is not None else ffi.NULL
        self._options.path = self._path
        self._options.error = self._error
        self._options.size_bytes = job.size_bytes
        self._options.modified_ns = job.modified_ns
        self._options.files = len(job.files)


def tables_of(job: Job, report: Any = ffi.NULL, error: str | None = None, *, integer_times: bool = True) -> dict[str, pyarrow.Table]:
    """The tables of a job's report; without one, captures has a row with the error."""
    return {name: pyarrow.table(_JobTable(report, name, job, error, integer_times)) for name in TABLES}


def _bare(text: str, paths: list[str]) -> str:
    """An error without the path, which stands beside it."""
    for path in paths:
        if text.startswith(f"{path}: "):
            return text[len(path) + 2:]
    return text


def _named(tables: dict[str, pyarrow.Table], job: Job) -> dict[str, pyarrow.Table]:
    """The tables, with the parts of a capture under the names by which the job knows them, and not where they were read."""
    captures = tables["captures"]
    parts = captures["parts"][0].as_py()
    if parts is not None:
        named = [{**part, "path": file.path} for part, file in zip(json.loads(parts), job.files)]
        column = captures.schema.get_field_index("parts")
        captures = captures.set_column(column, captures.schema.field(column), [[json.dumps(named, ensure_ascii=False)]])
    return {**tables, "captures": captures}


def analyze_job(job: Job, *, paths: list[str] | None = None, filter: str | None = None, memory_bytes: int = 0, threads: int = 1,
                on_progress: Callable[[int, int], bool | None] | None = None, integer_times: bool = True) -> dict[str, pyarrow.Table]:
    """Analyse a capture. paths: where its files are now, when they were brought here from elsewhere."""
    here = paths or [file.path for file in job.files]
    try:
        report = analyze(here if len(here) > 1 else here[0], filter=filter, keep_spans=False, memory_bytes=memory_bytes,
                         threads=threads, on_progress=on_progress)
    except Error as error:
        if type(error).__name__ == "Stopped":
            raise
        return tables_of(job, error=_bare(str(error), here), integer_times=integer_times)
    tables = tables_of(job, report._c, integer_times=integer_times)
    return _named(tables, job) if paths else tables
