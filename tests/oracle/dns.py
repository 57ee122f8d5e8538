#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dns.py TCPWHY LIST: the times of `tcpwhy names` agree within 1 ms with tshark's dns.time, over the captures of a list.

tshark tells a time of each answer; tcpwhy of the first to each lookup. Answers on port 53 alone are compared.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import tshark

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

MOST_MS = 1.0
LEAST_SHARE = 0.99
# A bound for the test's time.
MOST_BYTES = 5_000_000
FIELDS = ["-T", "fields", "-e", "frame.number", "-e", "dns.time", "-e", "udp.port", "-e", "tcp.port"]


def lookups(tcpwhy, path):
    out = subprocess.run([tcpwhy, "names", "--json", path], capture_output=True, check=False)
    return {x["answer_frame"]: x["took_ms"] for x in json.loads(out.stdout)["lookups"] if x["answer_frame"]} if out.returncode == 0 else {}


def by_tshark(path):
    for line in tshark.said(path, "-Y", "dns.time", *FIELDS).splitlines():
        frame, time, udp, tcp = line.split("\t")
        if "," not in time and "53" in (udp + "," + tcp).split(","):
            yield int(frame), float(time) * 1e3


def main():
    tcpwhy, listed = sys.argv[1], pathlib.Path(sys.argv[2])
    if not listed.exists() or not shutil.which("tshark"):
        skip_all("no captures, or no tshark")
    compared, apart = 0, []
    for name in listed.read_text().split("\n"):
        path = listed.parent / "files" / name.strip()
        if not name.strip() or not path.is_file() or path.stat().st_size > MOST_BYTES:
            continue
        ours = lookups(tcpwhy, path)
        for frame, ms in by_tshark(path) if ours else ():
            if frame in ours:
                compared += 1
                apart += [f"{name} frame {frame}: {ours[frame]:.3f} ms, dns.time {ms:.3f} ms"] * (abs(ours[frame] - ms) > MOST_MS)
    with Tap() as tap:
        tap.note(f"{compared} answers compared, {len(apart)} apart")
        tap.check("there are answers to compare", [] if compared > 100 else f"{compared}")
        tap.check("times agree with dns.time", apart if len(apart) > (1 - LEAST_SHARE) * compared else [])


if __name__ == "__main__":
    main()
