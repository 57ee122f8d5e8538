# SPDX-License-Identifier: MIT
"""What tshark says of a capture: one dict a frame, kept in a cache by the hash of the file."""
import functools
import hashlib
import os
import subprocess
import tempfile

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


def run(path):
    """tshark's own output, in one pass, with the settings that it ships with."""
    command = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "header=y", "-E", "separator=/t",
               "-E", "occurrence=a", "-E", "aggregator=" + SEPARATOR]
    for column in COLUMNS:
        command += ["-e", column]
    with tempfile.TemporaryDirectory() as empty:
        env = dict(os.environ, HOME=empty, XDG_CONFIG_HOME=empty, WIRESHARK_CONFIG_DIR=empty, TZ="UTC", LC_ALL="C")
        return subprocess.run(command, capture_output=True, env=env, check=False).stdout


@functools.cache
def version():
    """The first line of tshark --version, or "" when there is no tshark."""
    try:
        return subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return ""


def cached(path, cache):
    """The output for path, from the cache folder when the same bytes were seen before."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        digest.update(file.read())
    digest.update("\n".join([version(), *COLUMNS]).encode())
    kept = os.path.join(cache, digest.hexdigest() + ".tsv")
    if not os.path.exists(kept):
        os.makedirs(cache, exist_ok=True)
        with open(f"{kept}.{os.getpid()}", "wb") as file:
            file.write(run(path))
        os.replace(file.name, kept)
    with open(kept, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def rows(path, cache):
    """Every frame of the capture as a dict of texts, whether it holds TCP or not."""
    lines = cached(path, cache).split("\n")
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:] if line]
