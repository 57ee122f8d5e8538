#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY SCRIPT PCAPS: a stream of a capture, told as a script, has the ledger that the capture has.

Scripts tell no payload, so that the captures are those of which nothing but turn-taking is known.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

NS = {"ns": 1, "ms": 1_000_000}
GAP = re.compile(r"(\S+?)(ns|ms) \.\. (\S+?)(ns|ms) (\w+) (\w+)(?: rival (\w+))?(?: by (\w+))?$")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def of_capture(tool, capture):
    """Nanoseconds by cause, party, confidence and rival, as the command tells them."""
    total = collections.Counter()
    for row in json.loads(output(tool, "ledger", "--json", "-s", "0", capture))["ledger"]:
        total[row["cause"], row["party"] or "none", row["confidence"], row["rival"]] += round(row["ms"] * NS["ms"])
    return total


def of_script(script, path):
    total = collections.Counter()
    for line in output(script, "--ledger", path).splitlines():
        begin, begin_unit, end, end_unit, cause, confidence, rival, party = GAP.match(line).groups()
        ns = round(float(end) * NS[end_unit]) - round(float(begin) * NS[begin_unit])
        total[cause, party or "none", confidence, rival] += ns
    return total


def folder_script(folder, gap):
    """A handshake over 20 ms, of which that gap is expected."""
    path = pathlib.Path(folder) / "handshake.script"
    path.write_text(f"test a_handshake\n    open C 20ms\n    expect ledger\n        {gap}\n", encoding="utf-8")
    return path


def main():
    tool, script, pcaps = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    names = ("nagle_python_rtt10", "random_loss_1pct", "rcvbuf_64k_20ms", "reorder_no_loss", "rto_tail_loss", "server_think_300ms")
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        for name in names:
            for capture in sorted((pcaps / name).glob("*.pcap")):
                path = pathlib.Path(folder) / "stream.script"
                path.write_text(output(tool, "segments", "-s", "0", "--script", capture), encoding="utf-8")
                want, have = of_capture(tool, capture), of_script(script, path)
                problem = [f"{key}: {want[key]} ns, of the script {have[key]} ns" for key in sorted(want | have, key=str)
                           if want[key] != have[key]]
                tap.check(f"{name}/{capture.name} and its script have the same ledger", problem)
        differs = folder_script(folder, "0 .. 10ms handshake certain by path")
        done = subprocess.run([script, differs], capture_output=True, text=True, check=False)
        shown = all(line in done.stdout for line in ("  - 0ms .. 10ms handshake", "  + 0ms .. 20.01ms handshake"))
        tap.check("a ledger that differs fails, and shows each gap", None if done.returncode == 1 and shown else done.stdout)
        same = subprocess.run([script, folder_script(folder, "0 .. 20.01ms handshake certain by path")], check=False, stdout=subprocess.DEVNULL)
        tap.check("one that is the same passes", None if same.returncode == 0 else "it fails")
        wrong = subprocess.run([script, folder_script(folder, "0 .. nowhere")], capture_output=True, text=True, check=False)
        tap.check("a line that makes no sense ends the run", None if wrong.returncode == 2 and ".script:4" in wrong.stdout else wrong.stdout)
        done = subprocess.run([tool, "segments", "--script", capture], capture_output=True, text=True, check=False)
        tap.check("a script of several streams is refused", None if done.returncode == 2 and "one stream" in done.stderr else done.stderr)


if __name__ == "__main__":
    main()
