# SPDX-License-Identifier: MIT
"""Output of tshark for a capture: one dict per frame, and its streams; kept by the hash of the file."""
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import kept  # noqa: E402

FLAGS = [
    "retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order", "lost_segment",
    "ack_lost_segment", "duplicate_ack", "window_update", "window_full", "zero_window", "zero_window_probe",
    "zero_window_probe_ack", "keep_alive", "keep_alive_ack", "reused_ports",
]

# Compared one by one; tcpwhy names its CSV columns the same.
FIELDS = [
    "frame.time_epoch", "tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.ack", "tcp.len", "tcp.flags",
    "tcp.window_size", *("tcp.analysis." + flag for flag in FLAGS), "tcp.analysis.bytes_in_flight",
    "tcp.analysis.push_bytes_sent", "tcp.analysis.acks_frame", "tcp.analysis.ack_rtt", "tcp.analysis.initial_rtt",
    "tcp.analysis.rto", "tcp.analysis.rto_frame", "tcp.analysis.duplicate_ack_num",
    "tcp.analysis.duplicate_ack_frame", "tcp.completeness",
]

# Only to tell to which class of differences a frame belongs.
CONTEXT = [
    "frame.protocols", "frame.encap_type", "frame.len", "frame.cap_len", "ip.len", "ip.frag_offset", "ip.flags.mf",
    "ip.fragment.count", "ipv6.fragment.count", "tcp.hdr_len", "tcp.option_kind", "_ws.malformed",
]

COLUMNS = ["frame.number", *FIELDS, *CONTEXT]
SEPARATOR = "|"  # between the values of a field that is in one frame several times


LAYOUTS = ("raw", "hex")
HEX_STREAMS = 2      # of a capture, printed in hex too
FIRST_STREAMS = 20   # are followed in the run that prints the fields; captures with more take further runs
BATCH = 100          # streams in one of those
SECTION = re.compile(rb"(?=\n={67}\nFollow: tcp,(?:raw|hex)\n)")


def digest(data):
    return hashlib.sha256(data).hexdigest()


def run(path, arguments):
    """tshark's own output, in one pass, with the settings that it ships with."""
    with tempfile.TemporaryDirectory() as empty:
        env = dict(os.environ, HOME=empty, XDG_CONFIG_HOME=empty, WIRESHARK_CONFIG_DIR=empty, TZ="UTC", LC_ALL="C")
        return subprocess.run(["tshark", "-n", "-r", path, *arguments], capture_output=True, env=env, check=False).stdout


def fields():
    command = ["-T", "fields", "-E", "header=y", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=" + SEPARATOR]
    return command + [word for column in COLUMNS for word in ("-e", column)]


def taps(layout, streams):
    return [word for stream in streams for word in ("-z", f"follow,tcp,{layout},{stream}")]


def digests(sections, layout, streams):
    """Stream number -> the digest of what tshark prints for it."""
    numbers = ((re.search(rb"^Filter: tcp\.stream eq (\d+)$", part, re.M), part) for part in sections
               if f"Follow: tcp,{layout}\n".encode() in part[:100])
    return {number.group(1).decode(): digest(part) for number, part in numbers if number and number.group(1).decode() in streams}


def as_dicts(text):
    """Every frame of the capture as a dict of texts, whether it holds TCP or not."""
    return [dict(zip(COLUMNS, line.split("\t"))) for line in text.split("\n")[1:] if line]


def frames_of(rows, most):
    """Stream number -> its frames, of the first streams."""
    streams = {}
    for row in rows:
        if row["tcp.stream"]:
            streams.setdefault(row["tcp.stream"].split(SEPARATOR)[0], []).append(int(row["frame.number"]))
    return {number: streams[number] for number in sorted(streams, key=int)[:most]}


def see(path, most):
    """The text of all rows; the frames of the first streams, and the digests of what they say. most: None for all streams.

    One run does for nearly every capture: the number of its streams is not known before, but asking for more does no harm.
    """
    few = [str(stream) for stream in range(FIRST_STREAMS if most is None else min(most, FIRST_STREAMS))]
    text, *sections = SECTION.split(run(path, fields() + taps("raw", few) + taps("hex", few[:HEX_STREAMS])))
    text = text.decode(errors="replace")
    frames = frames_of(as_dicts(text), most)
    wanted = {"raw": list(frames), "hex": list(frames)[:HEX_STREAMS]}
    if set(wanted["hex"]) - set(few[:HEX_STREAMS]):
        sections += SECTION.split(run(path, ["-q"] + taps("hex", wanted["hex"])))
    more = [stream for stream in wanted["raw"] if stream not in few]
    for at in range(0, len(more), BATCH):
        sections += SECTION.split(run(path, ["-q"] + taps("raw", more[at:at + BATCH])))
    return {"text": text, "frames": frames, "followed": {layout: digests(sections, layout, wanted[layout]) for layout in LAYOUTS}}


@functools.cache
def version():
    """The first line of tshark --version, or "" when there is no tshark."""
    try:
        return subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return ""


@functools.cache
def told_by():
    """All that decides what this file says of the same bytes."""
    return version() + pathlib.Path(__file__).read_text(encoding="utf-8")


def said(path, *arguments):
    """What tshark prints for these arguments."""
    key = kept.key_of(told_by(), pathlib.Path(path).read_bytes(), *arguments)
    return kept.value("tshark", key, lambda: run(path, arguments).decode(errors="replace"))


def view(path, most):
    """What see() sees, with the rows as dicts."""
    seen = kept.value("tshark", kept.key_of(told_by(), pathlib.Path(path).read_bytes(), most), lambda: see(path, most))
    return {"rows": as_dicts(seen["text"]), **seen}
