# SPDX-License-Identifier: MIT
"""Captures that stress the page: names that try to escape their context, and the maximum number of streams and frames."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402

# What http_404 asks for, and what is asked for instead: as long, each with another way out of HTML, JSON, JavaScript or a terminal.
ASKED = b"/nothing-here"
HOSTILE = [b"/</script><b>", b"/<!--<script>", b"/'\"><i\\\\\"';&=", "/a\u2028b\u2029c'];".encode()[:13], b"/\x1b[31m\x07\x00\x7f\xff\xfe<u"]
HOSTILE_FILE = "<img src=x onerror=alert(1)>\"'&\u2028.pcapng"
HOSTILE_COMMENT = "</title><script>hacked = 1</script>\n<svg onload=hacked=1>\u202ereversed"

# Streams of one each, of 1,800 to 4,000 frames; 100 of them are a large page.
PARTS = ["random_loss_1pct", "rcvbuf_64k_20ms", "zero_window_slow_reader", "sndbuf_16k_20ms", "app_writes_32k_negative", "reorder_no_loss",
         "healthy_lan", "sndbuf_upload_30ms", "client_write_write_read", "no_window_scale_35ms"]
STREAMS = 100


def block(kind, body):
    body += b"\0" * (-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def pcapng(records, comment):
    """Records as pcapng with a section comment."""
    text = comment.encode()
    option = struct.pack("<HH", 1, len(text)) + text + b"\0" * (-len(text) % 4) + b"\0" * 4
    nanoseconds = struct.pack("<HHB3xHH", 9, 1, 9, 0, 0)
    blocks = [block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + option), block(1, struct.pack("<HHI", 1, 0, 0) + nanoseconds)]
    for r in records:
        blocks.append(block(6, struct.pack("<IIIII", 0, r.ns >> 32, r.ns & 0xFFFFFFFF, len(r.packet), r.original) + r.packet))
    return b"".join(blocks)


def hostile(pcaps, folder):
    """Write the capture whose every name is hostile. @return its path."""
    _, records = pcapfile.read(pcaps / "http_404/client.pcap")
    changed, n = [], 0
    for r in records:
        if ASKED in r.packet:
            r = r._replace(packet=r.packet.replace(ASKED, HOSTILE[n % len(HOSTILE)]))
            n += 1
        changed.append(r)
    path = folder / HOSTILE_FILE
    path.write_bytes(pcapng(changed, HOSTILE_COMMENT))
    return path


def slow(pcaps, folder):
    """Write a capture in which everything took ten thousand times as long: hours. @return its path."""
    header, records = pcapfile.read(pcaps / "client_idle_500ms/client.pcap")
    path = folder / "slow.pcap"
    path.write_bytes(pcapfile.write(header, [r._replace(ns=records[0].ns + (r.ns - records[0].ns) * 10000) for r in records]))
    return path


def single(pcaps, folder):
    """Write a capture of one TCP frame, a while after another. @return its path."""
    header, records = pcapfile.read(pcaps / "healthy_lan/client.pcap")
    path = folder / "single.pcap"
    first = next(r for r in records if r.packet[12:14] == b"\x08\x00" and r.packet[23] == 6)
    path.write_bytes(pcapfile.write(header, [records[0]._replace(ns=first.ns - 2 * 10**9, packet=b"\xff" * 60), first]))
    return path


def large(pcaps, folder):
    """Write the capture of 100 streams. @return its path and its number of frames."""
    parts = {name: pcapfile.read(pcaps / name / "client.pcap") for name in PARTS}
    records = []
    for i in range(STREAMS):
        header, part = parts[PARTS[i % len(PARTS)]]
        mark = bytes([1 + i // 250, i % 250])
        for r in part:
            if r.packet[12:14] == b"\x08\x00":
                # The middle of both addresses: every copy is a connection of its own.
                packet = r.packet[:27] + mark + r.packet[29:31] + mark + r.packet[33:]
                records.append(pcapfile.Record(10**18 + r.ns - part[0].ns + i * 10**7, r.original, packet))
    records.sort(key=lambda r: r.ns)
    path = folder / "large.pcap"
    path.write_bytes(pcapfile.write(header, records))
    return path, len(records)
