# SPDX-License-Identifier: MIT
"""Which files are captures, and which of them are one that was rotated: as `tcpwhy batch` decides it (docs/archives.md)."""
from __future__ import annotations

import errno
import fnmatch
import glob
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ._analysis import analyze
from ._library import UNKNOWN, Error, check, ffi, lib
from ._model import Segment


@dataclass(frozen=True)
class File:
    """A file as it was found. The path is absolute, or a URI."""

    path: str
    size_bytes: int
    modified_ns: int


@dataclass(frozen=True)
class Job:
    """A capture: a file, or rotated ones in their order."""

    files: tuple[File, ...]

    @property
    def capture_id(self) -> str:
        return hashlib.sha256(os.fsencode(self.files[0].path)).hexdigest()[:16]

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def modified_ns(self) -> int:
        return max(file.modified_ns for file in self.files)


LOOKS_LIKE_CAPTURE = re.compile(r"\.(?:pcap|pcapng|cap|dmp|ntar)(?![A-Za-z])", re.IGNORECASE)


def wanted(name: str, pattern: str | None = None) -> bool:
    """Whether a file of a folder is to be read: it matches the pattern, or is named as a capture is."""
    if name.startswith("."):
        return False
    return fnmatch.fnmatchcase(name, pattern) if pattern else bool(LOOKS_LIKE_CAPTURE.search(name))


def _in_folder(folder: str, pattern: str | None) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(path, name) for name in names if wanted(name, pattern) and os.path.isfile(os.path.join(path, name)))


def find(names: Iterable[str], *, listed: Iterable[str] = (), pattern: str | None = None, newer_ns: int | None = None) -> list[File]:
    """The capture files that names lead to: files, folders (to their depth), patterns. FileNotFoundError when one leads nowhere; what a
    list names is a file all the same, as it may have been there when the list was made."""
    found: dict[str, File] = {}
    for name, sure in [*((name, True) for name in names), *((name, False) for name in listed)]:
        paths = [name] if os.path.lexists(name) else glob.glob(name)
        if not paths and sure:
            raise FileNotFoundError(errno.ENOENT, "no such file: check the path", name)
        paths = paths or [name]
        for path in (p for start in paths for p in (_in_folder(start, pattern) if os.path.isdir(start) else [start])):
            absolute = os.path.abspath(path)
            state = os.stat(absolute) if os.path.exists(absolute) else None
            file = File(absolute, state.st_size if state else 0, state.st_mtime_ns if state else 0)
            if newer_ns is None or state is None or file.modified_ns > newer_ns:
                found[absolute] = file
    return sorted(found.values(), key=lambda file: os.fsencode(file.path))


def first_time(path: str) -> int | None:
    """When the first TCP frame of a capture was taken, in nanoseconds since the epoch; None: not known."""
    times: list[int | None] = []

    def take(segment: Segment) -> bool:
        times.append(segment.time_ns)
        return False

    try:
        analyze(path, keep_exchanges=False, keep_spans=False, threads=1, on_segment=take, on_progress=lambda done, total: False)
    except Error:
        pass
    return times[0] if times else None


def chains(files: Iterable[File], how: str = "found", first: Callable[[str], int | None] = first_time) -> list[Job]:
    """Files to captures. how: "found", what names and times say; "all", the files of a folder are one; "none"."""
    by_path = {os.fsencode(file.path): file for file in files}
    # Kept: the library borrows them.
    paths = [ffi.new("char[]", path) for path in by_path]
    places = [ffi.new("struct tcpwhy_file *") for _ in paths]
    for place, path, file in zip(places, paths, by_path.values()):
        place.struct_size, place.path, place.modified_ns = ffi.sizeof("struct tcpwhy_file"), path, file.modified_ns
    chained = ffi.new("struct tcpwhy_file *[]", places)
    n = ffi.new("size_t *")

    @ffi.callback("tcpwhy_begin_fn", error=UNKNOWN)  # type: ignore[misc]
    def begin(user: object, path: object) -> int:
        time = first(os.fsdecode(ffi.string(path)))
        return UNKNOWN if time is None else time

    check(lib.tcpwhy_chain_files(chained, len(paths), getattr(lib, f"TCPWHY_CHAIN_{how.upper()}"), begin, ffi.NULL, n))
    jobs: list[list[File]] = [[] for _ in range(n[0])]
    for place in chained:
        jobs[place.chain].append(by_path[ffi.string(place.path)])
    return [Job(tuple(job)) for job in jobs]


def pack(jobs: Iterable[Job], tasks: int, least_bytes: int = 64 << 20) -> list[list[Job]]:
    """Jobs to at most so many tasks of like size, the largest first: a task for each file costs more than small files do."""
    ordered = sorted(jobs, key=lambda job: (-job.size_bytes, job.capture_id))
    total = sum(job.size_bytes for job in ordered)
    n = max(1, min(tasks, len(ordered), -(-total // least_bytes)))
    heaps: list[list[Job]] = [[] for _ in range(n)]
    sizes = [0] * n
    for job in ordered:
        least = sizes.index(min(sizes))
        heaps[least].append(job)
        # Opening a file costs about as much as reading so many bytes of one.
        sizes[least] += job.size_bytes + (256 << 10)
    return heaps
