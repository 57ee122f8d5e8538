# SPDX-License-Identifier: MIT
"""python3 -m tcpwhy batch: as `tcpwhy batch`, into a folder of Parquet."""
from __future__ import annotations

import argparse
import datetime
import os
import re
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from ._captures import Job, chains, find

# A part is written when its captures are so many, or so large in memory.
MOST_CAPTURES, MOST_BYTES = 512, 128 << 20
LINE_EVERY_S, BAR_EVERY_S = 10.0, 0.2
# A capture costs about as much as so many bytes of one, however small it is.
CAPTURE_BYTES = 256 << 10


def _newer(text: str) -> int:
    """A date, an age, or a file's time, in nanoseconds since the epoch."""
    age = re.fullmatch(r"(\d{1,6})([mhdw])", text)
    if age:
        return time.time_ns() - int(age[1]) * {"m": 60, "h": 3600, "d": 86400, "w": 604800}[age[2]] * 10**9
    try:
        return int(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc).timestamp()) * 10**9
    except ValueError:
        pass
    try:
        return os.stat(text).st_mtime_ns
    except OSError:
        raise argparse.ArgumentTypeError(f"{text}: give a date (2026-11-20), an age (36h, 7d) or a file") from None


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    if not match:
        raise argparse.ArgumentTypeError(f"{text}: give a size, as 800M or 4G")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m tcpwhy", description="Many captures into one archive of Parquet tables.")
    batch = parser.add_subparsers(dest="command", required=True).add_parser("batch", help="as `tcpwhy batch`, into Parquet")
    batch.add_argument("path", nargs="*", help='a capture, a folder, a pattern, or "-": a list on standard input')
    batch.add_argument("-o", "--output", required=True, help="a folder, OUT.parquet")
    batch.add_argument("-f", "--filter", help="look only at frames that this BPF expression lets pass")
    batch.add_argument("--resume", action="store_true", help="go on with an OUT that is there")
    batch.add_argument("--glob", help="in folders, files of such names alone")
    batch.add_argument("--newer", type=_newer, help="only files changed after: 2026-11-20, 36h, 7d, or a file")
    batch.add_argument("--files-from", help='read names from there, one a line; "-": standard input')
    batch.add_argument("--chain", action="store_const", dest="how", const="all", default="found",
                       help="the files of a folder are one capture that was rotated")
    batch.add_argument("--no-chain", action="store_const", dest="how", const="none", help="each file is a capture")
    batch.add_argument("--partition-by-day", action="store_true", help="a folder for each day of first frames, UTC")
    batch.add_argument("--memory", type=_size, default=0, help="need no more than about so much (800M, 4G)")
    batch.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="work on so many processors")
    options = parser.parse_args(arguments)
    if not options.output.rstrip("/").endswith(".parquet"):
        parser.error(f"{options.output}: name it .parquet; the tcpwhy command writes .sqlite, .csv and .ndjson")
    if not options.path and not options.files_from:
        parser.error("no capture named")
    return options


def _listed(path: str) -> list[str]:
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        text = file.read()
    return [os.fsdecode(name) for name in text.split(b"\0" if b"\0" in text else b"\n") if name]


