# SPDX-License-Identifier: MIT
"""Output of `tcpwhy segments --csv` for a capture: one dict per frame."""
import csv
import io
import os
import subprocess


def run(tool, path):
    return subprocess.run([tool, "segments", "--csv", path], capture_output=True, text=True, errors="replace",
                          check=False)


def rows(tool, path, converted):
    """Rows by frame number, what was said on a refusal, and the path that was read.

    converted: where editcap is to put what is neither pcap nor pcapng, as tcpwhy advises its user; None to let it be.
    """
    done = run(tool, path)
    if converted and done.returncode and "editcap" in done.stderr:
        subprocess.run(["editcap", "-F", "pcapng", path, converted], capture_output=True, check=False)
        if os.path.exists(converted):
            path, done = converted, run(tool, converted)
    frames = {row["frame.number"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    return frames, done.stderr.strip() if done.returncode else "", path
