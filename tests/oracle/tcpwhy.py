# SPDX-License-Identifier: MIT
"""What `tcpwhy segments --csv` says of a capture: one dict a frame."""
import csv
import io
import os
import subprocess
import tempfile


def run(tool, path):
    return subprocess.run([tool, "segments", "--csv", path], capture_output=True, text=True, errors="replace",
                          check=False)


def rows(tool, path, convert):
    """Rows by frame number, and what was said on a refusal.

    convert: let editcap rewrite what is neither pcap nor pcapng, as tcpwhy advises its user.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = run(tool, path)
        if convert and done.returncode and "editcap" in done.stderr:
            converted = os.path.join(folder, "converted.pcapng")
            subprocess.run(["editcap", "-F", "pcapng", path, converted], capture_output=True, check=False)
            if os.path.exists(converted):
                done = run(tool, converted)
    frames = {row["frame.number"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    return frames, done.stderr.strip() if done.returncode else ""
