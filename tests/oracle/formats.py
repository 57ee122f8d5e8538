# SPDX-License-Identifier: MIT
"""Captures in the other file formats that tcpwhy reads: editcap writes most, the others are written here.

Written here is what editcap cannot write, writes wrongly (CommView NCFX, Observer), or in one variant only.
"""
import calendar
import os
import struct
import subprocess
import time

# editcap -F
BY_EDITCAP = ["snoop", "netmon1", "netmon2", "ngsniffer", "ngwsniffer_1_1", "ngwsniffer_2_0", "5views", "commview-ncf", "lanalyzer",
              "visual", "nettl", "modpcap", "nokiapcap", "rh6_1pcap", "suse6_3pcap"]
FILETIME_1970_S = 11644473600
NS = 10**9


def records(path):
    """(nanoseconds, original length, bytes) of the frames of a little-endian pcap of Ethernet."""
    with open(path, "rb") as file:
        data = file.read()
    unit = 1 if struct.unpack_from("<I", data)[0] == 0xA1B23C4D else 1000
    found, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, captured, original = struct.unpack_from("<IIII", data, at)
        found.append((seconds * NS + fraction * unit, original, data[at + 16:at + 16 + captured]))
        at += 16 + captured
    return found


def erf(frames):
    out = b""
    for i, (ns, original, frame) in enumerate(frames):
        extensions = bytes((0x80, 0, 0, 0, 0, 0, 0, 1)) + bytes(8) if i % 3 == 0 else b""
        kind = 2 | (0x80 if extensions else 0)
        body = extensions + bytes(2) + frame
        body += bytes(-len(body) % 8)
        stamp = (ns // NS << 32) + ((ns % NS << 32) + NS // 2) // NS
        out += struct.pack("<Q", stamp) + struct.pack(">BBHHH", kind, 4, 16 + len(body), 0, original) + body
        if i % 5 == 0:
            out += struct.pack("<Q", stamp) + struct.pack(">BBHHH", 48, 4, 24, 0, 0) + bytes(8)
    return out


def commview_ncfx(frames):
    out = b""
    for ns, _, frame in frames:
        t = time.gmtime(ns // NS)
        out += struct.pack("<IHBBBBBIBBBBB", 20 + len(frame), t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec,
                           ns % NS // 1000, 0, 0, 1, 0, 0) + frame
    return out


def observer(frames):
    elements = struct.pack("<HH", 2, 4 + 8) + b"a note\n." + struct.pack("<HHI", 4, 8, 1)
    out = b"ObserverPktBufferVersion=15.00".ljust(32, b"\0") + struct.pack("<HBB", 36 + len(elements), 0, 2) + elements
    for i, (ns, original, frame) in enumerate(frames):
        since = ns - calendar.timegm((2000, 1, 1, 0, 0, 0)) * NS
        note = struct.pack("<HHI", 0x104, 8, 1) if i % 4 == 0 else b""
        start = 48 + len(note)
        head = (start, start + len(frame) + i % 3, 0, 0, 1 if note else 0, 0, 0, 0, i, i, since)
        out += struct.pack("<IIHHHHBBBBHHQQQ", 0x88888888, 1000, len(frame), original + 4, *head) + note + frame + bytes(i % 3)
        if i % 7 == 0:
            out += struct.pack("<IIHHHHBBBBHHQQQ", 0x88888888, 1000, 0, 0, 48, 52, 0, 0, 0, 1, 0, 0, i, i, since) + bytes(4)
    return out + bytes(96)


def peek(frames):
    def section(name, body):
        return name + struct.pack("<II", len(body) + 12, 0x200) + body

    out = section(b"\x7fver", b"<?xml version=\"1.0\"?><VersionInfo><FileVersion>9</FileVersion></VersionInfo>")
    out += section(b"sess", b"<SessionInfo><MediaType>0</MediaType><MediaSubType>0</MediaSubType></SessionInfo>")
    out += b"pkts" + bytes(8)
    for i, (ns, original, frame) in enumerate(frames):
        stamp = ns + FILETIME_1970_S * NS
        cut = len(frame) < original
        tags = [(0, original + 4), (1, stamp & 0xFFFFFFFF), (2, stamp >> 32), (3, i % 2), (0xFFFF, len(frame) + 4 if cut else 0)]
        out += b"".join(struct.pack("<HI", *tag) for tag in tags) + frame + bytes(4)
    return out


def iptrace(frames, version):
    out = b"iptrace %d.0" % version
    for ns, _, frame in frames:
        info = bytes(3) + b"\0en\0\0" + bytes(12) + bytes((6, 1))
        if version == 2:
            info += bytes(2) + struct.pack(">II", ns // NS, ns % NS)
        out += struct.pack(">II", len(info) + len(frame), ns // NS) + info + frame
    return out


def repeated(data, at):
    """(length, distance) of the longest string before data[at] that is repeated there, the nearest of them; (0, 0) without one."""
    best, far, end = 0, 0, max(0, at - 2)
    longest = min(200, len(data) - at)
    # A longer one begins with what is one byte longer than the best; the nearest is found first.
    while best < longest and (begin := data.rfind(data[at:at + best + 1], max(0, at - 1500), end)) >= 0:
        best, far = best + 1, at - begin
        while best < min(far, longest) and data[begin + best] == data[at + best]:
            best += 1
        end = begin + best
    return best, far


def packed(data):
    """A block of Sniffer's compression: runs and repeated strings where there are any, else plain bytes."""
    items, at = [], 0
    while at < len(data):
        run = 1
        while run < 200 and data[at:at + run + 1] == data[at:at + 1] * (run + 1):
            run += 1
        best, far = repeated(data, at)
        if run >= 19:
            items.append(bytes((0x10 | (run - 19) & 15, (run - 19) >> 4, data[at])))
        elif run >= 3 and run >= best:
            run = min(run, 18)
            items.append(bytes((run - 3, data[at])))
        elif best >= 16:
            run = best
            items.append(bytes((0x20 | (far - 3) & 15, (far - 3) >> 4, best - 16)))
        elif best >= 3:
            run = best
            items.append(bytes((best << 4 | (far - 3) & 15, (far - 3) >> 4)))
        else:
            run = 1
            items.append(data[at])
        at += run
    out = b""
    for i in range(0, len(items), 16):
        some = items[i:i + 16]
        flags = sum(0x8000 >> k for k, item in enumerate(some) if isinstance(item, bytes))
        out += struct.pack("<H", flags) + b"".join(item if isinstance(item, bytes) else bytes((item,)) for item in some)
    return out


def sniffer_packed(frames):
    day = frames[0][0] // NS // 86400 * 86400
    t = time.gmtime(day)
    date = t.tm_year - 1980 << 9 | t.tm_mon << 5 | t.tm_mday
    out = b"TRSNIFF data    \x1a" + struct.pack("<HHH", 1, 18, 0)
    out += struct.pack("<HHHHBBBBBBHH", 4, 0, 0, date, 4, 1, 0, 5, 1, 1, 0, 0)  # 1 us a unit, not format 1
    stream = b""
    for ns, original, frame in frames:
        us = (ns - day * NS) // 1000
        stream += struct.pack("<HHH", 4, 14 + len(frame), 0)
        stream += struct.pack("<HHBBHBBHH", us & 0xFFFF, us >> 16 & 0xFFFF, us % (86400 * 10**6) >> 32, 0, len(frame), 0, 0, original, 0) + frame
    stream += struct.pack("<HHH", 3, 0, 0)
    for i in range(0, len(stream), 3000):
        part = stream[i:i + 3000]
        block = packed(part)
        plain = len(block) >= len(part) or i // 3000 % 4 == 3
        out += struct.pack("<h", -len(part)) + part if plain else struct.pack("<h", len(block)) + block
    return out


def netmon23(frames):
    """Version 2.3: a type and a time for each frame, records without frames, holes, and another order in the file."""
    parts = []
    for ns, original, frame in frames:
        stamp = (ns + FILETIME_1970_S * NS) // 100
        parts.append(struct.pack("<QII", 0, original, len(frame)) + frame + struct.pack("<HIQB", 1, 0, stamp, 0))
    parts.insert(3, struct.pack("<QII", 0, 4, 4) + bytes(4) + struct.pack("<HIQB", 0xFFFD, 0, 0, 0))
    order = list(range(0, len(parts), 2)) + list(range(1, len(parts), 2))
    body, offsets = b"", {}
    for i in order:
        body += bytes(i % 3)
        offsets[i] = 128 + len(body)
        body += parts[i]
    head = struct.pack("<4sBBH8H", b"GMBU", 3, 2, 1, 2020, 1, 3, 1, 0, 0, 0, 0) + struct.pack("<II", 128 + len(body), 4 * len(parts))
    return head.ljust(128, b"\0") + body + struct.pack(f"<{len(parts)}I", *(offsets[i] for i in range(len(parts))))


WRITERS = {
    "erf": erf, "commview-ncfx": commview_ncfx, "observer": observer, "omnipeek": peek, "iptrace1": lambda frames: iptrace(frames, 1),
    "iptrace2": lambda frames: iptrace(frames, 2), "sniffer-packed": sniffer_packed, "netmon-2.3": netmon23,
}


def written(folder, capture):
    """The capture in every format, each with the name it is shown by."""
    name = os.path.basename(os.path.dirname(capture))
    made = []
    for form in BY_EDITCAP:
        path = os.path.join(folder, f"{name}.{form}")
        done = subprocess.run(["editcap", "-F", form, capture, path], capture_output=True, env=dict(os.environ, TZ="UTC"), check=False)
        if done.returncode == 0:
            made.append((path, os.path.basename(path)))
    frames = records(capture)
    for form, write in WRITERS.items():
        path = os.path.join(folder, f"{name}.{form}")
        with open(path, "wb") as file:
            file.write(write(frames))
        made.append((path, os.path.basename(path)))
    return made
