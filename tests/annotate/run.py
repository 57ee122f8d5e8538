#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY TOP: 'tcpwhy annotate' writes the capture unchanged except for the findings as comments."""
import gzip
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
import pcapngfile as ng  # noqa: E402
from tap import Tap  # noqa: E402

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}

# Everything that a reader sees of a frame, but for the comments.
FIELDS = ("frame.number", "frame.time_epoch", "frame.len", "frame.cap_len", "frame.encap_type", "frame.protocols", "ip.src", "ip.id", "tcp.stream",
          "tcp.seq_raw", "tcp.len", "tcp.payload", "eth.fcs")


class Tool:
    def __init__(self, path, folder):
        self.path = pathlib.Path(path).resolve()
        self.folder = pathlib.Path(folder)

    def run(self, *arguments, stdin=None):
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, timeout=120, check=False, env=ENVIRONMENT, input=stdin,
                              cwd=self.folder)

    def annotate(self, capture, *options, stdin=None):
        """The bytes of the file that was written."""
        out = self.folder / "out.pcapng"
        done = self.run("annotate", *options, "-o", out, capture, stdin=stdin)
        if done.returncode:
            raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return out.read_bytes()

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def findings(self, capture):
        return json.loads(self.run("--json", capture).stdout)["findings"]


def tshark(path, fields, *options):
    command = ["tshark", "-n", "-r", str(path), "-T", "fields", *options, *(x for f in fields for x in ("-e", f))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=ENVIRONMENT)
    rows = done.stdout.splitlines()
    return rows if done.returncode == 0 else [*rows, f"tshark: exit {done.returncode}: {done.stderr}"]


def comments(part):
    """The comments of a section's or a packet's block, as text."""
    at = 16 if part.type == ng.SECTION else ng.packet_options(part)
    return [value.decode() for code, value in ng.options(part, at) if code == ng.COMMENT]


def packets(data):
    return [part for part in ng.blocks(data) if part.type in (ng.ENHANCED_PACKET, ng.OLD_PACKET, ng.SIMPLE_PACKET)]


def difference(before, after):
    """Where two lists differ first."""
    for i, (a, b) in enumerate(zip(before, after)):
        if a != b:
            return f"{i}: {a} became {b}"
    return "" if len(before) == len(after) else f"{len(before)} became {len(after)}"


# A pcapng file with everything that has to survive.

def rich(case, order):
    """Two sections, three kinds of packets, options, comments, and blocks that nobody knows."""
    _, records = pcapfile.read(case)
    resolution = ng.option(order, 9, b"\x09") + ng.option(order, 2, b"eth0") + ng.option(order, 0, b"")
    comment = ng.option(order, ng.COMMENT, "schon da: \u00e4".encode()) + ng.option(order, 2, struct.pack(order + "I", 1))
    parts = [ng.section(order, ng.option(order, ng.COMMENT, b"of the section") + ng.option(order, 0, b"")), ng.interface(order, 1, 0, resolution),
             ng.block(order, ng.NAMES, struct.pack(order + "HH", 0, 0)), ng.block(order, 0x0BADF00D, b"unknown body of 23 bytes"[:23])]
    for i, r in enumerate(records):
        options = (b"", comment, comment + ng.option(order, 0, b""))[i % 3]
        maker = ng.old if i % 5 == 4 else ng.enhanced
        parts.append(maker(order, r.ns, r.packet, r.original, options))
        if i == len(records) // 2:
            parts.append(ng.block(order, ng.STATISTICS, struct.pack(order + "III", 0, 0, 0) + ng.option(order, 4, bytes(8)) + ng.option(order, 0, b"")))
            parts.append(ng.block(order, ng.SECRETS, struct.pack(order + "II", 0x544C534B, 4) + b"keys"))
            parts += [ng.section(order, length=0x7FFFFFF0), ng.interface(order, 1, 0, resolution)]
    parts.append(ng.block(order, ng.SIMPLE_PACKET, struct.pack(order + "I", 60) + bytes(60)))
    return b"".join(parts)


def unlike(before, after):
    """How a block differs beyond added comments; sections may forget their length."""
    if before == after:
        return None
    if before.type == ng.SECTION:
        tail = len(before.body) - 4 if before.body.endswith(bytes(4)) and len(before.body) > 16 else len(before.body)
        return None if after.body[:8] + after.body[16:tail] == before.body[:8] + before.body[16:tail] else "a section changed"
    if before.type not in (ng.ENHANCED_PACKET, ng.OLD_PACKET) or before.type != after.type:
        return f"block {before.type:#x} changed"
    kept = before.body[:-4] if before.body[ng.packet_options(before):].endswith(bytes(4)) else before.body
    if not after.body.startswith(kept):
        return "a packet's bytes or options changed"
    return None if all(text.startswith("tcpwhy: ") for text in comments(after)[len(comments(before)):]) else "a comment of a stranger"


