# SPDX-License-Identifier: MIT
"""An archive as a folder of Parquet: TABLE/PART.parquet, or TABLE/day=2026-11-20/PART.parquet.

A part holds the rows of many captures. batch.journal has a line for each part, written when all of its files are in their
places: parts without a line are removed when the archive is opened again. Until then their names begin with "_", which
Spark and others pass over.
"""
from __future__ import annotations

import fcntl
import json
import os
import pathlib
from collections.abc import Iterable
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.parquet

from ._captures import File, Job
from ._job_tables import TABLES

VERSION = 1
_DAY_NS = 86_400 * 10**9


def day_of(captures: pyarrow.Table) -> str:
    """The day, UTC, of a capture's first frame; "unknown" when it has none."""
    first = captures["first_utc_ns"][0].as_py()
    return "unknown" if first is None else str(pyarrow.scalar(first // _DAY_NS, pyarrow.int32()).cast(pyarrow.date32()).as_py())


def write_table(table: pyarrow.Table, path: pathlib.Path) -> None:
    """A file of Parquet, there wholly or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    hidden = path.with_name(f"_{path.name}")
    pyarrow.parquet.write_table(table, hidden, compression="zstd")
    os.replace(hidden, path)


class Archive:
    """A folder of Parquet, opened for writing. One at a time."""

    def __init__(self, path: str | os.PathLike[str], *, resume: bool = False, by_day: bool = False) -> None:
        """resume: go on with one that is there; otherwise FileExistsError. by_day: partition by the captures' days."""
        self.path = pathlib.Path(path)
        if self.path.exists() and not resume:
            raise FileExistsError(f"{self.path}: is there already: give --resume to go on with it, or remove it")
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise FileExistsError(f"{self.path}: another run writes to it: wait until it has ended") from None
        self._journal = self.path / "batch.journal"
        self.parts: list[dict[str, Any]] = []
        self.by_day = by_day
        self._read()

    def _read(self) -> None:
        lines = self._journal.read_text(encoding="utf-8").splitlines(keepends=True) if self._journal.exists() else []
        whole = [json.loads(line) for line in lines if line.endswith("\n")]
        if whole and whole[0] != {"tcpwhy": "parquet", "version": VERSION, "by_day": self.by_day}:
            os.close(self._lock)
            raise FileExistsError(f"{self.path}: holds other tables ({whole[0]}): write a new archive")
        self.parts = whole[1:]
        self._write()
        names = {part["name"] for part in self.parts}
        for file in self.path.glob("*/**/*.parquet"):
            if file.stem not in names:
                file.unlink()

    def _write(self) -> None:
        lines = [{"tcpwhy": "parquet", "version": VERSION, "by_day": self.by_day}, *self.parts]
        hidden = self._journal.with_name("_batch.journal")
        hidden.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        os.replace(hidden, self._journal)

    def _known(self) -> dict[str, dict[str, Any]]:
        return {capture["capture_id"]: capture for part in self.parts for capture in part["captures"]}

    def missing(self, jobs: Iterable[Job]) -> list[Job]:
        """Those that are not in it as their files are now, or that failed."""
        known = self._known()

        def there(job: Job) -> bool:
            capture = known.get(job.capture_id)
            return capture is not None and not capture["failed"] and capture["files"] == [_state(file) for file in job.files]

        return [job for job in jobs if not there(job)]

    def forget(self, jobs: Iterable[Job]) -> None:
        """Take out captures that share a file with one of these: their parts are written anew without them."""
        jobs = list(jobs)
        paths = {file.path for job in jobs for file in job.files}
        gone = {job.capture_id for job in jobs}
        gone |= {c["capture_id"] for c in self._known().values() if any(file[0] in paths for file in c["files"])}
        stay: list[dict[str, Any]] = []
        old: list[str] = []
        for part in self.parts:
            kept = [capture for capture in part["captures"] if capture["capture_id"] not in gone]
            if len(kept) == len(part["captures"]):
                stay.append(part)
                continue
            old.append(part["name"])
            if kept:
                stay.append(self._rewritten(part["name"], kept))
        if old:
            self.parts = stay
            self._write()
            for name in old:
                for file in self.path.glob(f"*/**/{name}.parquet"):
                    file.unlink()

    def _rewritten(self, name: str, kept: list[dict[str, Any]]) -> dict[str, Any]:
        new = self._new_name()
        ids = pyarrow.array([capture["capture_id"] for capture in kept])
        for file in self.path.glob(f"*/**/{name}.parquet"):
            table = pyarrow.parquet.ParquetFile(file).read()
            write_table(table.filter(pyarrow.compute.is_in(table["capture_id"], ids)), file.with_name(f"{new}.parquet"))
        return {"name": new, "captures": kept}

    def _new_name(self) -> str:
        # Also beside parts that are being written anew.
        self._last = max([getattr(self, "_last", -1), *(int(part["name"].removeprefix("part-")) for part in self.parts)]) + 1
        return f"part-{self._last:06}"

    def put(self, captures: list[tuple[Job, dict[str, pyarrow.Table]]]) -> None:
        """Write captures as a part, at once."""
        name = self._new_name()
        days: dict[str, list[dict[str, pyarrow.Table]]] = {}
        for _, tables in captures:
            days.setdefault(day_of(tables["captures"]) if self.by_day else "", []).append(tables)
        for day, several in days.items():
            for table in TABLES:
                folder = self.path / table / (f"day={day}" if day else "")
                write_table(pyarrow.concat_tables([tables[table] for tables in several]), folder / f"{name}.parquet")
        part = {"name": name, "captures": [
            {"capture_id": job.capture_id, "failed": tables["captures"]["error"][0].is_valid, "files": [_state(f) for f in job.files]}
            for job, tables in captures]}
        self.parts.append(part)
        with open(self._journal, "a", encoding="utf-8") as file:
            file.write(json.dumps(part) + "\n")

    def close(self) -> None:
        os.close(self._lock)


def _state(file: File) -> list[Any]:
    return [file.path, file.size_bytes, file.modified_ns]
