# SPDX-License-Identifier: MIT
"""What `tcpwhy segments --csv` says of a capture: one dict a frame."""
import csv
import gzip
import io
import os
import subprocess
import tempfile

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def plain(path, folder):
    """The capture itself where the file is a compressed one: tcpwhy asks its user to do the same."""
    with open(path, "rb") as file:
        magic = file.read(4)
    unpacked = os.path.join(folder, "unpacked")
    if magic.startswith(GZIP):
        with gzip.open(path) as packed, open(unpacked, "wb") as file:
            file.write(packed.read())
        return unpacked
    if magic == ZSTD:
        with open(unpacked, "wb") as file:
            subprocess.run(["zstd", "-qdc", path], stdout=file, check=True)
        return unpacked
    return path


def run(tool, path):
    return subprocess.run([tool, "segments", "--csv", path], capture_output=True, text=True, errors="replace",
                          check=False)


def rows(tool, path, convert):
    """Rows by frame number, and what was said on a refusal.

    convert: let editcap rewrite what is neither pcap nor pcapng, as tcpwhy advises its user.
    """
    with tempfile.TemporaryDirectory() as folder:
        capture = plain(path, folder)
        done = run(tool, capture)
        if convert and done.returncode and "editcap" in done.stderr:
            converted = os.path.join(folder, "converted.pcapng")
            subprocess.run(["editcap", "-F", "pcapng", capture, converted], capture_output=True, check=False)
            if os.path.exists(converted):
                done = run(tool, converted)
    frames = {row["frame.number"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    return frames, done.stderr.strip() if done.returncode else ""
