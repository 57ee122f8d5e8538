#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cut-capture.py IN OUT [--seconds S] [--frames N] [--snap BYTES]: keep the beginning of a pcap file.

Records are unchanged, so that frame numbers match the whole capture.
"""
import argparse
import struct

MAGICS = {0xA1B2C3D4: 10**6, 0xA1B23C4D: 10**9}


def records(data, order):
    """(seconds, fraction, original length, bytes) of each whole record."""
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, captured, original = struct.unpack_from(order + "IIII", data, at)
        if at + 16 + captured > len(data):
            return
        yield seconds, fraction, original, data[at + 16:at + 16 + captured]
        at += 16 + captured


def cut(data, seconds, frames, snap):
    order = "<" if struct.unpack_from("<I", data)[0] in MAGICS else ">"
    per_second = MAGICS[struct.unpack_from(order + "I", data)[0]]
    out, first = [data[:24]], None
    for n, (whole, fraction, original, packet) in enumerate(records(data, order), 1):
        now = whole + fraction / per_second
        first = now if first is None else first
        if n > frames or now - first > seconds:
            break
        packet = packet[:snap]
        out.append(struct.pack(order + "IIII", whole, fraction, len(packet), original) + packet)
    return b"".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--frames", type=int, default=1 << 62)
    parser.add_argument("--snap", type=int, default=1 << 18)
    asked = parser.parse_args()
    with open(asked.input, "rb") as source:
        data = source.read()
    with open(asked.output, "wb") as target:
        target.write(cut(data, asked.seconds, asked.frames, asked.snap))


if __name__ == "__main__":
    main()
