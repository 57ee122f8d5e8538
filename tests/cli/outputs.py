#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""outputs.py TCPWHY PCAPS: what -o names is there whole or as it was: when the disk is full, when the answer breaks off, when a signal
comes. Devices, pipes and standard output are written as they stand."""
import functools
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

OLD = "what was there before\n"
# Less than any of the answers.
FULL_BYTES = 500


def commands(capture, other):
    return {"report": ["report", capture, "-o", "out"], "diff": ["diff", capture, other, "-o", "out"],
            "diff as a page": ["diff", capture, other, "-o", "out.html"], "flow": ["flow", "--whole", capture, "-o", "out"],
            "graph": ["graph", "sequence", capture, "-o", "out"], "annotate": ["annotate", capture, "-o", "out"]}


class Outputs:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def run(self, *arguments, **more):
        return subprocess.run([self.tool, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=60, check=False, **more)

    def begun(self, name):
        """A folder with an old file of that name in it, and nothing else."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        (self.folder / name).write_text(OLD)
        return self.folder / name

    def changed(self, name, *or_else):
        """Problems, when the file is neither as it was nor one of or_else, or something stands beside it."""
        names = sorted(os.listdir(self.folder))
        if names != [name]:
            yield f"there is {names}"
        if (self.folder / name).read_bytes() not in (OLD.encode(), *or_else):
            yield "the file is not whole"


def no_more_room():
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_BYTES, FULL_BYTES))


def check_commands(tap, outputs, capture, other):
    for what, command in commands(capture, other).items():
        name = command[-1]
        outputs.begun(name)
        done = outputs.run(*command, preexec_fn=no_more_room)
        wrong = list(outputs.changed(name))
        if done.returncode != 1 or done.stderr.count(b"\n") != 1 or name.encode() not in done.stderr:
            wrong.append(f"exit {done.returncode}: {done.stderr!r}")
        tap.check(f"{what}: on a full disk the old file is whole, and it is said", wrong)
        file = outputs.begun(name)
        file.chmod(0o640)
        done = outputs.run(*command)
        now = file.read_bytes()
        wrong = [f"exit {done.returncode}: {done.stderr!r}"] if done.returncode or len(now) <= FULL_BYTES else []
        if stat.S_IMODE(file.stat().st_mode) != 0o640 or os.listdir(outputs.folder) != [name]:
            wrong.append(f"mode {stat.S_IMODE(file.stat().st_mode):o}, {os.listdir(outputs.folder)}")
        tap.check(f"{what}: the new file takes the place of the old one, and its mode", wrong)
        missing = outputs.run(*[str(c).replace(str(capture), "missing") for c in command])
        tap.check(f"{what}: a capture that is not there leaves the file as it is",
                  (missing.returncode != 1 or file.read_bytes() != now) and f"exit {missing.returncode}: {missing.stderr!r}")


def check_links(tap, outputs, capture):
    file = outputs.begun("real")
    (outputs.folder / "link").symlink_to("real")
    done = outputs.run("report", capture, "-o", "link")
    tap.check("a link stays, and what it leads to is new",
              (done.returncode or not (outputs.folder / "link").is_symlink() or not file.read_text().startswith("<!")) and f"{done}")


def read_pipe(path, out):
    out.append(path.read_bytes())


def check_as_they_stand(tap, outputs, capture):
    outputs.begun("old")
    page = outputs.run("report", capture, "-o", "-").stdout
    full = outputs.run("report", capture, "-o", "/dev/full")
    tap.check("a full device is told", (full.returncode != 1 or b"No space left" not in full.stderr) and f"{full}")
    os.mkfifo(outputs.folder / "pipe")
    got = []
    reader = threading.Thread(target=read_pipe, args=(outputs.folder / "pipe", got), daemon=True)
    reader.start()
    outputs.run("report", capture, "-o", "pipe")
    reader.join(10)
    tap.check("a pipe gets it", (got != [page] or not stat.S_ISFIFO((outputs.folder / "pipe").stat().st_mode)) and "it did not")
    with open(outputs.folder / "shell", "wb") as file:
        subprocess.run([outputs.tool, "report", capture, "-o", "/dev/stdout"], stdout=file, timeout=60, check=True)
    tap.check("standard output by name gets it", ((outputs.folder / "shell").read_bytes() != page or len(os.listdir(outputs.folder)) != 3) and "it did not")


def check_signals(tap, outputs, capture):
    """As soon as there is something beside the old file; some runs are over before, some have just put the new one in its place."""
    whole = outputs.run("annotate", capture, "-o", outputs.begun("out")) and (outputs.folder / "out").read_bytes()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        wrong, left = [], 0
        for _ in range(40):
            outputs.begun("out")
            # who runs the tests may ignore it (nohup), and what he starts would as well
            with subprocess.Popen([outputs.tool, "annotate", capture, "-o", "out"], cwd=outputs.folder, stdout=subprocess.DEVNULL,
                                  preexec_fn=functools.partial(signal.signal, number, signal.SIG_DFL)) as process:
                while process.poll() is None and len(os.listdir(outputs.folder)) == 1:
                    pass
                if process.poll() is None:
                    process.send_signal(number)
                ended = process.wait(10)
            if ended != -number:
                continue
            left += 1
            wrong += list(outputs.changed("out", whole))
        if not left:
            wrong.append("every run was over before the signal came")
        tap.check(f"{number.name} leaves the old file and nothing beside it", wrong)


def check_pictures(tap, outputs, capture):
    """batch --pictures: one for each capture that lost time, whole, and beside the archive."""
    outputs.begun("old")
    healthy = pathlib.Path(capture).parent.parent / "nginx_nodelay/client.pcap"
    for out in ("a.csv", *(["a.sqlite"] if outputs.run("query").returncode == 0 else [])):
        done = outputs.run("batch", "--pictures", capture, healthy, "-o", out)
        folder = outputs.folder / f"{out}.pictures"
        names = sorted(os.listdir(folder)) if folder.is_dir() else []
        wrong = [f"exit {done.returncode}: {done.stderr!r}"] if done.returncode else []
        wrong += [n for n in names if not (n.startswith("client.pcap-") and n.endswith(".svg") and "</svg>" in (folder / n).read_text()[-20:])]
        tap.check(f"batch --pictures -o {out} draws the worst stream beside the archive", wrong + ([] if names else ["no picture"]))


def check_broken_answer(tap, outputs, capture):
    """A page that breaks off in the middle is none: an archive whose tables are not those of its version."""
    outputs.begun("out.html")
    database = outputs.folder.parent / "broken.sqlite"
    outputs.run("batch", capture, "-o", database)
    with sqlite3.connect(database) as db:
        db.execute("DROP TABLE captures")
        db.execute("CREATE TABLE captures (x)")
    done = outputs.run("query", database, "--html", "-o", "out.html")
    tap.check("a page that breaks off leaves the old one", [*outputs.changed("out.html"), *(["it did not fail"] if done.returncode != 1 else [])])


def main():
    tool, pcaps = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    capture, other = pcaps / "nginx_nagle_delack/client.pcap", pcaps / "nginx_nodelay/client.pcap"
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        outputs = Outputs(tool, pathlib.Path(folder) / "in")
        check_commands(tap, outputs, capture, other)
        check_links(tap, outputs, capture)
        check_as_they_stand(tap, outputs, capture)
        check_signals(tap, outputs, capture)
        check_pictures(tap, outputs, capture)
        if outputs.run("query").returncode == 0:
            check_broken_answer(tap, outputs, capture)


if __name__ == "__main__":
    main()
