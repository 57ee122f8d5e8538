#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seeds.py PCAPS OUT [SCRIPT]: seed inputs for the fuzzers in OUT/NAME/*, cut from the captures in PCAPS and hand-made. SCRIPT, the
program tests/unit/script of a build, adds what the unit tests' scripts tell.

A fuzzer grows a corpus from them; its minimised form (libFuzzer's -merge=1) goes to corpus/NAME.
"""
import gzip
import importlib
import lzma
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

FRAMES = 24
SYN, PSH, ACK, FIN, RST = 2, 8, 16, 1, 4
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)


def records(path, most):
    """Link type, and (nanoseconds, original length, bytes) of the first frames of a little-endian pcap."""
    data = path.read_bytes()
    magic, _, _, _, _, _, link = struct.unpack_from("<IHHiIII", data)
    unit = 1 if magic == 0xA1B23C4D else 1000
    found, at = [], 24
    while at + 16 <= len(data) and len(found) < most:
        seconds, fraction, captured, original = struct.unpack_from("<IIII", data, at)
        found.append((seconds * 10**9 + fraction * unit, original, data[at + 16:at + 16 + captured]))
        at += 16 + captured
    return link, found


# ---- captures ------------------------------------------------------------------------------------------------------------------------

def option(code, value):
    return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)


def block(kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def pcapng(frames):
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + option(1, b"made") + option(4, b"seeds") + option(0, b""))
    nano = block(1, struct.pack("<HHI", 1, 0, 0) + option(9, b"\x09") + option(14, struct.pack("<q", 3)) + option(0, b""))
    micro = block(1, struct.pack("<HHI", 101, 0, 96))
    out = section + nano + micro
    for i, (at, original, packet) in enumerate(frames):
        comment = option(1, b"frame %d" % i) + option(0, b"") if i % 3 == 0 else b""
        out += block(6, struct.pack("<IIIII", 0, at >> 32, at & 0xFFFFFFFF, len(packet), original) + packet + bytes(-len(packet) % 4) + comment)
    out += block(3, struct.pack("<I", 60) + bytes(60)) + block(2, struct.pack("<HHIIII", 1, 2, 0, 0, 40, 40) + bytes(40))
    out += block(5, struct.pack("<III", 0, 0, 0) + option(4, struct.pack("<Q", 9)) + option(5, struct.pack("<Q", 2)) + option(0, b""))
    return out + block(0xBAD, struct.pack("<I", 1)) + section


def big_endian(frames):
    return struct.pack(">IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + b"".join(
        struct.pack(">IIII", at // 10**9, at % 10**9 // 1000, len(p), original) + p for at, original, p in frames)


def little_endian(frames, magic=0xA1B2C3D4):
    return struct.pack("<IHHiIII", magic, 2, 4, 0, 0, 65535, 1) + b"".join(
        struct.pack("<IIII", at // 10**9, at % 10**9 // 1000, len(p), original) + p for at, original, p in frames)


def by_tool(*command):
    if not shutil.which(command[0]):
        return lambda data: data
    return lambda data: subprocess.run(command, input=data, capture_output=True, check=True).stdout


def other_formats(frames):
    """The captures of tests/oracle/formats.py, as files of a few small frames."""
    folder = pathlib.Path(__file__).parents[1]
    sys.path.insert(0, str(folder / "oracle"))
    formats = importlib.import_module("formats")
    with tempfile.TemporaryDirectory() as place:
        capture = pathlib.Path(place, "seed", "client.pcap")
        capture.parent.mkdir()
        capture.write_bytes(little_endian([(at, original, packet[:80]) for at, original, packet in frames]))
        for path, _ in formats.written(place, str(capture)):
            yield pathlib.Path(path).suffix[1:], pathlib.Path(path).read_bytes()


def patched(data, at, value):
    return data[:at] + value + data[at + len(value):]


def other_links(forms):
    """Headers of other formats with each link type that they know, and one that they do not."""
    if snoop := forms.get("snoop"):
        for network in (0, 2, 4, 8, 9, 10, 11, 14, 16, 18, 0x80000005, 99):
            yield f"snoop-{network:x}", patched(snoop, 12, struct.pack(">I", network))
            yield f"shomiti-{network:x}", patched(snoop, 8, struct.pack(">II", 3, network))
    if visual := forms.get("visual"):
        for media in (9, 22, 32, 37, 118, 99):
            yield f"visual-{media}", patched(visual, 12, struct.pack("<H", media))
    if netxray := forms.get("ngwsniffer_2_0"):
        for version in (b"001.000", b"001.100", b"002.000", b"002.002", b"002.003", b"009.000"):
            for network, by in ((1, 0), (1, 2), (1, 3), (1, 5), (1, 6), (2, 0), (3, 0), (4, 3), (4, 4), (4, 19), (5, 0), (7, 0), (10, 0), (99, 0)):
                yield f"netxray-{version[1:5].decode()}-{network}-{by}", patched(patched(patched(netxray, 4, version), 44, bytes((network, 2))), 84, bytes((by,)))
    if nettl := forms.get("nettl"):
        for subsystem in (2, 6, 11, 23, 31, 95, 174, 244, 268):
            first = patched(nettl, 128 + 2, struct.pack(">H", subsystem))
            yield f"nettl-{subsystem}", first
            yield f"nettl-11-{subsystem}", patched(first, 99, b"11")


def long_packed():
    """More than a decoder unpacks before a thread of its own does: little in the file."""
    frame = struct.pack("<IIII", 1, 0, 60000, 60000) + bytes(60000)
    return gzip.compress(HEADER + frame * 30, mtime=0)


def sources(captures):
    others = dict(other_formats(captures[0][2][:4]))
    yield from others.items()
    yield from other_links(others)
    yield "long-gz", long_packed()
    yield "long-gz-cut", long_packed()[:-90]
    for name, _, frames in captures:
        small = frames[:4]
        yield f"{name}-pcap", little_endian(small)
        yield f"{name}-be", big_endian(small)
        yield f"{name}-ng", pcapng(small)
    small = captures[0][2][:3]
    for magic in (0xA1B2CD34, 0xA1B23C4D, 0x1C0001AC):
        yield f"magic-{magic:x}", little_endian(small, magic)
    for form, pack in (("gz", gzip.compress), ("xz", lzma.compress), ("zst", by_tool("zstd", "-c")), ("lz4", by_tool("lz4", "-c"))):
        yield f"{form}", pack(little_endian(small))
        yield f"{form}-two", pack(little_endian(small[:1])) + pack(pcapng(small))
        yield f"{form}-ng", pack(pcapng(small))
        yield f"{form}-twice", pack(pack(little_endian(small)))


# The decoders, in the order of src/source/meson.build, without the file around them.
def packings(captures):
    plain = little_endian(captures[0][2][:3])
    forms = [(gzip.compress, 0), (by_tool("zstd", "-q", "-c"), 1), (by_tool("lz4", "-q", "-c"), 2), (lzma.compress, 3)]
    for pack, codec in forms:
        for step in (0, 1, 255):
            yield f"{codec}-{step}", bytes((codec, step)) + pack(plain)
        yield f"{codec}-two", bytes((codec, 3)) + pack(plain) + bytes(4) + pack(plain)
        yield f"{codec}-zeros", bytes((codec, 200)) + pack(bytes(100000))


# ---- frames --------------------------------------------------------------------------------------------------------------------------

def ipv4(payload, protocol=6, field=0):
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 7, field, 64, protocol, 0, b"\x0a\0\0\1", b"\x0a\0\0\2") + payload


def ipv6(payload, following=6):
    return struct.pack(">IHBB", 0x60000000, len(payload), following, 64) + b"\xfd" + bytes(14) + b"\1" + b"\xfd" + bytes(14) + b"\2" + payload


def udp(port, payload):
    return ipv4(struct.pack(">HHHH", 50000, port, 8 + len(payload), 0) + payload, 17)


def ethernet(kind, payload):
    return bytes(12) + struct.pack(">H", kind) + payload


TCP = struct.pack(">HHIIHHHH", 40000, 80, 1, 1, 0xA018, 500, 0, 0) + bytes.fromhex("0101080a0000000a0000000b01010402") + bytes(4) + b"payload"
IP = ipv4(TCP)


def layers():
    """Link type and frame of every way to TCP that is easily written down."""
    yield 101, IP
    yield 101, ipv6(TCP)
    yield 101, ipv6(bytes((60, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0)) + TCP, 0)
    yield 101, ipv6(struct.pack(">BBHI", 6, 0, 1, 9) + TCP[:24], 44)
    yield 101, ipv6(struct.pack(">BBHI", 6, 0, 24, 9) + TCP[24:], 44)
    yield 101, ipv4(TCP[:24], 6, 0x2000)
    yield 101, ipv4(TCP[24:], 6, 3)
    yield 101, ipv4(struct.pack(">BBHHH", 3, 4, 0, 0, 1400) + IP[:28], 1)
    yield 101, ipv4(IP, 4)
    yield 101, ipv4(ipv6(TCP), 41)
    yield 101, ipv4(struct.pack(">HH", 0, 0x0800) + IP, 47)
    yield 101, ipv4(struct.pack(">HHII", 0xB000, 0x6558, 0, 0) + ethernet(0x0800, IP), 47)
    yield 101, ipv4(struct.pack(">HHI", 0x1000, 0x88BE, 0) + bytes(8) + ethernet(0x0800, IP), 47)
    yield 101, ipv4(bytes((6, 4)) + bytes(22) + TCP, 51)
    yield 101, udp(4789, bytes((8, 0, 0, 0, 0, 0, 1, 0)) + ethernet(0x0800, IP))
    yield 101, udp(6081, struct.pack(">BBHI", 0, 0, 0x6558, 0) + ethernet(0x0800, IP))
    yield 101, udp(2152, struct.pack(">BBHI", 0x30, 0xFF, len(IP), 1) + IP)
    yield 101, udp(3544, ipv6(TCP))
    yield 101, udp(1701, struct.pack(">HHH", 2, 1, 1) + bytes.fromhex("ff030021") + IP)
    yield 1, ethernet(0x8100, struct.pack(">HH", 5, 0x88A8) + struct.pack(">HH", 6, 0x0800) + IP)
    yield 1, ethernet(0x8864, struct.pack(">BBHHH", 0x11, 0, 1, len(IP) + 2, 0x0021) + IP)
    yield 1, ethernet(0x8847, struct.pack(">II", 0x00010040, 0x00020140) + IP)
    yield 1, ethernet(len(IP) + 8, bytes.fromhex("aaaa030000000800") + IP)
    yield 1, ethernet(0x894F, bytes.fromhex("0fc60101") + bytes(20) + IP)
    yield 1, ethernet(0xF1C1, struct.pack(">HHH", 0, 1, 0x0800) + IP)
    yield 1, ethernet(0xD28B, struct.pack(">HHQH", 1, 0x10, 0, 0x0800) + IP)
    yield 1, ethernet(0x88E5, struct.pack(">BBIH", 0, 0, 1, 0x0800) + IP + bytes(16))
    yield 1, ethernet(0x22F3, struct.pack(">HHHI", 0x43, 1, 2, 0) + ethernet(0x0800, IP))
    yield 1, ethernet(0x4305, bytes((0x40, 15, 50, 1)) + bytes(6) + ethernet(0x0800, IP))
    yield 9, bytes.fromhex("ff03003dc00000010021") + IP
    yield 101, udp(5072, bytes.fromhex("0252112900000000") + bytes(21) + ipv6(TCP))
    yield 101, udp(37008, bytes.fromhex("01010001000a010501") + ethernet(0x0800, IP))
    yield 101, udp(5247, bytes.fromhex("0010020000000000") + ethernet(0x0800, IP))
    yield 178, bytes.fromhex("4d474380000400000000") + ethernet(0x0800, IP)
    yield 197, bytes(8) + bytes.fromhex("82040060000000460100000000000000" + "0000000000") + ethernet(0x0800, IP)
    yield 252, struct.pack(">HH4sI", 12, 4, b"ip", 0) + IP
    yield 0, struct.pack("<I", 2) + IP
    yield 108, struct.pack(">I", 2) + IP
    yield 9, bytes.fromhex("ff030021") + IP
    yield 104, bytes.fromhex("0f000800") + IP
    yield 107, bytes.fromhex("184103cc") + IP
    yield 113, struct.pack(">HHHQH", 0, 1, 6, 0, 0x0800) + IP
    yield 276, struct.pack(">HHIHBB8s", 0x0800, 0, 1, 1, 0, 6, bytes(8)) + IP
    yield 105, bytes.fromhex("08010000") + bytes(20) + bytes.fromhex("aaaa030000000800") + IP
    yield 127, bytes.fromhex("0000080000000000") + bytes.fromhex("88010000") + bytes(22) + bytes.fromhex("aaaa030000000800") + IP
    yield 192, struct.pack("<BBHI", 0, 0, 8, 1) + ethernet(0x0800, IP)
    yield 239, struct.pack("<BBHHH", 2, 0, 0, 4 + len(IP), 9) + IP
    yield 101, udp(5247, struct.pack(">II", 2 << 19 | 1 << 9 | 0x100, 0) + bytes.fromhex("08010000") + bytes(20) + bytes.fromhex("aaaa030000000800") + IP)
    for word in (1 << 19 | 1 << 9, 31 << 19 | 1 << 9, 2 << 19 | 3 << 9, 2 << 19 | 1 << 9 | 0x80, 2 << 19 | 1 << 9 | 8, 1 << 24):
        yield 101, udp(5247, struct.pack(">II", word, 0) + IP)
    yield 101, udp(5247, bytes(5))
    for kind, head in ((1, bytes.fromhex("ff030021")), (0x8A, bytes(8) + bytes.fromhex("0f000800")), (22, b""), (23, b""), (99, b"")):
        yield 197, bytes(8) + bytes((kind, 4)) + struct.pack(">HHH", 16 + len(head + IP), 0, len(IP)) + head + IP
    yield 106, IP
    yield 106, bytes.fromhex("aaaa030000000800") + IP
    yield 123, bytes.fromhex("02000005aaaa030000000800") + IP
    yield 123, bytes(4) + IP
    for link, tag in ((281, 4), (283, 4), (284, 8)):
        yield link, bytes(12 + tag) + struct.pack(">H", 0x0800) + IP
    log = struct.pack("<BBHHH", 2, 0, 0, 4 + len(IP), 9) + IP
    for order, family in (("<", 12), (">", 12), ("<", 0)):
        yield 253, bytes(14) + struct.pack(">H", family) + struct.pack(order + "IHHII", 16 + len(log), 0x400, 0, 0, 0) + log
    yield 253, bytes(14) + struct.pack(">H", 12) + bytes(16)
    yield 117, bytes((61,)) + bytes(63) + IP
    yield 117, bytes(64)
    for kind, link in ((1, 1), (1, 101), (2, 1), (1, 999)):
        yield 258, struct.pack("<III", 12, kind, link) + (ethernet(0x0800, IP) if link == 1 else IP)
    for link, head in ((179, bytes.fromhex("ff030021")), (180, bytes.fromhex("184103cc")), (181, bytes.fromhex("0f000800"))):
        yield link, bytes.fromhex("4d474300") + head + IP
    yield 178, bytes.fromhex("4d474302") + bytes(4) + IP
    for link in (6, 7, 10, 119, 129, 138, 163, 226, 228, 229, 242):
        yield link, bytes(16) + IP


def dissections(captures):
    def entry(link, packet, step=1):
        return struct.pack(">HBHH", link, step, len(packet), 0) + packet

    made = list(layers())
    for i, (link, packet) in enumerate(made):
        yield f"layer-{i}", entry(link, packet)
    yield "fragments", b"".join(entry(link, packet) for link, packet in made[3:7])
    for name, link, frames in captures:
        yield name, b"".join(entry(link, packet[:120]) for _, _, packet in frames[:6])


class Talk:
    """One TCP connection by its packets: (ns, IPv4 packet)."""

    def __init__(self, port=40000, opened=True):
        self.port, self.now, self.packets, self.next = port, 10**9, [], [1000, 900000000]
        if opened:
            self.put(0, SYN)
            self.put(1, SYN | ACK, 10)
            self.put(0, ACK, 0.01)

    def put(self, side, flags, after_ms=0.0, payload=b"", back=0, options=b"", behind=0):
        self.now += int(after_ms * 10**6)
        if flags & SYN:
            options = bytes.fromhex("020405b40402080a00000001000000000303" + "0701")
        ends = ((self.port, 80), (80, self.port))[side]
        header = struct.pack(">HHIIBBHHH", *ends, self.next[side] - back & 0xFFFFFFFF, self.next[not side] - behind if flags & ACK else 0,
                             (20 + len(options)) // 4 << 4, flags, 500, 0, 0)
        tcp = header + options + payload
        hosts = (b"\x0a\0\0\1", b"\x0a\0\0\2")
        self.packets.append((self.now, struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), len(self.packets), 0, 64, 6, 0, hosts[side], hosts[not side]) + tcp))
        if not back:
            self.next[side] += len(payload) + bool(flags & SYN) + bool(flags & FIN)
        return self

    def ask(self, side=0, payload=b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", after_ms=100.0):
        self.put(side, PSH | ACK, after_ms, payload)
        return self.put(1 - side, ACK, 10)

    def asked(self, times=2):
        for _ in range(times):
            self.ask().ask(1, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 20)
        return self


HELLO = bytes.fromhex("16030100370100003303030000000000000000000000000000000000000000000000000000000000000000000002130101000008000000040002613a")


def http2_talk(*frames):
    talk = Talk().ask(0, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2(4, 0, 0)).ask(1, http2(4, 0, 0) + http2(4, 1, 0), 5)
    talk.ask(0, http2(4, 1, 0) + http2(1, 5, 1, bytes.fromhex("828684")), 5)
    return talk.ask(1, b"".join(frames), 20)


def failing():
    """Connections that break, each in its way."""
    get, answer = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhel"
    yield "tls_alert", Talk().ask(0, HELLO).ask(1, bytes.fromhex("15030300020228")).put(1, FIN | ACK)
    yield "tls_abandoned", Talk().ask(0, HELLO).put(0, FIN | ACK, 3000).put(1, FIN | ACK, 10)
    yield "not_tls", Talk().ask(0, HELLO).ask(1, b"HTTP/1.1 400 Bad Request\r\n\r\n").put(1, FIN | ACK).put(0, RST)
    yield "keep_alive_race", Talk().asked().put(0, PSH | ACK, 5000, get).put(1, FIN | ACK, 5, behind=len(get)).put(1, RST, 15)
    yield "closed_connection_reused", Talk().asked().put(1, FIN | ACK, 500).put(0, ACK, 0.01).put(0, PSH | ACK, 3000, get).put(1, RST, 10)
    yield "empty_reply", Talk().ask().put(1, FIN | ACK, 50).put(0, FIN | ACK, 10)
    yield "answer_cut_short", Talk().ask().ask(1, answer).put(1, FIN | ACK, 5).put(0, FIN | ACK, 5)
    yield "answer_without_length", Talk().ask().ask(1, b"HTTP/1.0 200 OK\r\n\r\nbytes").put(1, RST | ACK, 50)
    yield "request_incomplete", Talk().ask(0, b"POST /a HTTP/1.1\r\nContent-Length: 900\r\n\r\nabc").ask(
        1, b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", 9000).put(1, FIN | ACK, 1).put(0, FIN | ACK, 10)
    yield "request_reset", Talk().asked().ask().put(1, RST | ACK, 40)
    yield "client_gave_up", Talk().asked().ask().put(0, FIN | ACK, 5000).put(1, ACK, 10)
    yield "client_reset", Talk().ask().ask(1, answer).put(0, RST | ACK, 5000)
    yield "dismissed", Talk().ask(1, b"220 ready\r\n").ask(0, b"EHLO h\r\n").ask(1, b"250 ok\r\n").ask(0, b"NOOP\r\n").ask(
        1, b"421 4.4.2 Timeout exceeded\r\n", 9000).put(1, FIN | ACK)
    yield "goaway", http2_talk(http2(7, 0, 0, bytes(4) + struct.pack(">I", 11) + b"calm")).put(1, FIN | ACK, 5)
    yield "stream_reset", http2_talk(http2(3, 0, 1, struct.pack(">I", 2))).ask(0, http2(1, 5, 3, bytes.fromhex("828684")))
    silent = Talk().asked()
    for again in range(7):
        silent.put(0, PSH | ACK, 200 << again, get, back=len(get) if again else 0)
    yield "peer_silent", silent
    ignored = Talk(opened=False)
    for again in range(4):
        ignored.put(0, SYN, 1000 << again if again else 0, back=1 if again else 0).put(1, SYN | ACK, 10, back=1 if again else 0)
    yield "answer_ignored", ignored
    moved = Talk().asked()
    for _ in range(12):
        moved.put(1, ACK, 0.1, bytes(1448))
        moved.put(0, ACK, 1, behind=2896, options=bytes.fromhex("0101050a") + struct.pack(">II", 0x10000000, 0x10000500))
    yield "sack_out_of_place", moved.put(1, ACK, 300, bytes(1448), back=2896).put(1, RST | ACK, 900)
    yield "transfer_reset", moved.put(1, RST, 9)
    many = []
    for port in range(40000, 40012):
        one = Talk(port).asked().ask().put(1, RST | ACK, 40)
        many += [(at + (port - 40000) * 10**7, packet) for at, packet in one.packets]
    refused = [(at, packet) for port in range(41000, 41008) for at, packet in Talk(port, False).put(0, SYN, port - 41000).put(1, RST | ACK, 10).packets]
    both = Talk()
    both.packets = sorted(many + refused, key=lambda one: one[0])
    yield "many", both
    for kind, code in ((3, 1), (3, 3), (3, 4), (3, 13), (11, 0)):
        icmp = Talk().asked()
        for hop in range(1, 4):
            icmp.put(0, PSH | ACK, 100, get)
            quoted = icmp.packets[-1][1]
            icmp.packets.append((icmp.now + 10**6, struct.pack(">BBHHHBBH4s4s", 0x45, 0, 56, 9, 0, 250, 1, 0, bytes((10, 0, 9, hop)), b"\x0a\0\0\1")
                                 + struct.pack(">BBHHH", kind, code, 0, 0, 1400) + quoted[:28]))
        yield f"icmp_{kind}_{code}", icmp
    traced = Talk(opened=False)
    for ttl in range(1, 9):
        traced.put(0, SYN, 300, back=1 if ttl > 1 else 0)
        at, probe = traced.packets.pop()
        probe = patched(probe, 8, bytes((ttl,)))
        hop = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 56, 9, 0, 250, 1, 0, bytes((10, 0, 9, ttl)), b"\x0a\0\0\1") + struct.pack(">BBHI", 11, 0, 0, 0) + probe[:28]
        traced.packets += [(at, probe), (at + ttl * 10**6, hop)]
    yield "traced", traced.put(1, SYN | ACK, 20).put(0, RST, 1)
    paced = Talk().ask()
    for n in range(120):
        paced.put(1, ACK, 2, bytes(200 if n % 10 == 9 else 1448))
        if n % 2:
            paced.put(0, ACK, 0.5, behind=2896 if n % 7 == 0 else 0)
    yield "paced", paced.put(1, FIN | ACK, 1)


def beside(one, other):
    """Both connections in the order of time."""
    both = Talk()
    both.packets = sorted(one.packets + other.packets, key=lambda packet: packet[0])
    return both


def full_link(early):
    """Answers that come while another connection's bytes fill the link; nothing is stamped."""
    download, asker = Talk(41000), Talk()
    for n in range(400):
        download.put(1, ACK, 1, bytes(1448))
        if n % 2:
            download.put(0, ACK, 0.05)
    asker.asked(1)
    for _ in range(2):
        asker.put(0, PSH | ACK, 20, b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        if early:
            asker.put(1, ACK, 10)
        asker.put(1, PSH | ACK, 90, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").put(0, ACK, 0.1)
    both, stamp = beside(download, asker), bytes.fromhex("080a0000000100000000")
    both.packets = [(at, packet.replace(stamp, b"\1" * len(stamp))) for at, packet in both.packets]
    return both


def shared():
    """What seeds of one connection, or of another style, do not reach: (name, style, packets)."""
    lost, cluster = Talk(41000, opened=False), Talk().ask(0, b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n").ask(1, b"-MOVED 3999 10.0.0.9:6379\r\n", 20)
    lost.now = cluster.now
    for again in range(4):
        lost.put(0, SYN, 1000 << again, back=1 if again else 0)
    get, bad = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
    signature = b"\r\n\r\n\0\r\nQUIT\n"
    for name, header in (("line", b"PROXY UNKNOWN\r\n"), ("binary", signature + b"\x21\0\0\0"), ("cut", signature + b"\x20\0\1\0"), ("no_end", b"PROXY TCP4 1")):
        yield f"proxied_{name}", 85, Talk().ask(0, header + get).ask(1, bad, 20).put(1, FIN | ACK, 1).put(0, FIN | ACK, 10)
    lost.packets = [(at, patched(packet, 16, b"\x0a\0\0\x09")) for at, packet in lost.packets]
    yield "address_named", 80, beside(cluster, lost)
    mqtt = Talk().ask(0, b"\x10\x0e\0\x04MQTT\x04\x02\0\x0a\0\x02ab").ask(1, b"\x20\x02\0\0", 20)
    yield "keep_alive_missed", 81, mqtt.put(1, FIN | ACK, 30000).put(0, FIN | ACK, 10)
    for style in (4, 87):  # a flow graph of more rows than it shows, and a page with one
        yield f"rows_{style}", style, Talk().asked(60)
    upload, asker = Talk(41000), Talk()
    for n in range(120):
        upload.put(0, ACK, 2, bytes(144))
        if n >= 45:
            upload.put(1, ACK, 0.2, behind=45 * 144)
    for early in (False, True):  # the answer waits behind another connection's bytes; the question is acknowledged at once, or with it
        yield f"shared_link_{early}", 83 + early, full_link(early)
    yield "cross_traffic", 82, beside(upload, asker.asked().ask(0).ask(1, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 90).ask())


def sessions(captures):
    def whole(at, data):
        return bytes((1 | 2 | 8,)) + struct.pack(">QB", at, len(data[:120])) + data[:120] + struct.pack(">I", len(data))

    for i, (name, talk) in enumerate(failing()):
        yield f"fails-{name}", bytes((0x7D, 80 + 3 * i)) + b"".join(whole(at, packet) for at, packet in talk.packets)

    for name, style, talk in shared():
        yield f"shared-{name}", bytes((0x7D, style)) + b"".join(whole(at, packet) for at, packet in talk.packets)

    def packet(link, code, after, data):
        return bytes((code & ~1,)) + struct.pack(">H", link) + struct.pack(">HB", after, min(len(data), 255)) + data[:255]

    for i, (name, link, frames) in enumerate(captures):
        out, last = bytes((0xFF & ~2 & ~128, 80 + i)), frames[0][0]
        for at, _, data in frames:
            out += packet(link, 0, min((at - last) // 1000, 65535), data)
            last = at
        yield name, out
    for i, (link, data) in enumerate(layers()):
        yield f"layer-{i}", bytes((0x7D, 100)) + packet(link, 0, 100, data) * 2

def dns(kind, name, flags=0x100, records=(), number=7):
    """A message of one question, in UDP and IPv4, to port 53 or, a response, from there."""
    labels = b"".join(bytes((len(label),)) + label for label in name.split(b".")) + b"\0"
    body = struct.pack(">6H", number, flags, 1, len(records), 0, 0) + labels + struct.pack(">HH", kind, 1)
    body += b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data for data in records)
    ports, ends = ((53, 50000), b"\x0a\0\0\x35\x0a\0\0\1") if flags & 0x8000 else ((50000, 53), b"\x0a\0\0\1\x0a\0\0\x35")
    datagram = struct.pack(">HHHH", *ports, 8 + len(body), 0) + body
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(datagram), 7, 0, 64, 17, 0) + ends + datagram


def looked_up():
    """Connections behind their lookups; the address is that of Talk's server."""
    found = (b"\x0a\0\0\2",)
    ways = {
        "both": ((0, dns(1, b"WWW.test")), (1, dns(28, b"WWW.test", number=8)), (20, dns(1, b"www.test", 0x8180, found)), (90, dns(28, b"www.test", 0x8180, number=8))),
        "search": ((0, dns(1, b"www.corp.test.example")), (9, dns(1, b"www.corp.test.example", 0x8183)), (10, dns(1, b"www.corp.test", number=9)),
                   (30, dns(1, b"www.corp.test", 0x8180, found, 9))),
        "search_up": ((0, dns(1, b"www.a.example.org")), (9, dns(1, b"www.a.example.org", 0x8183)), (10, dns(1, b"www.example.org", number=9)),
                      (300, dns(1, b"www.example.org", 0x8180, found, 9))),
        "again": ((0, dns(1, b"a b.test")), (1, dns(28, b"a b.test", number=8)), (3, dns(28, b"a b.test", 0x8180, number=8)), (1500, dns(1, b"a b.test")),
                  (1520, dns(1, b"a b.test", 0x8180, found))),
        "strange": ((0, dns(65, b"x.test")), (5, dns(65, b"x.test", 0x8189)), (6, dns(1, b"x.test", number=3)), (700, dns(1, b"x.test", 0x8180, found, 3))),
    }
    for name, way in ways.items():
        talk = Talk()
        shift = 10**9 + (way[-1][0] + 5) * 10**6
        talk.packets = [(10**9 + ms * 10**6, packet) for ms, packet in way] + [(at + shift - 10**9, packet) for at, packet in talk.asked().packets]
        yield f"names_{name}", talk
    refused = Talk()
    query = dns(1, b"www.test")
    error = struct.pack(">BBHHHBBH", 0x45, 0, 28 + len(query), 9, 0, 64, 1, 0) + b"\x0a\0\0\x35\x0a\0\0\1" + bytes((3, 3, 0, 0, 0, 0, 0, 0)) + query
    refused.packets = [(10**9, query), (10**9 + 10**6, error), (2 * 10**9, query), (2 * 10**9 + 10**6, error)]
    yield "names_unreachable", refused


def unwelcome():
    """What a network box, a client or a server ends at once or late."""
    hello = bytes.fromhex("160303002c0200002803030000000000000000000000000000000000000000000000000000000000000000001302000000")
    yield "certificate_refused", Talk().ask(0, HELLO).ask(1, hello + bytes.fromhex("160303000a0b00000600000300000000"), 20).put(0, FIN | ACK, 20).put(1, FIN | ACK, 10)
    yield "alert_sealed", Talk().ask(0, HELLO).ask(1, hello, 20).put(0, PSH | ACK, 10, bytes.fromhex("1703030013") + bytes(19)).put(0, FIN | ACK, 1).put(1, FIN | ACK, 10)
    for code in (1, 9, 13):
        boxed = Talk(opened=False)
        for again in range(3):
            boxed.put(0, SYN, 1000 << again if again else 0, back=1 if again else 0)
            boxed.packets.append((boxed.now + 10**7, struct.pack(">BBHHHBBH4s4s", 0x45, 0, 56, 9, 0, 250, 1, 0, b"\x0a\0\x09\1", b"\x0a\0\0\1")
                                  + struct.pack(">BBHI", 3, code, 0, 0) + boxed.packets[-1][1][:28]))
        yield f"boxed_{code}", boxed
    yield "no_length", Talk().ask().ask(1, b"HTTP/1.0 200 OK\r\n\r\nbytes", 20).put(1, FIN | ACK, 9000).put(0, FIN | ACK, 10)
    for line in (b"421 Too many connections\r\n", b"* BYE overloaded\r\nmore", b"Exceeded MaxStartups\r\n"):
        yield f"dismissed_{line[:3].hex()}", Talk().put(1, PSH | ACK, 20, line).put(1, FIN | ACK, 1).put(0, ACK, 10).put(0, FIN | ACK, 1)
    route = Talk()
    route.packets = []
    for ttl in range(1, 13):
        probe = Talk(42000 + ttl, opened=False).put(0, SYN, 300 * ttl)
        at, packet = probe.packets.pop()
        packet = patched(packet, 8, bytes((ttl,)))
        hop = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 56, 9, 0, 250, 1, 0, bytes((10, 0, 9, ttl // 2)), b"\x0a\0\0\1") + struct.pack(">BBHI", 11, 0, 0, 0) + packet[:28]
        route.packets += [(at, packet)] + ([] if ttl % 5 == 4 else [(at + ttl * 10**6, hop)] if ttl < 12 else probe.put(1, SYN | ACK, 30).put(0, RST, 1).packets)
    yield "route", route
    challenged = Talk(opened=False).put(0, SYN).put(1, ACK, 10, back=77).put(0, RST, 0.1).put(0, SYN, 1000, back=1).put(1, RST | ACK, 10)
    yield "challenged", challenged


def waited_for():
    """Answers that come when a timer says so, and clients that do not wait for one."""
    empty, some = b"HTTP/1.1 204 No Content\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    for name, query, answer in (("asked_ms", b"timeout=5000", some), ("asked_s", b"x=1&wait=5&y=2", some), ("steady", b"cursor=9", empty), ("alike", b"poll", some)):
        talk = Talk()
        for _ in range(5):
            talk.ask(0, b"GET /poll?" + query + b" HTTP/1.1\r\nHost: h\r\n\r\n", 20).ask(1, answer, 5000)
        yield f"polled_{name}", talk
    yield "no_greeting", Talk().put(0, FIN | ACK, 30000).put(1, ACK, 10)
    half = b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + bytes(500)
    yield "gave_up_half", Talk().asked().ask().ask(1, half, 20).put(0, RST | ACK, 20000)
    yield "gave_up_beyond_hole", Talk().asked().ask().put(1, ACK, 20, half).put(1, ACK, 1, bytes(1448), back=-1448).put(0, ACK, 1).put(0, FIN | ACK, 20000).put(0, RST, 1)
    pushed = Talk().ask(0, b"GET /events HTTP/1.1\r\nHost: h\r\n\r\n").ask(1, b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", 20)
    for _ in range(8):
        pushed.ask(1, b"data: x\n\n", 3000)
    yield "server_push", pushed
    events = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + b"data: x\n\n" * 6
    held = Talk().ask(0, b"GET /events HTTP/1.1\r\nHost: h\r\n\r\n").ask(1, events, 3000).ask(1, b"data: x\n\n" * 6, 3000)
    yield "events_held", held.put(1, FIN | ACK, 9).put(0, FIN | ACK, 10)


def raw_capture(talk):
    return struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 101) + b"".join(
        struct.pack("<IIII", at // 10**9, at % 10**9, len(packet), len(packet)) + packet for at, packet in sorted(talk.packets, key=lambda one: one[0]))


def asked():
    """Sixteen bytes as fuzz_asked.c reads them, and a capture."""
    talks = [*failing(), *looked_up(), *unwelcome(), *waited_for()]
    for i, (name, talk) in enumerate(talks):
        for document in range(21):
            n = i * 21 + document
            head = bytes((n % 256, (0, 63, 92, 157)[n % 4], (0x2F, 0x0F, 3, 0x51)[n // 4 % 4], n % 256 if n % 3 == 0 else 0, n % 64 if n % 5 == 0 else 0, n % 256,
                          n // 2 % 8, n // 3 % 4, n % 64, n % 7, n % 256, n % 128 if n % 6 == 0 else 0, n % 11, n * 5 % 256, document, 0))
            yield f"{name}-{document}", head + raw_capture(talk)
        for tool in range(7) if name in ("route", "traced", "many", "paced") else ():
            yield f"{name}-as-{tool}", bytes((0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, tool, 128 * (tool % 2), 15, 0)) + raw_capture(talk)


def interfaces(captures):
    """Bytes as fuzz_nic.c reads them: each way to open an interface, then frames that are sent and read, and a link that goes down."""
    down, up, take, count = b"\1", b"\x81", b"\2", b"\3"
    for choice in range(0, 256, 3):
        out = bytes((choice,)) + take + count
        for i, (_, _, frame) in enumerate(captures[choice % len(captures)][2][:6]):
            out += bytes((0, len(frame[:255]))) + frame[:255] + take * 2 + (down + take + count + up if i == 3 else b"")
        yield f"{choice}", out + count


def looked_up_words():
    """A number and a name, as fuzz_words.c reads them."""
    names = ["", "x", "nagle_delayed_ack", "refused", "sequence", "rtt", "wrk", "ss", "connections", "ledger", "server_think"]
    for n in range(0, 256, 5):
        yield f"{n}", bytes((n,)) + names[n % len(names)].encode()
    for n in range(24):
        yield f"low-{n}", bytes((n,))


# ---- application protocols -----------------------------------------------------------------------------------------------------------

TALKS = {
    "http": [(0, b"GET /index.html HTTP/1.1\r\nHost: example.org\r\n\r\n"), (1, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
             (0, b"HEAD / HTTP/1.1\r\n\r\n"), (1, b"HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\n")],
    "chunked": [(0, b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
                (1, b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1;x=y\r\nz\r\n0\r\nA: b\r\n\r\n")],
    "close": [(0, b"GET http://h/ HTTP/1.0\r\n\r\n"), (1, b"HTTP/1.0 200 OK\r\n\r\nuntil the end")],
    "connect": [(0, b"CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n"), (1, b"HTTP/1.1 200 Connection established\r\n\r\n"),
                (0, bytes.fromhex("16030100050100000100")), (1, bytes.fromhex("1603030004020000"))],
    "upgrade": [(0, b"GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"), (1, b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x05hello")],
    "turns": [(1, b"220 ready\r\n"), (0, b"EHLO h\r\n"), (1, b"250 ok\r\n"), (0, b"QUIT\r\n"), (1, b"221 bye\r\n")],
    "tls": [(0, bytes.fromhex("16030100370100003303030000000000000000000000000000000000000000000000000000000000000000"
                              "000002130101000008000000040002613a")), (1, bytes.fromhex("160303000a0200000603030000000014030300010117030300021122"))],
    "mysql": [(1, bytes.fromhex("0a0000000a382e302e3000010000")), (0, bytes.fromhex("0900000303") + b"SELECT 1"), (1, bytes.fromhex("0700000100000002000000"))],
}


def applications():
    for name, talk in TALKS.items():
        for start in (0, 1):
            out = bytes((start,))
            for side, data in talk:
                for i in range(0, len(data), 255):
                    part = data[i:i + 255]
                    out += bytes((side | 16, len(part))) + part
            yield f"{name}-{start}", out
        yield f"{name}-cut", b"\1" + b"".join(bytes((side | 16, 8)) + data[i:i + 8] for side, data in talk for i in range(0, len(data), 8))


# ---- one dissector alone ---------------------------------------------------------------------------------------------------------------

def http2(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
GET = bytes.fromhex("8286") + b"\x44\x02/a"
GRPC = bytes.fromhex("8386") + b"\x44\x04/s/m\x5f\x10application/grpc"
ALONE = {
    "http2": {
        "two": [(0, PREFACE + http2(4, 0, 0, bytes.fromhex("000400000064"))), (1, http2(4, 0, 0)), (0, http2(4, 1, 0) + http2(1, 5, 1, GET) + http2(1, 5, 3, GET)),
                (1, http2(1, 4, 3, b"\x88") + http2(1, 4, 1, b"\x88") + http2(0, 0, 1, bytes(100))), (0, http2(8, 0, 1, bytes.fromhex("00000064")) + http2(8, 0, 0, bytes.fromhex("00000064"))),
                (1, http2(0, 1, 1, bytes(20)) + http2(3, 0, 3, bytes.fromhex("00000008")) + http2(7, 0, 0, bytes(8)))],
        "grpc": [(0, PREFACE + http2(4, 0, 0) + http2(1, 4, 1, GRPC) + http2(0, 1, 1, bytes.fromhex("0000000003616263"))),
                 (1, http2(4, 0, 0) + http2(1, 4, 1, b"\x88") + http2(0, 0, 1, bytes.fromhex("0000000001aa")) + http2(1, 5, 1, b"\x40\x0bgrpc-status\x015"))],
        "pieces": [(0, PREFACE + http2(1, 1, 1, GET[:2]) + http2(9, 4, 1, GET[2:])), (1, http2(5, 4, 1, bytes.fromhex("00000002") + GET) + http2(1, 4, 2, b"\x88") + http2(0, 9, 2, b"\2abc\0\0")),
                   (0, http2(6, 0, 0, bytes(8))), (1, http2(6, 1, 0, bytes(8)))],
        "middle": [(0, http2(1, 0x25, 9, bytes(5) + GET)), (1, http2(1, 4, 9, b"\x88\xbe\xbf") + http2(0, 1, 7, b"abc"))],
    },
}


def alone(talks):
    for name, talk in talks.items():
        for step in (255, 7):
            out = b""
            for side, data in talk:
                for i in range(0, len(data), step):
                    out += bytes((side, len(data[i:i + step]))) + data[i:i + step]
            yield f"{name}-{step}", out
        yield f"{name}-hole", b"".join(bytes((side | (12 if i % 40 == 20 else 0), len(data[i:i + 10]))) + data[i:i + 10]
                                       for side, data in talk for i in range(0, len(data), 10))


def smb(command, number, response=0, status=0, body=b""):
    message = b"\xfeSMB" + struct.pack("<HHIHHIIQ", 64, 0, status, command, 1, response, 0, number) + bytes(32) + body
    return struct.pack(">I", len(message)) + message


def ldap(number, tag, content):
    return bytes((0x30, len(content) + 5, 2, 1, number, tag, len(content))) + content


def rpc(*words):
    return struct.pack(">I", 0x80000000 | 4 * len(words)) + struct.pack(f">{len(words)}I", *words)


# In the order of fuzz_files.c.
FILES = (
    {"smb2": [(0, smb(0, 0) + smb(5, 1, 0, 0, bytes(44) + struct.pack("<HH", 120, 4) + bytes(8) + b"a\0b\0")), (1, smb(0, 0, 1) + smb(15, 1, 1, 0x103)),
              (1, smb(5, 1, 1, 0xC0000022) + smb(18, 2**64 - 1, 1))],
     "smb1": [(0, b"\0\0\0\x23\xffSMB\x72" + bytes(30)), (1, b"\0\0\0\x23\xffSMB\x72" + bytes(4) + b"\x80" + bytes(25))]},
    {"ldap": [(0, ldap(1, 0x63, b"\x04\x04dc=x\x0a\1\2\x0a\1\0\2\1\0\2\1\0\1\1\0\xa0\x0c\xa3\x07\4\2cn\4\1a\x87\1b")),
              (1, ldap(1, 0x64, b"") + ldap(1, 0x65, b"\x0a\1\x20")), (0, ldap(2, 0x77, b"\x80\x161.3.6.1.4.1.1466.20037")), (1, ldap(2, 0x78, b"\x0a\1\0"))]},
    {"nfs": [(0, rpc(7, 0, 2, 100003, 4, 1, 0, 0, 0, 0, 0, 1, 3, 53, 0, 0, 0, 0, 0, 0, 0, 0, 22, 4, 77, 25) + rpc(8, 0, 2, 100005, 3, 1, 0, 0, 0, 0)),
             (1, rpc(8, 1, 0, 0, 0, 0, 0) + rpc(7, 1, 0, 0, 0, 0, 70))]},
    {"smtp": [(1, b"220 a ESMTP\r\n"), (0, b"EHLO b\r\nMAIL FROM:<a>\r\nDATA\r\n"), (1, b"250-x\r\n250 y\r\n250 z\r\n354 go\r\n"), (0, b"text\r\n.\r\nBDAT 3 LAST\r\nabc"), (1, b"250 ok\r\n")]},
    {"imap": [(1, b"* OK hi\r\n"), (0, b"a1 IDLE\r\n"), (1, b"+ idling\r\n* 1 EXISTS\r\n"), (0, b"DONE\r\na2 APPEND x {3}\r\nabc\r\n"), (1, b"a1 OK\r\n* 1 FETCH {2}\r\nab)\r\na2 BAD\r\n")]},
    {"pop3": [(1, b"+OK hi\r\n"), (0, b"CAPA\r\nRETR 1\r\nSTLS\r\n"), (1, b"+OK\r\nTOP\r\n.\r\n-ERR\r\n+OK\r\n")]},
    {"ftp": [(1, b"220 hi\r\n"), (0, b"PASV\r\nRETR a\r\nEPRT |1|1.2.3.4|5|\r\nLIST\r\n"), (1, b"227 (1,2,3,4,5,6)\r\n150 go\r\n226 done\r\n200 ok\r\n150-a\r\n150 b\r\n")]},
    {"ssh": [(0, b"SSH-2.0-a\r\n\0\0\0\4\1\x14\0\0\0\0\0\4\1\x15\0\0"), (1, b"SSH-2.0-b\r\n")]},
    {"websocket": [(0, b"\x81\x85maskhello"), (1, b"\x82\x7e\0\x80" + bytes(128) + b"\x82\x7f" + bytes(6) + b"\1\0\x88\2\3\xe8")]},
)


def files():
    for i, talks in enumerate(FILES):
        for name, data in alone(talks):
            yield name, bytes((i,)) + data


def tls():
    """Behind a byte that says how much of a key log follows."""
    line = b"CLIENT_RANDOM " + b"00" * 32 + b" " + b"11" * 48 + b"\n"
    for name, data in alone({"hello": TALKS["tls"]}):
        yield name, b"\0" + data
        yield name + "-keys", bytes((len(line) // 16 + 1,)) + line.ljust(16 * (len(line) // 16 + 1)) + data


# ---- programs for the tracker --------------------------------------------------------------------------------------------------------

def programs():
    """A byte an instruction: connection in the highest three bits, side, operation (see fuzz_track.c)."""
    def data(side, length, times=1):
        return bytes((side << 4, length, times - 1))

    opening = bytes((7, 0, 6, 7, 5, 180, 0x17, 1, 6, 7, 5, 180, 1))
    pause = bytes((11, 1, 40))
    yield "request", opening + (data(0, 80) + data(1, 200) + data(1, 50) + bytes((1,))) * 3
    yield "nagle", opening + (data(0, 80) + data(1, 200) + pause + bytes((1,)) + data(1, 90) + bytes((1,))) * 4
    yield "bulk", opening + (data(1, 200, 7) * 8 + bytes((1,)) * 4 + bytes((11, 1, 20))) * 6
    yield "loss", opening + (data(1, 200, 7) + bytes((0x13, 5, 120, 100)) + bytes((5, 0, 4, 0, 1, 0)) * 3 + bytes((0x14, 1, 100)) + bytes((1,))) * 4
    yield "timeout", opening + data(1, 200, 7) + (bytes((11, 2, 30, 0x14, 0, 5, 120, 200))) * 6
    yield "window", opening + data(1, 200, 7) + bytes((6, 1)) + bytes((11, 2, 20)) + bytes((0x10, 1, 0)) + bytes((6, 1)) + bytes((6, 0, 200, 0)) + data(1, 100)
    yield "clock", opening + data(0, 10) + bytes((11, 0xFE)) + b"\x20" + bytes(7) + data(1, 10) + bytes((11, 0xFF)) + b"\x7f" + bytes(7) + data(0, 10)
    yield "too-big", opening + (data(1, 200, 7) + bytes((0x1C, 1, 5, 120)) + bytes((0x14, 0, 5, 120, 200))) * 3
    yield "stamps", opening + (bytes((10, 0x21, 1)) + data(0, 30) + bytes((0x1A, 0x31, 0)) + data(1, 60)) * 5
    yield "closed", opening + data(0, 80) + bytes((13,)) + data(1, 40) + bytes((1, 13)) + opening + data(0, 9) + bytes((13, 1))
    yield "forgotten", bytes(code | 0x40 if i in (0, 4, 8) else code for i, code in enumerate(opening)) + bytes((0x4D,)) + opening
    yield "wild", opening + bytes((9,)) + bytes(range(40, 60)) + bytes((8, 1, 4, 0)) + data(1, 9)


def segment(connection, side, flags, gap_us=100, back=0, behind=0, window=255, length=0, options=0):
    """Twelve bytes as fuzz_conversation.c reads them; gaps of more than 65 ms are shifted."""
    shift = max(gap_us.bit_length() - 16, 0)
    return struct.pack(">BBHhHBHB", connection << 1 | side | shift << 4, flags, gap_us >> shift, back, behind, window, length, options)


def opening(n, rtt_us=1000):
    return segment(n, 0, SYN, options=23) + segment(n, 1, SYN | ACK, rtt_us, options=23) + segment(n, 0, ACK, 50)


def conversations():
    """What each of the options is for: the first byte chooses memory bound, threads, both ends, and cut; the second where."""
    def ask(n, wait_us):
        return segment(n, 0, PSH | ACK, 200, length=300) + segment(n, 1, PSH | ACK, wait_us, length=900) + segment(n, 0, ACK, 300)
    thinks = opening(0) + ask(0, 300000) * 3
    closed = opening(1) + segment(1, 0, PSH | ACK, length=100) + segment(1, 1, ACK, window=0) + segment(1, 0, PSH | ACK, 400000, length=1) + segment(1, 1, ACK, 900000)
    data = b"".join(segment(2, 1, ACK, 20, length=1448) for _ in range(12))
    lost = opening(2) + ask(2, 500) + data + segment(2, 0, ACK, 600, behind=1448 * 4, options=34) * 4 + segment(2, 1, ACK, 210000, back=-1448 * 4, length=1448)
    ends = segment(0, 1, FIN | ACK, 100) + segment(0, 0, FIN | ACK, 100) + segment(0, 1, ACK, 1000) + segment(0, 0, RST, 100)
    many = b"".join(opening(n) + ask(n, 40000) for n in range(8))
    for name, body in (("thinks", thinks + ends), ("closed", closed), ("lost", lost), ("many", many * 2), ("again", thinks + ends + thinks), ("all", many + lost + closed)):
        for choice in (0, 1, 2, 4 | 16, 1 | 4, 8, 2 | 24, 2 | 4 | 32):
            yield f"{name}_{choice}", bytes([choice, len(body) // 36]) + body


def parsed():
    """Eighteen bytes a segment, as fuzz_parsed.c reads them."""
    def one(kind, port, flags, gap_us=100, seq=0, ack=0, length=0, options=16, at=6, hosts=0x21, window=250):
        return struct.pack(">BBHHHBHBHBHBB", kind, hosts, port, flags, gap_us, 0, seq, 0, ack, window, length, options, at)

    def talk(port, side=0, hosts=0x21, wait_us=30000):
        c, s = side, side | 1
        return (one(c, port, SYN, options=30, at=7, hosts=hosts) + one(s, port, SYN | ACK, 900, 0, 1, options=30, at=7, hosts=hosts)
                + one(c, port, ACK, seq=1, ack=1, hosts=hosts) + one(c, port, PSH | ACK, 50, 1, 1, 27, at=1, hosts=hosts)
                + one(s, port, PSH | ACK, wait_us, 1, 28, 1200, at=29, hosts=hosts) + one(s, port, ACK, 20, 3601, 28, 1200, hosts=hosts)
                + one(c, port, ACK, 80, 28, 1201, options=48, at=200, hosts=hosts) + one(s, port, ACK, 60000, 1201, 28, 1200, hosts=hosts))

    ends = b"".join(one(0, port, FIN | ACK, 90, 28, 2401) + one(1, port, RST | ACK, 90, 2401, 29) for port in range(2000, 2020))
    talks = b"".join(talk(2000 + n, 2 * (n % 2), 0x21 + n % 3, 1000 * n) for n in range(40))
    for choice in (0, 14, 15, 16 + 14, 17):
        yield f"talks_{choice}", bytes((choice, 50, 0)) + talks + ends
    # They take turns, so that all are open at once.
    crowd = b"".join(part for parts in zip(*[[talk(3000 + n, hosts=0x10 | n % 16, wait_us=n)[at:at + 18] for at in range(0, 144, 18)] for n in range(60)]) for part in parts)
    unanswered = b"".join(one(0, n, SYN, n % 9, hosts=n % 256) + one(1, n, (RST | ACK, SYN | ACK)[n % 2], 500, ack=1, hosts=n % 256) for n in range(4000, 4150))
    yield "crowd", bytes((1, 0, 2)) + crowd + unanswered
    yield "crowd_bounded", bytes((16 + 2 + 4 + 8, 0, 40)) + crowd
    # More answers than are kept one by one, over connections of every round.
    turns = one(0, 1, SYN, options=30) + one(1, 1, SYN | ACK, 90, 0, 1, options=30) + one(0, 1, ACK, 9, 1, 1)
    turns += b"".join(one(0, 1, PSH | ACK, 90 + n, 1 + 100 * n, 1 + 200 * n, 100) + one(1, 1, PSH | ACK, 500 * n, 1 + 200 * n, 101 + 100 * n, 200) for n in range(116))
    yield "turns", bytes((0, 0, 255)) + turns
    yield "refused", bytes((0, 1, 0)) + one(4, 1, SYN, hosts=5) + one(8 | 2, 1, SYN) + one(0, 1, SYN, options=0xE0) + one(0, 1, 0xFFFF, 65535, options=1)


def rotated():
    """Names and times as fuzz_chain.c reads them."""
    stamps = [f"x-2026-11-20_10:{i}0:00.pcap" for i in range(6)]
    names = {"c": ["x.pcap", "x.pcap1", "x.pcap2", "x.pcap4"], "w": [f"d/x.pcap{i:02}" for i in range(4)], "b": [f"x_0000{i}_2026112010101{i}.pcapng" for i in range(4)],
             "p": [f"x_2026112010101{i}_0000{i}.pcapng" for i in range(4)], "l": ["x.pcap", "x.pcap.1", "x.pcap.2.gz", "x.pcap.3.zst"], "g": stamps,
             "e": [f"web-17951507{i}0.cap" for i in range(4)], "m": stamps[:2] + stamps[4:] + ["a/x.pcap", "b/x.pcap1", "nonsense"], "n": [""] * 3}
    for name, files in names.items():
        for how in range(3):
            for begins in (range(0, 600, 10), range(90, 0, -10), (255,) * 9, (5,) * 9):
                yield f"{name}_{how}_{begins[0]}_{begins[1]}", bytes((how,)) + b"".join(
                    bytes((begin % 255 + (begin == 255) * 10, begin % 256, len(file))) + file.encode() for begin, file in zip(begins, files))


def followed(captures):
    """Captures being written, as fuzz_follow.c reads them: how, then what happens, length in sixteens, bytes."""
    write, cut, replace, following, look = 0, 2, 3, 4, 5

    def step(what, data=b""):
        return bytes((what, len(data) // 16)) + data[:len(data) // 16 * 16]

    def file(frames):
        return HEADER + b"".join(struct.pack("<IIII", at // 10**9, at % 10**9 // 1000, len(data), original) + data for at, original, data in frames)

    frames = [(at, original, data[:80]) for at, original, data in captures[0][2]]
    small, section = file(frames[:3]), pcapng(frames[:3])
    for how in range(4):
        for name, data in (("pcap", small), ("pcapng", section), ("nothing", bytes(64)), ("zst", b"\x28\xb5\x2f\xfd" + bytes(60))):
            pieces = [data[at:at + 96] for at in range(0, len(data), 96)]
            ways = {"grows": [step(write, p) for p in pieces], "cut": [step(write, data), step(cut), step(write, data)], "late": [step(look), step(write, data[:16]), step(look), step(write, data[16:])],
                    "replaced": [step(write, data), step(replace, data), step(look), step(replace, small)],
                    "rotated": [step(write, data), step(following, data), step(following, small), step(following), step(write, small), step(look)]}
            for way, steps in ways.items():
                yield f"{name}_{way}_{how}", bytes((how,)) + b"".join(steps)


def lookups():
    """Messages as fuzz_dns.c reads them: how (1 response, 2 IPv6, 4 TCP, 8 a SYN behind it), length, bytes."""
    def name(*labels):
        return b"".join(bytes((len(label),)) + label for label in labels) + b"\0"

    def message(flags, question, records=(), kind=1):
        return struct.pack(">6H", 7, flags, 1, len(records), 0, 0) + question + struct.pack(">HH", kind, 1) + b"".join(records)

    def record(owner, kind, data):
        return owner + struct.pack(">HHIH", kind, 1, 60, len(data)) + data

    def one(how, data):
        return bytes((how,)) + struct.pack(">H", len(data)) + data

    here, www = b"\xc0\x0c", name(b"www", b"test")
    query = message(0x100, www)
    yield "answered", one(8, query) + one(9, message(0x8180, www, [record(here, 1, b"\x0a\0\0\x02")]))
    yield "aliased", one(0, query) + one(9, message(0x8180, www, [record(here, 5, name(b"cdn") + here), record(b"\xc0\x28", 1, b"\x0a\0\0\x02")]))
    yield "six", one(2, message(0x100, www, kind=28)) + one(11, message(0x8180, www, [record(here, 28, bytes(16))], kind=28))
    yield "refused", one(0, query) * 3 + one(1, message(0x8185, www)) + one(0, query)
    yield "truncated", one(0, query) + one(1, message(0x8380, www)) + one(4, struct.pack(">H", len(query)) + query)
    yield "pieces", b"".join(one(4, (struct.pack(">H", len(query)) + query)[at:at + 5]) for at in range(0, len(query) + 2, 5))
    yield "loop", one(0, message(0x100, b"\xc0\x0c")) + one(0, message(0x100, b"\x01a\xc0\x0c"))
    yield "long", one(0, message(0x100, b"\x01\xff" * 127 + b"\0"))


# ---- scripts of the unit tests -------------------------------------------------------------------------------------------------------

# Options as 'script --segments' prints them, and their encoding.
OPTIONS = ((1, ">BBH", (2, 4), "mss", 1), (2, ">BBB", (3, 3), "ws", 1), (4, ">BB", (4, 2), "opt", 0), (16, ">BBII", (8, 10), "ts", 2),
           (8, ">BBII", (5, 10), "sack", 3))
SCRIPT_BYTES = 5000  # longer ones add little for their time


def scripted_packet(line, client):
    """Headers of a segment, as a short snap length leaves them, and the length on the wire."""
    words = line.split()
    told = {name: words[words.index(name) + 1:] for name in ("seq", "ack", "len", "flags", "win", "id", "ttl", "opt", "mss", "ws", "ts", "sack")}
    number = {name: int(values[0], 16 if name in ("flags", "opt") else 10) for name, values in told.items()}
    options = b"".join(struct.pack(form, *head, *map(int, told[name][max(n - 2, 0):n])) for bit, form, head, name, n in OPTIONS if number["opt"] & bit)
    options += bytes(-len(options) % 4)
    source, destination = map(int, words[1].split(">"))
    hosts, size = (b"\x0a\0\0\1", b"\x0a\0\0\2"), 40 + len(options) + number["len"]
    packet = struct.pack(">BBHHHBBH", 0x45, 0, min(size, 65535), number["id"], 0, number["ttl"], 6, 0) + hosts[source != client] + hosts[source == client]
    return packet + struct.pack(">HHIIHHHH", source, destination, number["seq"], number["ack"], (20 + len(options)) // 4 << 12 | number["flags"],
                                number["win"], 0, 0) + options, size


def scripted(runner):
    """A connection a seed, as fuzz_session.c reads them."""
    for i, path in enumerate(sorted((pathlib.Path(__file__).parents[1] / "unit/scripts").glob("*.script"))):
        name, out, last, client = "", b"", 0, 0
        for n, line in enumerate(subprocess.run([runner, "--segments", path], capture_output=True, text=True, check=False).stdout.splitlines() + ["test"]):
            at = int(line.split()[0]) if line[:1].isdigit() else None
            if at is None or not out or at < last - 10**9:
                if 0 < len(out) <= SCRIPT_BYTES:
                    yield f"{path.stem}-{name}-{n}", bytes((0x0C, 80 + (i + n) % 170)) + out
                name, out = (line.removeprefix("test "), b"") if at is None else (name, b"")
                if at is None:
                    continue
                client = int(line.split()[1].split(">")[0])
            packet, size = scripted_packet(line, client)
            out += struct.pack(">BQB", 1 | 2 | 8, at, len(packet)) + packet + struct.pack(">I", size)
            last = at


def write(folder, seeds):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in seeds:
        (folder / name).write_bytes(data)


def main():
    pcaps, out = map(pathlib.Path, sys.argv[1:3])
    captures = []
    for path in sorted(pcaps.glob("*/client.pcap")):
        link, frames = records(path, FRAMES)
        if frames:
            captures.append((path.parent.name, link, frames))
    write(out / "source", sources(captures[:6]))
    write(out / "unpack", packings(captures))
    write(out / "dissect", dissections(captures[:6]))
    write(out / "session", sessions(captures))
    if len(sys.argv) > 3:
        write(out / "session", scripted(sys.argv[3]))
    write(out / "app", applications())
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    for name, talks in (ALONE | importlib.import_module("databases").TALKS).items():
        write(out / name, alone(talks))
    write(out / "tls", tls())
    write(out / "files", files())
    write(out / "dns", lookups())
    write(out / "track", programs())
    write(out / "conversation", conversations())
    write(out / "parsed", parsed())
    write(out / "chain", rotated())
    write(out / "follow", followed(captures))
    write(out / "asked", asked())
    write(out / "nic", interfaces(captures))
    write(out / "words", looked_up_words())


if __name__ == "__main__":
    main()
