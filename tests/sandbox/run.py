#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY LOCKED SANITIZER TOP: behind its lock the process has the files that were named and nothing else.

LOCKED locks itself in by the same code and tries. Of tcpwhy itself /proc tells whether it is locked, and every command is run with a
link, a pipe or a folder that the lock must let through.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

DENIED = "Permission denied"      # EACCES: Landlock
REFUSED = "Operation not permitted"  # EPERM: seccomp
FILES = {"read what is named": "done", "write what is to be read": DENIED, "read another": DENIED, "write another": DENIED,
         "make another": DENIED, "read a folder": DENIED, "make one beside the output": "done", "move it there": "done"}
CALLS = {"change a mode": REFUSED, "socket": REFUSED, "local socket": REFUSED, "trace": REFUSED, "signal another": REFUSED, "signal itself": "done",
         "signal its group": REFUSED, "thread": "done",
         "memory": "done", "code": REFUSED, "fork": REFUSED, "exec": REFUSED}


def tried(locked, folder):
    for name in ("read", "other"):
        (folder / name).write_text(name)
    (folder / "out").mkdir()
    done = subprocess.run([locked, "read", "out/written", "other"], cwd=folder, capture_output=True, text=True, check=True)
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


def check_tried(tap, locked, folder, kernel):
    came = tried(locked, folder)
    for holds, table, what in ((" ABI " in kernel, FILES, "Landlock"), (", seccomp" in kernel, CALLS, "seccomp")):
        for name, want in table.items():
            if holds:
                tap.check(f"behind the lock: {name}: {want}", came.get(name) != want and f"{came.get(name)}")
            else:
                tap.skip(f"behind the lock: {name}: {want}", f"no {what} here")


def status(pid):
    return dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)


def not_locked(command, folder):
    """Problems, when a command that waits for the first byte of its capture is not locked."""
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            for _ in range(200):
                now = status(process.pid)
                if now.get("Seccomp") == "2" and now.get("NoNewPrivs") == "1":
                    return None
                time.sleep(0.02)
            return f"Seccomp {now.get('Seccomp')}, NoNewPrivs {now.get('NoNewPrivs')}"
        finally:
            process.kill()


# What commands are asked, beside a capture by a pipe; those that are not named take that alone.
ASKED = {"annotate": ["-", "-o", "a.pcapng"], "as": ["wrk", "-"], "diff": ["-", "other.pcap"], "follow": ["-s", "0", "-"], "graph": ["rtt", "-"],
         "live": ["--follow", "live"], "report": ["-", "-o", "r.html"]}
WITHOUT_CAPTURE = {"causes", "completion", "help"}
APART = {"batch", "query"}  # what they read is no pipe


def commands(tool):
    listed = subprocess.run([tool, "help"], capture_output=True, text=True, check=True).stdout.partition("\nCommands")[2].partition("\nOptions:")[0]
    return [line.split()[0] for line in listed.splitlines() if re.match(r"  \w", line)]


def check_locked(tap, tool, folder, capture):
    (folder / "live").mkdir()
    shutil.copy(capture, folder / "other.pcap")
    tap.check("the diagnosis is locked while it reads", not_locked([tool, "-"], folder))
    for name in sorted(set(commands(tool)) - WITHOUT_CAPTURE - APART):
        tap.check(f"{name} is locked while it reads", not_locked([tool, name, *ASKED.get(name, ["-"])], folder))
    for n in range(300):
        os.link(capture, folder / f"live/{n}.pcap") if capture.stat().st_dev == folder.stat().st_dev \
            else shutil.copy(capture, folder / f"live/{n}.pcap")
    tap.check("batch is locked while it reads", not_locked([tool, "batch", "--no-chain", "--threads", "1", "live", "-o", "b.sqlite"], folder))


def failed(tool, *arguments, cwd, stdin=b"", says=b""):
    done = subprocess.run([tool, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True, timeout=60, check=False)
    if done.returncode or says not in done.stdout + done.stderr:
        return f"{arguments}: exit {done.returncode}: {done.stderr.decode(errors='replace')} {done.stdout[:200]!r}"
    return None


def check_lets_through(tap, tool, folder, capture):
    content = capture.read_bytes()
    (folder / "far").mkdir()
    shutil.copy(capture, folder / "far/there.pcap")
    (folder / "near").mkdir()
    (folder / "near/link.pcap").symlink_to("../far/there.pcap")
    tap.check("a link to a capture is followed", failed(tool, "near/link.pcap", cwd=folder, says=b"21 connections"))
    tap.check("a link in a folder is followed", failed(tool, "batch", "near", "-o", "near.sqlite", cwd=folder, says=b"1 capture,"))
    tap.check("batch takes names from a list", failed(tool, "batch", "-", "-o", "list.csv", cwd=folder, stdin=b"far/there.pcap\n", says=b"1 capture,"))
    tap.check("batch goes on with a folder of tables", failed(tool, "batch", "--resume", "near", "far", "-o", "list.csv", cwd=folder, says=b"1 capture,"))
    os.utime(folder / "far/there.pcap", (1, 1))
    tap.check("batch takes rows out of a folder of tables", failed(tool, "batch", "--resume", "far", "-o", "list.csv", cwd=folder, says=b"1 capture,"))
    tap.check("an archive is asked", failed(tool, "query", "near.sqlite", "lost-by-listener", cwd=folder, says=b"nagle_delayed_ack"))
    tap.check("a capture comes by a pipe", failed(tool, "-", cwd=folder, stdin=content, says=b"21 connections"))
    tap.check("/dev/stdin is a capture", failed(tool, "/dev/stdin", cwd=folder, stdin=content, says=b"21 connections"))
    tap.check("annotate copies what comes by a pipe", failed(tool, "annotate", "-", "-o", "pipe.pcapng", cwd=folder, stdin=content, says=b"3529 frames"))
    tap.check("a page is written through a link", failed(tool, "report", "far/there.pcap", "-o", "near/page.html", cwd=folder))
    tap.check("a filter knows the names of services", failed(tool, "-f", "port http-alt", "far/there.pcap", cwd=folder, says=b"21 connections"))
    tap.check("a filter knows names of hosts", failed(tool, "-f", "not host localhost", "far/there.pcap", cwd=folder, says=b"21 connections"))


def main():
    tool, locked, sanitizer, top = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    tool = str(pathlib.Path(tool).resolve())
    capture = (top / "pcaps/nginx_nagle_delack/client.pcap").resolve()
    kernel = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    if "address" in sanitizer or "thread" in sanitizer:
        skip_all("a sanitizer looks into its own process: there is no lock")
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        at = pathlib.Path(folder)
        (at / "tried").mkdir()
        check_tried(tap, pathlib.Path(locked).resolve(), at / "tried", kernel)
        if ", seccomp" in kernel:
            check_locked(tap, tool, at, capture)
        check_lets_through(tap, tool, at, capture)


if __name__ == "__main__":
    main()