def check_blocks(tap, tool, case):
    for order, name in (("<", "little"), (">", "big")):
        before = rich(case, order)
        capture = tool.file(f"{name}.pcapng", before)
        after = tool.annotate(capture)
        a, b = list(ng.blocks(before)), list(ng.blocks(after))
        problems = [f"{len(a)} blocks became {len(b)}"] if len(a) != len(b) else [x for x in map(unlike, a, b) if x]
        tap.check(f"a {name}-endian pcapng keeps all of its blocks and options", problems)
        told = {i + 1 for i, part in enumerate(packets(after)) if part.type != ng.SIMPLE_PACKET and len(comments(part)) > len(comments(packets(before)[i]))}
        proof = {frame for f in tool.findings(capture) for frame in f["frames"]}
        tap.check(f"the frames that prove its findings have comments ({name}-endian)", [] if proof and proof <= told else f"{proof} in {told}")
        lengths = [struct.unpack_from(order + "q", part.body, 8)[0] for part in b if part.type == ng.SECTION]
        tap.check(f"a section that grew tells no length ({name}-endian)", [] if lengths == [-1, -1] else str(lengths))
        tap.check(f"the section keeps its comment and gets the diagnosis ({name}-endian)",
                  [] if comments(b[0])[0] == "of the section" and "zero_window" in comments(b[0])[1] else str(comments(b[0])))


# pcap, in all its forms.

