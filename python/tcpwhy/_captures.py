# SPDX-License-Identifier: MIT
"""Which files are captures, and which of them are one that was rotated: as `tcpwhy batch` decides it (docs/archives.md)."""
from __future__ import annotations

import errno
import fnmatch
import glob
import hashlib
import os
import re
import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ._analysis import analyze
from ._library import Error
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


LOOKS_LIKE_CAPTURE = re.compile(r"\.(?:pcap|pcapng|cap|dmp|ntar)(?![A-Za-z])")


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


_SUFFIX = r"\.(?:pcapng|pcap|cap|dmp)"
_STAMP = (r"(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d"
          r"(?:[-_T.]?[0-2]\d(?:[-_:.h]?[0-5]\d(?:[-_:.m]?[0-5]\d)?)?)?")

# How names are rotated, and whether the highest number is the oldest; the first that fits is it.
_ROTATIONS = [(re.compile(pattern), backwards) for pattern, backwards in (
    (rf"(?P<before>.*)_(?P<n>\d{{5}})_\d{{14}}(?P<after>{_SUFFIX})", False),
    (rf"(?P<before>.*)_\d{{14}}_(?P<n>\d{{5}})(?P<after>{_SUFFIX})", False),
    (rf"(?P<before>.*?)(?<!\d){_STAMP}(?!\d)(?P<after>.*{_SUFFIX})\d*", False),
    (rf"(?P<before>.*?)(?<!\d)1\d{{9}}(?P<after>{_SUFFIX})", False),
    (rf"(?P<before>.*{_SUFFIX})\.(?P<n>\d{{1,5}})(?P<after>)", True),
    (rf"(?P<before>.*{_SUFFIX})(?P<n>\d{{1,6}})(?P<after>)", False),
    (rf"(?P<before>.*{_SUFFIX})(?P<n>)(?P<after>)", False),
)]


@dataclass(frozen=True)
class Rotation:
    """A name's place in a rotation. number None: it counts by time."""

    family: tuple[str, ...]
    number: int | None
    backwards: bool


def rotation_of(path: str) -> Rotation | None:
    """What a file's name says of rotation, None when nothing."""
    folder, name = os.path.split(path)
    plain = re.sub(r"\.(?:gz|zst|lz4|xz)$", "", name)
    for pattern, backwards in _ROTATIONS:
        match = pattern.fullmatch(plain)
        if match:
            n = match.groupdict().get("n")
            return Rotation((folder, match["before"], match["after"]), int(n or 0) if n is not None else None, backwards)
    return None


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


_USUAL_GAPS = 1.5
_HANDOVER_NS = 60 * 10**9


@dataclass(frozen=True)
class _Link:
    file: File
    rotation: Rotation
    first_ns: int


def _follows(family: list[_Link], a: _Link, b: _Link) -> bool:
    x, y = a.rotation.number, b.rotation.number
    if x is not None and y is not None:
        step = -1 if a.rotation.backwards or b.rotation.backwards else 1
        numbers = [link.rotation.number or 0 for link in family]
        return y == x + step or (step > 0 and x == max(numbers) and y == min(numbers) and y < x)
    if len(family) == 2:
        return abs(a.file.modified_ns - b.first_ns) <= _HANDOVER_NS
    gaps = [q.first_ns - p.first_ns for p, q in zip(family, family[1:])]
    return b.first_ns - a.first_ns <= _USUAL_GAPS * statistics.median_high(gaps)


def _split(family: list[_Link], always: bool) -> Iterator[Job]:
    family.sort(key=lambda link: (link.first_ns, os.fsencode(link.file.path)))
    chain: list[File] = []
    for i, link in enumerate(family):
        if chain and not always and not _follows(family, family[i - 1], link):
            yield Job(tuple(chain))
            chain = []
        chain.append(link.file)
    yield Job(tuple(chain))


def chains(files: Iterable[File], how: str = "found", first: Callable[[str], int | None] = first_time) -> list[Job]:
    """Files to captures. how: "found", what names and times say; "all", the files of a folder are one; "none"."""
    families: dict[tuple[str, ...], list[tuple[File, Rotation]]] = {}
    jobs: list[Job] = []
    for file in files:
        rotation = Rotation((os.path.dirname(file.path),), None, False) if how == "all" else rotation_of(file.path)
        if how == "none" or rotation is None:
            jobs.append(Job((file,)))
        else:
            families.setdefault(rotation.family, []).append((file, rotation))
    for members in families.values():
        known = [(file, rotation, first(file.path) if len(members) > 1 else 0) for file, rotation in members]
        jobs += [Job((file,)) for file, _, time in known if time is None]
        family = [_Link(file, rotation, time) for file, rotation, time in known if time is not None]
        jobs += _split(family, how == "all") if family else []
    return jobs


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
