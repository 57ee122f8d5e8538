#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bounds.py TCPWHY PCAPS: nothing is waited for that does not come: pipes named to batch, captures that unpack without end, file systems
that do not answer; and INT and TERM end every command, whatever it waits for."""
import functools
import gzip
import os
import pathlib
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

# What a signal, or a time that is over, may take to end a command on a busy machine; longer than batch waits for its workers.
SOON_S = 10
# Unanswered SYNs, each a connection of a kilobyte: more than a worker's share of the smallest memory.
SYNS = 16000
# A block of a pcapng that nobody knows, and how many of them make a bomb: 8 GB, which no machine unpacks in that time.
BLOCK_BYTES, BLOCKS = 1 << 24, 500


def bomb():
    """A pcapng without a packet: members of gzip one behind the other, of a block each."""
    head = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28) + struct.pack("<IIHHII", 1, 20, 1, 0, 0, 20)
    block = struct.pack("<II", 0xBAD, BLOCK_BYTES) + bytes(BLOCK_BYTES - 12) + struct.pack("<I", BLOCK_BYTES)
    return gzip.compress(head) + gzip.compress(block, 9) * BLOCKS


def flood():
    """A pcap with SYNs of one client, each from another port."""
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
    frames = []
    for i in range(SYNS):
        ip = struct.pack(">BBHHHBBH4sI", 0x45, 0, 40, 0, 0x4000, 64, 6, 0, bytes([10, 0, 0, 1]), 0x0A010000)
        tcp = struct.pack(">HHIIBBHHH", 10000 + i, 80, i, 0, 0x50, 2, 64240, 0, 0)
        frames.append(struct.pack("<IIII", i // 10000, i % 10000 * 100, 54, 54) + bytes(12) + b"\x08\x00" + ip + tcp)
    return head + b"".join(frames)


class Bounds:
    def __init__(self, tool, folder, capture):
        self.tool, self.folder, self.capture = tool, folder, capture
        shutil.copy(capture, folder / "good.pcap")
        (folder / "bomb.pcapng.gz").write_bytes(bomb())
        os.mkfifo(folder / "pipe.pcap")

    def run(self, *arguments, stdin=""):
        return subprocess.run([self.tool, *arguments], cwd=self.folder, input=stdin, capture_output=True, text=True, timeout=SOON_S, check=False)

    def errors(self, archive, column="error"):
        with sqlite3.connect(self.folder / archive) as db:
            rows = db.execute(f"SELECT path, {column} FROM captures").fetchall()
        db.close()
        return {pathlib.Path(path).name: value for path, value in rows}


def check_pipes(tap, bounds):
    done = bounds.run("batch", "pipe.pcap", "-o", "pipe.csv")
    tap.check("a pipe named to batch is refused, and not waited for",
              (done.returncode != 1 or "pipe.pcap: a pipe" not in done.stderr or done.stderr.count("\n") != 1 or (bounds.folder / "pipe.csv").exists())
              and f"{done}")
    done = bounds.run("batch", "-", "-o", "list.sqlite", stdin="pipe.pcap\ngood.pcap\n")
    tap.check("a pipe of a list is a row with its reason",
              (done.returncode or bounds.errors("list.sqlite") != {"good.pcap": None, "pipe.pcap": "a pipe or a device: copy it to a file first"})
              and f"{done}")
    os.mkfifo(bounds.folder / "good.pcap1")
    done = bounds.run("batch", "-", "-o", "chain.sqlite", stdin="good.pcap\ngood.pcap1\n")
    tap.check("a pipe that is named as a rotated file is not waited for", done.returncode and f"{done}")
    (bounds.folder / "good.pcap1").unlink()


def check_time(tap, bounds):
    begun = time.monotonic()
    done = bounds.run("batch", "--timeout", "0.5", "--threads", "1", "bomb.pcapng.gz", "good.pcap", "-o", "bomb.sqlite")
    tap.check("a capture of a batch that takes too long is a row with its reason, and the others are read",
              (done.returncode or bounds.errors("bomb.sqlite") != {"bomb.pcapng.gz": "took longer than 0.5 s: raise --timeout", "good.pcap": None})
              and f"{done} {bounds.errors('bomb.sqlite')} after {time.monotonic() - begun:.1f} s")
    again = bounds.run("batch", "--resume", "--timeout", "0.5", "bomb.pcapng.gz", "good.pcap", "-o", "bomb.sqlite")
    tap.check("the next run tries it again, and it alone", "; 1 already present" not in again.stdout and f"{again}")
    (bounds.folder / "old.html").write_text("old")
    done = bounds.run("report", "--timeout", "0.5", "bomb.pcapng.gz", "-o", "old.html")
    tap.check("a command that takes too long ends, and says so",
              (done.returncode != 1 or "--timeout" not in done.stderr or (bounds.folder / "old.html").read_text() != "old") and f"{done}")
    done = bounds.run("--timeout", "60", "good.pcap")
    tap.check("one that does not is not disturbed", (done.returncode or "21 connections" not in done.stdout) and f"{done}")
    tap.check("a time that is none is a matter of usage", bounds.run("--timeout", "soon", "good.pcap").returncode != 2 and "it is taken")
    tap.check("no time at all is a matter of usage", bounds.run("--timeout", "0", "good.pcap").returncode != 2 and "it is taken")


def check_memory(tap, bounds):
    (bounds.folder / "flood.pcap").write_bytes(flood())
    done = bounds.run("batch", "--memory", "16M", "--threads", "2", "flood.pcap", "good.pcap", "-o", "memory.sqlite")
    quality, error = (bounds.errors("memory.sqlite", column) for column in ("quality", "error"))
    tap.check("a capture of a batch that takes more than its share of --memory is a row that says what gave way",
              (done.returncode or "memory_" not in (quality["flood.pcap"] or "") or error["flood.pcap"]) and f"{done} {quality} {error}")
    tap.check("one beside it that does not is whole", ("memory_" in (quality["good.pcap"] or "") or error["good.pcap"]) and f"{quality} {error}")
    bounds.run("batch", "flood.pcap", "-o", "enough.sqlite")
    tap.check("with memory enough nothing gives way", "memory_" in (bounds.errors("enough.sqlite", "quality")["flood.pcap"] or "") and "something does")


# What each waits for: a writer of a pipe, names on standard input, a file that is not there yet, packets.
WAITING = {"the diagnosis of a pipe": ["pipe.pcap"], "segments of a pipe": ["segments", "pipe.pcap"], "report of a pipe": ["report", "pipe.pcap", "-o", "r"],
           "annotate of standard input": ["annotate", "-", "-o", "a"], "batch for a list": ["batch", "-", "-o", "l.sqlite"],
           "live for a file": ["live", "--follow", "not-yet.pcap"], "live for a folder": ["live", "--follow", "."],
           "the diagnosis of a bomb": ["bomb.pcapng.gz"], "batch of a bomb": ["batch", "--threads", "1", "bomb.pcapng.gz", "-o", "{}.sqlite"],
           "an answer to a pipe that nobody reads": ["segments", "--csv", "good.pcap"]}


def ended(bounds, command, number):
    """Problems, when the signal does not end it. Whoever runs the tests may ignore it (nohup), and what he starts would as well."""
    with subprocess.Popen([bounds.tool, *(c.format(number.name) for c in command)], cwd=bounds.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=functools.partial(signal.signal, number, signal.SIG_DFL)) as process:
        try:
            time.sleep(0.5)
            if process.poll() is not None:
                return f"it did not wait: {process.communicate()}"
            process.send_signal(number)
            process.wait(SOON_S)
            return None
        except subprocess.TimeoutExpired:
            return "it goes on"
        finally:
            process.kill()


def check_signals(tap, bounds):
    for what, command in WAITING.items():
        for number in (signal.SIGINT, signal.SIGTERM):
            tap.check(f"{number.name} ends {what}", ended(bounds, command, number))
    done = bounds.run("batch", "--resume", "good.pcap", "-o", "SIGTERM.sqlite")
    tap.check("what such a batch leaves can be gone on with", (done.returncode or bounds.errors("SIGTERM.sqlite") != {"good.pcap": None}) and f"{done}")


def main():
    tool, pcaps = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        bounds = Bounds(tool, pathlib.Path(folder), pcaps / "nginx_nagle_delack/client.pcap")
        check_pipes(tap, bounds)
        check_time(tap, bounds)
        check_memory(tap, bounds)
        check_signals(tap, bounds)


if __name__ == "__main__":
    main()
