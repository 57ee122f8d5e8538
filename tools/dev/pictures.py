#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pictures.py TCPWHY: redraw the pictures of README.md, each with the command in the comment above it:

    <!-- picture of: tcpwhy flow --svg pcaps/nginx_nagle_delack/client.pcap -->
    ![...](docs/images/nginx_nagle_delack.png)

The PNG is made by rsvg-convert from the SVG beside it, and carries its digest, so that tests/docs detects stale ones.
"""
import hashlib
import pathlib
import re
import struct
import subprocess
import sys
import zlib

TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURE = re.compile(r"<!-- picture of: tcpwhy (.+?) -->\n!\[[^\]]*\]\(([^)]+)\.png\)")
KEYWORD = b"svg-sha256\0"
WIDTH = "1600"
# After the signature and the header, which is 13 bytes with 12 around them.
AFTER_HEADER = 8 + 25


def pictures(text):
    """(arguments, path without suffix) of each."""
    return [(arguments.split(), pathlib.Path(path)) for arguments, path in PICTURE.findall(text)]


def mark(png, svg):
    """The PNG with a text chunk that names what it was made of."""
    body = b"tEXt" + KEYWORD + hashlib.sha256(svg).hexdigest().encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:AFTER_HEADER] + chunk + png[AFTER_HEADER:]


def is_of(png, svg):
    return KEYWORD + hashlib.sha256(svg).hexdigest().encode() in png


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    for arguments, path in pictures((TOP / "README.md").read_text(encoding="utf-8")):
        svg = subprocess.run([tool, *arguments], cwd=TOP, stdout=subprocess.PIPE, check=True).stdout
        png = subprocess.run(["rsvg-convert", "-w", WIDTH], input=svg, stdout=subprocess.PIPE, check=True).stdout
        (TOP / path).with_suffix(".svg").write_bytes(svg)
        (TOP / path).with_suffix(".png").write_bytes(mark(png, svg))
        print(path)


if __name__ == "__main__":
    main()
