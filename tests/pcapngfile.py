# SPDX-License-Identifier: MIT
"""Read and write pcapng files block by block, in either byte order."""
import collections
import struct

SECTION, INTERFACE, OLD_PACKET, SIMPLE_PACKET, NAMES, STATISTICS, ENHANCED_PACKET, SECRETS = 0x0A0D0D0A, 1, 2, 3, 4, 5, 6, 10
COMMENT = 1

# order: "<" or ">"; body: what stands between the two lengths.
Block = collections.namedtuple("Block", "type order body")


def padded(data):
    return data + bytes(-len(data) % 4)


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + padded(value)


def block(order, kind, body):
    size = len(padded(body)) + 12
    return struct.pack(order + "II", kind, size) + padded(body) + struct.pack(order + "I", size)


def section(order, options=b"", length=-1):
    return block(order, SECTION, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, length) + options)


def interface(order, link_type=1, snap_len=0, options=b""):
    return block(order, INTERFACE, struct.pack(order + "HHI", link_type, 0, snap_len) + options)


def enhanced(order, units, packet, original=None, options=b"", number=0):
    head = struct.pack(order + "IIIII", number, units >> 32, units & 0xFFFFFFFF, len(packet), original or len(packet))
    return block(order, ENHANCED_PACKET, head + padded(packet) + options)


def old(order, units, packet, original=None, options=b""):
    head = struct.pack(order + "HHIIII", 0, 0xFFFF, units >> 32, units & 0xFFFFFFFF, len(packet), original or len(packet))
    return block(order, OLD_PACKET, head + padded(packet) + options)


def blocks(data):
    at, order = 0, "<"
    while at < len(data):
        if data[at:at + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if data[at + 8] == 0x4D else ">"
        kind, size = struct.unpack_from(order + "II", data, at)
        if struct.unpack_from(order + "I", data, at + size - 4)[0] != size or size % 4:
            raise ValueError(f"a block of {size} bytes at {at} does not end so")
        yield Block(kind, order, data[at + 8:at + size - 4])
        at += size


def packet_options(part):
    """Where the options of a packet's body begin."""
    captured, = struct.unpack_from(part.order + "I", part.body, 12)
    return 20 + len(padded(part.body[20:20 + captured]))


def options(part, at):
    """(code, value) of each option from there on."""
    while at + 4 <= len(part.body):
        code, size = struct.unpack_from(part.order + "HH", part.body, at)
        if code == 0:
            return
        yield code, part.body[at + 4:at + 4 + size]
        at += 4 + len(padded(bytes(size)))
