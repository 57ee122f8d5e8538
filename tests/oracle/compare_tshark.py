# SPDX-License-Identifier: MIT
"""What tshark says of a capture: one dict a frame, cached by the file's hash."""
import csv
import hashlib
import os
import subprocess
import tempfile

FLAGS = [
    "retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order",
    "lost_segment", "ack_lost_segment", "duplicate_ack", "window_update", "window_full",
    "zero_window", "zero_window_probe", "zero_window_probe_ack", "keep_alive", "keep_alive_ack",
    "reused_ports",
]

# Compared one by one; tcpwhy names its CSV columns the same.
FIELDS = [
    "frame.time_epoch", "tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.ack",
    "tcp.len", "tcp.flags", "tcp.window_size",
    *("tcp.analysis." + flag for flag in FLAGS),
    "tcp.analysis.bytes_in_flight", "tcp.analysis.push_bytes_sent", "tcp.analysis.acks_frame",
    "tcp.analysis.ack_rtt", "tcp.analysis.initial_rtt", "tcp.analysis.rto",
    "tcp.analysis.rto_frame", "tcp.analysis.duplicate_ack_num",
    "tcp.analysis.duplicate_ack_frame", "tcp.completeness",
]

# Only to tell into which class of differences a frame belongs.
CONTEXT = [
    "frame.protocols", "frame.encap_type", "frame.len", "frame.cap_len", "ip.len", "ip.frag_offset",
    "ip.flags.mf", "ip.fragment.count", "ipv6.fragment.count", "tcp.hdr_len", "tcp.option_kind",
    "_ws.malformed",
]

COLUMNS = ["frame.number", *FIELDS, *CONTEXT]
SEPARATOR = "|"  # between several values of one field in one frame


def run_tshark(path):
    """tshark's own output, with the settings that it ships with."""
    with tempfile.TemporaryDirectory() as empty:
        command = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "header=y",
                   "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=" + SEPARATOR]
        for column in COLUMNS:
            command += ["-e", column]
        env = dict(os.environ, HOME=empty, XDG_CONFIG_HOME=empty, WIRESHARK_CONFIG_DIR=empty,
                   TZ="UTC", LC_ALL="C")
        done = subprocess.run(command, capture_output=True, env=env, check=False)
    return done.stdout


def version():
    first = subprocess.run(["tshark", "--version"], capture_output=True, text=True,
                           check=True).stdout.splitlines()[0]
    return first


_VERSION = None


def cached(path, cache):
    """The output for path, from the cache folder when the same bytes were seen before."""
    global _VERSION
    if _VERSION is None:
        _VERSION = version()
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        digest.update(file.read())
    digest.update("\n".join([_VERSION, *COLUMNS]).encode())
    kept = os.path.join(cache, digest.hexdigest() + ".tsv")
    if not os.path.exists(kept):
        os.makedirs(cache, exist_ok=True)
        output = run_tshark(path)
        with open(kept + ".part%d" % os.getpid(), "wb") as file:
            file.write(output)
        os.replace(file.name, kept)
    with open(kept, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def rows(path, cache):
    """Every frame of the capture as a dict of texts, TCP or not."""
    lines = cached(path, cache).split("\n")
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:] if line]
