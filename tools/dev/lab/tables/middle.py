# SPDX-License-Identifier: MIT
"""A capture from the middle of the way, made of those at its ends.

The cable is one pipe each way: losses and the queue come first, then the delay. A tap half the delay behind both saw every frame that
arrived, half the delay earlier: its capture is exact, and knows nothing of a frame that was lost on its way to the tap.
"""
import struct

NANOSECONDS = 0xA1B23C4D
ETHERNET = 1
TCP = 6


def ip_of(frame):
    """(source address, is TCP) of an Ethernet frame; (None, False) when it holds no IP."""
    kind = frame[12:14]
    if kind == b"\x08\x00" and len(frame) >= 34:
        return frame[26:30], frame[23] == TCP
    if kind == b"\x86\xdd" and len(frame) >= 54:
        return frame[22:38], frame[20] == TCP
    return None, False


def records(path):
    """(time, length on the wire, bytes) of each frame of a pcap with nanoseconds; ValueError when it is another."""
    with open(path, "rb") as f:
        data = f.read()
    if len(data) < 24 or struct.unpack_from("<I", data)[0] != NANOSECONDS or struct.unpack_from("<I", data, 20)[0] != ETHERNET:
        raise ValueError(f"{path}: not Ethernet in a pcap with nanoseconds")
    at = 24
    while at + 16 <= len(data):
        seconds, ns, caught, length = struct.unpack_from("<IIII", data, at)
        yield seconds * 10**9 + ns, length, data[at + 16:at + 16 + caught]
        at += 16 + caught


def arrivals(path, own, delay_ns):
    """What came from the other end, as the tap saw it."""
    for at_ns, length, frame in records(path):
        source, is_tcp = ip_of(frame)
        if is_tcp and source not in own:
            yield at_ns - delay_ns // 2, length, frame


def write(folder, link, addresses, out):
    """`addresses` are those of each side as they are on the wire; `link` is the scenario's."""
    frames = [*arrivals(f"{folder}/server.pcap", addresses["server"], int(link["a2b"]["delay_us"] * 1000)),
              *arrivals(f"{folder}/client.pcap", addresses["client"], int(link["b2a"]["delay_us"] * 1000))]  # fmt: skip
    with open(out, "wb") as f:
        f.write(struct.pack("<IHHiIII", NANOSECONDS, 2, 4, 0, 0, 262144, ETHERNET))
        for at_ns, length, frame in sorted(frames, key=lambda row: row[0]):
            f.write(struct.pack("<IIII", at_ns // 10**9, at_ns % 10**9, len(frame), length) + frame)
