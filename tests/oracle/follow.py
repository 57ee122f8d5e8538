# SPDX-License-Identifier: MIT
"""Compare `tcpwhy follow` with `tshark -z follow`, byte by byte, for the streams of one capture.

Streams that tcpwhy and tshark build from different frames (a tunnel, a link type, a file format) are counted
separately.
"""
import collections
import functools
import pathlib
import subprocess

import tshark

OUTCOMES = ("same", "known", "apart", "differs")
KNOWN = pathlib.Path(__file__).resolve().parent / "follow-known.txt"
LIMIT_S = 300


@functools.cache
def known_differences():
    """(capture, stream) of each line of follow-known.txt."""
    lines = KNOWN.read_text(encoding="utf-8").split("\n")
    return {tuple(line.split("\t")[:2]) for line in lines if line and not line.startswith("#")}


def frames_of(ours):
    """Stream number -> its frames, as tcpwhy counts."""
    streams = collections.defaultdict(list)
    for number, row in ours.items():
        streams[row["tcp.stream"]].append(int(number))
    return streams


def digest_of(tool, path, stream, layout):
    command = [tool, "follow", path, "-s", stream, "--" + layout]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=LIMIT_S, check=False)
    return tshark.digest(done.stdout) if done.returncode == 0 else None


def is_same(tool, path, stream, followed):
    return all(digest_of(tool, path, stream, layout) == followed[layout][stream]
               for layout in tshark.LAYOUTS if stream in followed[layout])


def outcomes(tool, path, shown, view, ours):
    """How often each outcome, and where tcpwhy differs; ours: its rows by frame number."""
    counts, differing = collections.Counter(), []
    own_frames = frames_of(ours)
    for stream, frames in view["frames"].items():
        if frames != own_frames.get(stream):
            outcome = "apart"
        elif (shown, stream) in known_differences():
            outcome = "known"
        elif is_same(tool, path, stream, view["followed"]):
            outcome = "same"
        else:
            outcome = "differs"
            differing.append(f"{shown} stream {stream}")
        counts[outcome] += 1
    return counts, differing
