#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""svg.py TCPWHY PCAPS: pictures of captures are well-formed, self-contained, reproducible, and small however long the
stream is."""
import concurrent.futures
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
import sanitizer  # noqa: E402
from tap import Tap  # noqa: E402

KINDS = ("sequence", "inflight", "window", "throughput", "rtt", "cwnd")
SVG = "{http://www.w3.org/2000/svg}"
# What would fetch something: only the clip path of the picture itself may be named.
OUTSIDE = re.compile(r"@import|\bhref|src=|url\((?!#plot\))|<script|javascript:|https?://(?!www\.w3\.org/2000/svg\")")

# What a letter of a title takes, in pixels.
TITLE_PX = {"h": 9.5, "b": 7.5}

# A picture that a browser opens at once, and that a ticket takes.
MAX_BYTES = 500_000
MANY_FRAMES = 100_000
DEFAULT_ROWS = 200
# With --whole all silences of the verdict are shown besides, with the frames around them, but for the shortest.
MOST_OF_VERDICT = 150


def run(tool, *arguments):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, timeout=300, check=False)
    if done.returncode:
        raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:300]}")
    return done.stdout.decode()


def problems_of(text):
    """What is wrong with a picture."""
    root = ElementTree.fromstring(text)
    if root.tag != SVG + "svg":
        yield f"the root is {root.tag}"
    yield from (f"names something outside: {found.group(0)}" for found in OUTSIDE.finditer(text))
    if len(text) > MAX_BYTES:
        yield f"{len(text)} bytes"
    if "prefers-color-scheme:dark" not in text:
        yield "no dark colours"
    width, height = float(root.get("width")), float(root.get("height"))
    if not 500 <= width <= 10000 or not 100 <= height <= 60000:
        yield f"{width} by {height}"
    for element in root.iter(SVG + "text"):
        x, y = float(element.get("x")), float(element.get("y"))
        if not (0 <= x <= width and 0 <= y <= height):
            yield f"text outside of the picture: {''.join(element.itertext())}"
        if element.get("class") in TITLE_PX and x + TITLE_PX[element.get("class")] * len("".join(element.itertext())) > width:
            yield f"a title that is cut off: {''.join(element.itertext())}"


def arrows_without_title(text):
    for group in ElementTree.fromstring(text).iter(SVG + "g"):
        arrow = any(path.get("class") == "head" for path in group.findall(SVG + "path"))
        if arrow and not (group.findtext(SVG + "title") or "").startswith("frame"):
            yield "an arrow has no title"


def hold(tool, capture):
    problems = []
    for arguments in [("flow", "--svg"), ("flow", "--svg", "--together"), *(("graph", kind) for kind in KINDS)]:
        try:
            text = run(tool, *arguments, capture)
            found = [*problems_of(text), *(arrows_without_title(text) if arguments[0] == "flow" else ())]
            if run(tool, *arguments, capture) != text:
                found.append("another picture the second time")
        except (ValueError, ElementTree.ParseError) as error:
            found = [str(error)]
        problems += [f"{' '.join(arguments)}: {text}" for text in found]
    return problems


def segment(by_client, seq, ack, payload):
    """An Ethernet frame with an IPv4 TCP segment."""
    ends = [(socket.inet_aton("10.0.0.1"), 50000), (socket.inet_aton("10.0.0.2"), 80)]
    (source, source_port), (destination, destination_port) = ends if by_client else ends[::-1]
    tcp = struct.pack(">HHIIBBHHH", source_port, destination_port, seq, ack, 0x50, 0x18 if payload else 0x10, 60000, 0, 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + payload, 0, 0x4000, 64, 6, 0, source, destination)
    return b"\x02" * 12 + b"\x08\x00" + ip + tcp, 54 + payload


def long_capture(path):
    """A request and an answer of several segments with pauses, again and again: rows that do not fold."""
    records, ns, asked, told = [], 10**18, 1, 1
    while len(records) < MANY_FRAMES:
        for by_client, payload, pause in ((True, 40, 3000000), (False, 1400, 200000), (False, 1400, 1000), (True, 0, 40000), (False, 600, 20000000)):
            seq, ack = (asked, told) if by_client else (told, asked)
            packet, original = segment(by_client, seq, ack, payload)
            ns += pause
            records.append(pcapfile.Record(ns, original, packet))
            asked, told = asked + payload * by_client, told + payload * (not by_client)
    header = struct.pack("<IHHiIII", pcapfile.MAGIC_NS, 2, 4, 0, 0, 262144, 1)
    path.write_bytes(pcapfile.write(header, records))


def long_names_capture(path, answer_ms=450):
    """A request and its answer between IPv6 addresses and ports that no one could write shorter."""
    ends = [(socket.inet_pton(socket.AF_INET6, "2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff"), 54321),
            (socket.inet_pton(socket.AF_INET6, "fd00:aaaa:bbbb:cccc:dddd:eeee:ffff:1234"), 65535)]
    records = []
    for ms, sender, seq, ack, flags, payload in ((0, 0, 0, 0, 0x02, 0), (20, 1, 0, 1, 0x12, 0), (20, 0, 1, 1, 0x10, 0), (21, 0, 1, 1, 0x18, 100),
                                                 (answer_ms, 1, 1, 101, 0x18, 900), (answer_ms + 1, 0, 101, 901, 0x10, 0)):
        (source, port), (destination, peer) = ends[sender], ends[1 - sender]
        tcp = struct.pack(">HHIIBBHHH", port, peer, seq, ack, 0x50, flags, 60000, 0, 0) + bytes(payload)
        packet = bytes(12) + b"\x86\xdd" + struct.pack(">IHBB", 0x60000000, len(tcp), 6, 64) + source + destination + tcp
        records.append(pcapfile.Record(10**18 + ms * 10**6, len(packet), packet))
    path.write_bytes(pcapfile.write(struct.pack("<IHHiIII", pcapfile.MAGIC_NS, 2, 4, 0, 0, 262144, 1), records))


def run_together(tool, capture):
    """Numbers of frames and their times that touch, in a picture and in text."""
    lines = {}
    for element in ElementTree.fromstring(run(tool, "flow", "--svg", capture)).iter(SVG + "text"):
        if element.get("class") == "m e":
            x, letters = float(element.get("x")), len("".join(element.itertext()))
            lines.setdefault(element.get("y"), []).append((x - 7.3 * letters, x))
    touching = [ends for ends in map(sorted, lines.values()) if any(a[1] > b[0] for a, b in zip(ends, ends[1:]))]
    rows = [line for line in run(tool, "flow", "--whole", "--ascii", capture).splitlines() if re.search(r"[|].*len \d", line)]
    return [*map(str, touching), *(line for line in rows if not re.match(r" *\d+  +[\d,]+\.\d{3}  [|]", line)), *([] if lines and rows else ["no rows"])]


def long_problems(tool, capture, *arguments):
    text = run(tool, *arguments, capture)
    rows = text.count("class=\"head\"") + text.count("class=\"gap\"")
    most = DEFAULT_ROWS + 2 + (3 * MOST_OF_VERDICT if "--whole" in arguments else 0)
    return [*problems_of(text), *([f"{rows} rows"] if rows > most else [])]


def main():
    tool, pcaps = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    captures = sanitizer.some([p for p in sorted(pcaps.glob("*/*.pcap")) if p.stem == "client"], tool)
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        captures = [c for c in captures if json.loads(run(tool, "--json", c))["streams"]]
        for capture, problems in zip(captures, pool.map(lambda c: hold(tool, c), captures)):
            tap.check(f"pictures of {capture.parent.name} are well-formed, alone and always the same", problems)
        names = pathlib.Path(folder) / "names.pcap"
        long_names_capture(names)
        tap.check("pictures of long IPv6 addresses hold their titles", hold(tool, names))
        long_names_capture(names, answer_ms=2600000000)
        tap.check("in flow graphs of a month times stay apart from numbers of frames", run_together(tool, names))
        long = pathlib.Path(folder) / "long.pcap"
        long_capture(long)
        for arguments in [("flow", "--svg"), ("flow", "--svg", "--whole"), ("flow", "--svg", "--whole", "--unfold"), *(("graph", kind) for kind in KINDS)]:
            tap.check(f"'{' '.join(arguments)}' of {MANY_FRAMES} frames gives a picture that opens", long_problems(tool, long, *arguments))


if __name__ == "__main__":
    main()