def check_pcap(tap, tool, top):
    header, records = pcapfile.read(top / "pcaps/refused_port/client.pcap")
    order = {"<": "little", ">": "big"}
    for byte_order, magic, unit, name in (("<", 0xA1B23C4D, 1, "nanoseconds"), ("<", 0xA1B2C3D4, 1000, "microseconds"), (">", 0xA1B2C3D4, 1000, "microseconds")):
        data = struct.pack(byte_order + "IHHiIII", magic, 2, 4, 0, 0, 1000, 1)
        for r in records:
            data += struct.pack(byte_order + "IIII", r.ns // 10**9, r.ns % 10**9 // unit, len(r.packet), r.original) + r.packet
        capture = tool.file("plain.pcap", data)
        problems = difference(tshark(capture, FIELDS), (tool.annotate(capture), tshark(tool.folder / "out.pcapng", FIELDS))[1])
        part = list(ng.blocks((tool.folder / "out.pcapng").read_bytes()))[1]
        resolution = dict(ng.options(part, 8)).get(9)
        if resolution != (b"\x09" if unit == 1 else b"\x06") or struct.unpack_from("<HHI", part.body) != (1, 0, 1000):
            problems += f" the interface says {part}"
        tap.check(f"a {order[byte_order]}-endian pcap in {name} becomes a pcapng with the same frames", problems)
    fcs = tool.file("fcs.pcap", pcapfile.write(header[:20] + struct.pack("<I", 1 | 0x04000000 | 2 << 28),
                                               [r._replace(packet=r.packet + b"\1\2\3\4", original=r.original + 4) for r in records]))
    tool.annotate(fcs)
    seen = tshark(tool.folder / "out.pcapng", ("eth.fcs",))
    tap.check("a frame check sequence is still known as one", [] if set(seen) == {"0x01020304"} else str(seen))


def check_tshark(tap, tool, top):
    for name in ("zero_window_slow_reader/client.pcap", "nginx_nagle_delack/server.pcap", "healthy_lan/client.pcap", "mtu_black_hole/client.pcap"):
        capture, out = top / "pcaps" / name, tool.folder / "out.pcapng"
        tool.annotate(capture)
        tap.check(f"tshark reads the same frames from the annotated {name}", difference(tshark(capture, FIELDS), tshark(out, FIELDS)))
        rows = tshark(out, ("frame.number",), "-Y", "frame.comment")
        proof = {str(frame) for f in tool.findings(capture) for frame in f["frames"]}
        tap.check(f"tshark -Y frame.comment shows what proves the findings of {name}", [] if proof <= set(rows) and bool(proof) == bool(rows) else f"{proof}: {rows}")
        for f in tool.findings(capture):
            streams = set(tshark(out, ("tcp.stream",), "-Y", " || ".join(f"frame.number=={n}" for n in f["frames"])))
            tap.check(f"the frames that {name} shows for {f['cause']} are of its stream", [] if streams == {str(f["stream"])} else f"{f['stream']}: {streams}")
    done = subprocess.run(["capinfos", "-c", "-k", str(tool.folder / "out.pcapng")], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    tap.check("capinfos reads the comment of the file", [] if done.returncode == 0 and "tcpwhy" in done.stdout else done.stdout + done.stderr)


def check_inputs(tap, tool, case):
    plain = tool.annotate(case)
    packed = tool.file("client.pcap", gzip.compress(case.read_bytes()))
    tap.check("a compressed capture is annotated as the plain one", [] if tool.annotate(packed) == plain else "not the same")
    tap.check("standard input is annotated", [] if packets(tool.annotate("-", stdin=case.read_bytes())) == packets(plain) else "not the same frames")
    to_stdout = tool.run("annotate", "-o", "-", case).stdout
    tap.check("-o - writes to standard output, and nothing but the capture", [] if to_stdout == plain else f"{len(to_stdout)} bytes of {len(plain)}")
    cut = tool.file("cut.pcap", case.read_bytes()[:-7])
    tap.check("a capture cut short is annotated to the cut", [] if len(packets(tool.annotate(cut))) == len(packets(plain)) - 1 else "not one frame fewer")


def check_output(tap, tool, case):
    old = tool.file("old.pcapng", b"precious")
    bad = tool.file("bad.pcap", b"\xd4\xc3\xb2\xa1 this is no capture")
    for name, capture in (("that is none", bad), ("that is missing", tool.folder / "no.pcap")):
        done = tool.run("annotate", capture, "-o", old)
        tap.check(f"of a capture {name} nothing is written", [] if done.returncode == 1 and old.read_bytes() == b"precious" else str(done))
    same = tool.file("same.pcap", case.read_bytes())
    os.link(same, tool.folder / "link.pcap")
    done = tool.run("annotate", same, "-o", tool.folder / "link.pcap")
    tap.check("a capture is never written over itself", [] if done.returncode == 2 and same.read_bytes() == case.read_bytes() else str(done))
    done = tool.run("annotate", case)
    tap.check("without -o nothing is written", [] if done.returncode == 2 and b"-o" in done.stderr else str(done))
    done = tool.run("annotate", case, "-o", "/dev/full")
    tap.check("a full disk is told", [] if done.returncode == 1 and b"/dev/full" in done.stderr else str(done))
    tap.check("no temporary file is left", [p.name for p in tool.folder.iterdir() if p.name.count(".") > 1])
    hostile = tool.file("a\n\x1b[31m\u202e\udcff.pcap", case.read_bytes())
    text = comments(next(ng.blocks(tool.annotate(hostile))))[0]
    tap.check("a hostile file name is written out in the comment", [] if r"\x1b[31m\u202e\xff.pcap" in text and "\x1b" not in text and "\u202e" not in text else text)


# --evidence

def check_evidence(tap, tool, top):
    capture = top / "pcaps/nginx_nagle_delack/client.pcap"
    whole = {row.split("\t")[0]: row.split("\t")[1:] for row in tshark(capture, FIELDS)}
    data = tool.annotate(capture, "--evidence")
    parts = packets(data)
    numbers = [comments(part)[0].split()[2] for part in parts]
    tap.check("an excerpt is a part of the capture, in order", [] if 0 < len(parts) < len(whole) / 4 and sorted(numbers, key=int) == numbers else f"{len(parts)} of {len(whole)}")
    rows = [row.split("\t")[1:] for row in tshark(tool.folder / "out.pcapng", FIELDS)]
    at = FIELDS.index("tcp.stream") - 1
    without = [row[:at] + row[at + 1:] for row in rows]
    meant = [whole[n][:at] + whole[n][at + 1:] for n in numbers]
    tap.check("its frames keep their time and bytes, and tell their number", difference(meant, without))
    finding = tool.findings(capture)[0]
    missing = [n for n in finding["frames"] if str(n) not in numbers]
    tap.check("the frames that prove the finding are in it", missing)
    opened = {row[at] for row in rows if row[FIELDS.index("tcp.len") - 1] == "0"}
    tap.check("each of its streams begins with its handshake", [] if opened == {row[at] for row in rows} else "streams without one")
    wider = len(packets(tool.annotate(capture, "--evidence", "--around", "40")))
    fewer = len(packets(tool.annotate(capture, "--evidence", "--waits", "1")))
    tap.check("--around widens it, --waits narrows it", [] if fewer < len(parts) < wider else f"{fewer}, {len(parts)}, {wider}")
    worst = top / "pcaps/zero_window_slow_reader/client.pcap"
    one = {text.split(",")[1] for part in packets(tool.annotate(worst, "--findings", "1")) for text in comments(part)}
    tap.check("--findings takes the costliest", [] if one and all("zero_window" in text for text in one) else str(one))
    healthy = tool.annotate(top / "pcaps/healthy_lan/client.pcap", "--evidence")
    tap.check("of a healthy capture no frame is evidence", [] if not packets(healthy) and len(list(ng.blocks(healthy))) == 2 else "frames")
    secret = tool.annotate(tool.file("rich.pcapng", rich(top / "pcaps/zero_window_slow_reader/client.pcap", "<")), "--evidence")
    tap.check("keys to what was said are not in it", [p for p in ng.blocks(secret) if p.type == ng.SECRETS])
    alone = tool.annotate(capture, "--evidence", "-s", str(finding["stream"]))
    tool.file("out.pcapng", alone)
    tap.check("-s chooses the streams", [] if set(tshark(tool.folder / "out.pcapng", ("tcp.stream",))) == {"0"} else "several")


def main():
    top = pathlib.Path(sys.argv[2]).resolve()
    case = top / "pcaps/zero_window_slow_reader/client.pcap"
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        tool = Tool(sys.argv[1], folder)
        check_blocks(tap, tool, case)
        check_inputs(tap, tool, case)
        check_output(tap, tool, case)
        if shutil.which("tshark"):
            check_pcap(tap, tool, top)
            check_tshark(tap, tool, top)
            check_evidence(tap, tool, top)
        else:
            tap.skip("frames are the same for tshark", "no tshark here")


if __name__ == "__main__":
    main()
