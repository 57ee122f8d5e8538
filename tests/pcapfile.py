# SPDX-License-Identifier: MIT
"""Read and write pcap files like those of pcaps/ (little-endian, nanoseconds), as lists of records."""
import collections
import struct

HEADER_BYTES = 24
MAGIC_NS = 0xA1B23C4D

Record = collections.namedtuple("Record", "ns original packet")


def read(path):
    """(file header, records)"""
    data = path.read_bytes()
    if struct.unpack_from("<I", data)[0] != MAGIC_NS:
        raise ValueError(f"{path}: not a little-endian pcap with nanoseconds")
    records, at = [], HEADER_BYTES
    while at + 16 <= len(data):
        seconds, ns, captured, original = struct.unpack_from("<IIII", data, at)
        records.append(Record(seconds * 10**9 + ns, original, data[at + 16:at + 16 + captured]))
        at += 16 + captured
    return data[:HEADER_BYTES], records


def write(header, records):
    """The file's bytes."""
    parts = [header]
    for r in records:
        parts.append(struct.pack("<IIII", r.ns // 10**9, r.ns % 10**9, len(r.packet), r.original) + r.packet)
    return b"".join(parts)


def source_address(record):
    """The IPv4 source as bytes, b"" for other frames (Ethernet only)."""
    return record.packet[26:30] if record.packet[12:14] == b"\x08\x00" else b""


def payload_length(record):
    """Bytes of TCP payload on the wire of an IPv4 packet without options; 0 for other frames (Ethernet only)."""
    packet = record.packet
    if packet[12:15] != b"\x08\x00\x45" or packet[23] != 6 or len(packet) < 47:
        return 0
    return int.from_bytes(packet[16:18], "big") - 20 - (packet[46] >> 4) * 4
