#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corpus.py pack FOLDER FILE | unpack FILE FOLDER: convert a corpus between one file in the repository and a folder for
the fuzzer.

The file concatenates the inputs, shortest first, each preceded by its length (4 bytes, big-endian).
"""
import hashlib
import pathlib
import struct
import sys


def pack(folder, file):
    inputs = sorted({p.read_bytes() for p in pathlib.Path(folder).iterdir()}, key=lambda data: (len(data), data))
    pathlib.Path(file).write_bytes(b"".join(struct.pack(">I", len(data)) + data for data in inputs))
    print(f"{len(inputs)} inputs")


def unpack(file, folder):
    data, at = pathlib.Path(file).read_bytes(), 0
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    while at + 4 <= len(data):
        size, = struct.unpack_from(">I", data, at)
        one = data[at + 4:at + 4 + size]
        (pathlib.Path(folder) / hashlib.sha1(one).hexdigest()).write_bytes(one)
        at += 4 + size


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