class _Progress:
    """A bar on a terminal, a line every ten seconds elsewhere; on standard error."""

    def __init__(self, jobs: list[Job]) -> None:
        self.lock, self.begun, self.shown = threading.Lock(), time.monotonic(), time.monotonic()
        self.total, self.total_bytes = len(jobs), sum(job.size_bytes for job in jobs)
        self.done = self.failed = self.done_bytes = 0
        self.terminal = sys.stderr.isatty()

    def add(self, read: int = 0, done: int = 0, failed: int = 0) -> None:
        with self.lock:
            self.done, self.failed, self.done_bytes = self.done + done, self.failed + failed, self.done_bytes + read
            now = time.monotonic()
            if now - self.shown >= (BAR_EVERY_S if self.terminal else LINE_EVERY_S):
                self.shown = now
                print(self._line(now), end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def _line(self, now: float) -> str:
        rate = self.done_bytes / max(now - self.begun, 1e-3)
        share = (self.done_bytes + CAPTURE_BYTES * self.done) / max(self.total_bytes + CAPTURE_BYTES * self.total, 1)
        left = f", {(now - self.begun) * (1 / share - 1):.0f} s left" if 0 < share < 1 else ""
        failed = f", {self.failed} failed" if self.failed else ""
        text = f"{int(share * 100)} %{left}, {self.done} of {self.total} captures{failed}, {rate / 1e6:.0f} MB/s"
        bar = "#" * int(share * 20)
        return f"\r[{bar:.<20}] {text}\033[K" if self.terminal else f"tcpwhy: {text}"

    def end(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _batch(options: argparse.Namespace) -> int:
    # Not before it is known what is wanted: pyarrow may be missing, and takes its time.
    from ._job_tables import analyze_job
    from ._parquet import Archive

    names = [path for path in options.path if path != "-"]
    listed = [name for path in options.path if path == "-" for name in _listed("-")]
    listed += _listed(options.files_from) if options.files_from else []
    jobs = chains(find(names, listed=listed, pattern=options.glob, newer_ns=options.newer), options.how)
    if not jobs and options.newer is not None and find(names, listed=listed, pattern=options.glob):
        print("tcpwhy: nothing to do: no file was changed since", file=sys.stderr)
        return 0
    if not jobs:
        raise FileNotFoundError("no captures there: name some, or say with --glob how they are named")
    archive = Archive(options.output, resume=options.resume, by_day=options.partition_by_day)
    todo = sorted(archive.missing(jobs), key=lambda job: (-job.size_bytes, job.capture_id))
    archive.forget(todo)
    progress, memory = _Progress(todo), (options.memory or options.threads * (512 << 20)) // options.threads

    def work(job: Job) -> tuple[Job, dict[str, "object"]]:
        told = 0

        def tell(done: int, total: int) -> None:
            nonlocal told
            progress.add(done - told)
            told = done

        tables = analyze_job(job, filter=options.filter, memory_bytes=memory, on_progress=tell)
        progress.add(job.size_bytes - told, 1, tables["captures"]["error"][0].is_valid)
        return job, tables

    ready: list[tuple[Job, dict[str, object]]] = []
    ready_bytes = 0

    with ThreadPoolExecutor(options.threads) as pool:
        waiting = iter(todo)
        # A few more than there are threads: what is finished is written before much more is.
        running: set[Future[tuple[Job, dict[str, object]]]] = {pool.submit(work, job) for _, job in zip(range(2 * options.threads), waiting)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                ready.append(future.result())
                ready_bytes += sum(table.nbytes for table in ready[-1][1].values())  # type: ignore[attr-defined]
            if len(ready) >= MOST_CAPTURES or ready_bytes >= MOST_BYTES:
                archive.put(ready)
                ready, ready_bytes = [], 0
            running |= {pool.submit(work, job) for _, job in zip(done, waiting)}
    if ready:
        archive.put(ready)
    archive.close()
    progress.end()
    print(f"{options.output}: {progress.done} captures in {time.monotonic() - progress.begun:.1f} s"
          + (f"; {len(jobs) - len(todo)} were in it already" if len(jobs) > len(todo) else "")
          + (f"; {progress.failed} could not be read (captures.error says why)" if progress.failed else ""))
    return 0 if len(jobs) > progress.failed else 1


def main(arguments: list[str] | None = None) -> int:
    """The command; its exit status."""
    options = _arguments(arguments)
    try:
        return _batch(options)
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        print("tcpwhy: Parquet is written by pyarrow, which is not there: pip install pyarrow", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tcpwhy: {error.filename}: {error.strerror}" if error.filename else f"tcpwhy: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"tcpwhy: {options.output}: interrupted: give --resume to go on", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
