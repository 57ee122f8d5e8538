# SPDX-License-Identifier: MIT
"""The kernel's own account of a socket (struct tcp_info of <linux/tcp.h>), as truth.json holds it."""
import socket
import struct

# Fields in the order of the kernel's struct; a "-" is read and left out.
BYTES = ["state", "ca_state", "-retransmits", "-probes", "-backoff", "options", "wscale", "-flags"]
WORDS = [
    "rto_us", "ato_us", "snd_mss", "rcv_mss", "-unacked", "-sacked", "-lost", "-retrans", "-fackets",
    "-last_data_sent", "-last_ack_sent", "-last_data_recv", "-last_ack_recv", "pmtu", "-rcv_ssthresh",
    "rtt_us", "rttvar_us", "snd_ssthresh", "snd_cwnd", "-advmss", "reordering", "rcv_rtt_us", "-rcv_space",
    "total_retrans",
]  # fmt: skip
LAYOUT = [
    ("B", BYTES),
    ("I", WORDS),
    ("Q", ["-pacing_rate", "-max_pacing_rate", "bytes_acked", "bytes_received"]),
    ("I", ["segs_out", "segs_in", "-notsent_bytes", "min_rtt_us", "data_segs_in", "data_segs_out"]),
    ("Q", ["-delivery_rate", "busy_us", "rwnd_limited_us", "sndbuf_limited_us"]),
    ("I", ["delivered", "-delivered_ce"]),
    ("Q", ["bytes_sent", "bytes_retrans"]),
    ("I", ["dsack_dups", "reord_seen", "rcv_ooopack", "snd_wnd", "-rcv_wnd", "-rehash"]),
    ("H", ["total_rto", "-total_rto_recoveries"]),
]


def read(sock):
    """TCP_INFO of a socket as a dictionary; fields that this kernel lacks are None."""
    raw = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 512)
    info, at = {}, 0
    for code, names in LAYOUT:
        size = struct.calcsize(code)
        for name in names:
            if not name.startswith("-"):
                info[name] = struct.unpack_from("=" + code, raw, at)[0] if at + size <= len(raw) else None
            at += size
    return info
