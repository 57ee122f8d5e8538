#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hostile.py TCPWHY PCAPS: hostile names in a capture, and of the capture file, reach terminals, parsers and browsers
only as text.

The capture has hostile request paths, server names, comments and a hostile file name. The output of every command in
every format is compared with that for harmless names: same elements, same columns, same lines.
"""
import csv
import html.parser
import io
import json
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapngfile as ng  # noqa: E402
from tap import Tap  # noqa: E402

# As many characters each, so that what is cut is cut alike; neither can be a host's name.
HOSTILE = "=cmd|'<script>alert(1)</script><img/src=x/onerror=alert(2)>&\",;\\\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066\u200f"
HARMLESS = "~" * len(HOSTILE)
# A file's name cannot hold a slash, nor a URL blanks.
HOSTILE_FILE, HARMLESS_FILE = "=1<script>\x1b[2J\x07\u202e&\"';\n.pcapng", "x" * 22 + ".pcapng"

SGR = re.compile(r"\033\[[0-9;]*m")
# Controls but line feeds, those of Latin-1, and what turns text around.
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

STACK = re.compile(r"[0-9a-f.:\[\]]+;[0-9a-f.:\[\]]+;stream_\d+;[a-z_]+ \d+")

TEXTS = ((), ("streams",), ("explain",), ("exchanges",), ("flow", "-s", "0"), ("flow", "-s", "1"), ("flow", "--together"), ("traffic",), ("ledger",),
         ("segments",), ("follow", "-s", "0", "--text"))
DOCUMENTS = ((), ("streams",), ("explain",), ("exchanges",), ("flow",), ("traffic",), ("ledger",), ("segments",), ("follow", "-s", "0"),
             ("graph", "sequence", "-s", "0"))
PICTURES = (("flow", "-s", "0", "--svg"), ("flow", "-s", "1", "--svg"), ("flow", "--together", "--svg"),
            *(("graph", kind, "-s", "0") for kind in ("sequence", "inflight", "window", "throughput", "rtt", "cwnd")))
TABLES = (("segments", "--csv"), ("traffic", "--csv"), ("graph", "sequence", "-s", "0", "--csv"))


# ---- the captures ------------------------------------------------------------------------------------------------------------

class Talk:
    """A TCP connection, packet by packet."""

    def __init__(self, port, server_port):
        self.ends = [(socket.inet_aton("10.0.0.1"), port), (socket.inet_aton("10.0.0.2"), server_port)]
        self.seq, self.packets = [1, 1], []
        for sender, flags in ((0, 0x02), (1, 0x12), (0, 0x10)):
            self.send(sender, b"", flags)

    def send(self, sender, payload, flags=0x18):
        (source, port), (destination, peer) = self.ends[sender], self.ends[1 - sender]
        tcp = struct.pack(">HHIIBBHHH", port, peer, self.seq[sender], self.seq[1 - sender] if flags & 0x10 else 0, 0x50, flags, 60000, 0, 0)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + len(payload), 0, 0x4000, 64, 6, 0, source, destination)
        self.packets.append(b"\x02" * 12 + b"\x08\x00" + ip + tcp + payload)
        self.seq[sender] += len(payload) + bool(flags & 0x03)


def client_hello(name):
    host = name.encode()
    names = struct.pack(">HHBH", len(host) + 5, len(host) + 3, 0, len(host)) + host
    extension = struct.pack(">H", 0) + names
    body = b"\x03\x03" + bytes(32) + b"\x00" + b"\x00\x02\x13\x01" + b"\x01\x00" + struct.pack(">H", len(extension)) + extension
    handshake = b"\x01" + struct.pack(">I", len(body))[1:] + body
    return b"\x16\x03\x01" + struct.pack(">H", len(handshake)) + handshake


def capture(name):
    """Two connections: a request for a path of that name, and a TLS client that names such a server."""
    http, tls = Talk(40000, 80), Talk(40001, 443)
    # Raw bytes, as no client sends them and any attacker can; no blanks, which end a path.
    http.send(0, b"GET /" + name.encode() + b" HTTP/1.1\r\nHost: " + name.encode() + b"\r\n\r\n")
    http.send(1, b"HTTP/1.1 200 OK\r\nServer: " + name.encode() + b"\r\nContent-Length: 5\r\n\r\nhello")
    http.send(0, b"", 0x10)
    tls.send(0, client_hello(name))
    tls.send(1, b"\x15\x03\x03\x00\x02\x02\x28")
    parts, units = [ng.section("<", ng.option("<", ng.COMMENT, name.encode())), ng.interface("<", options=ng.option("<", 2, name.encode()))], 10**15
    for talk in (http, tls):
        for packet in talk.packets:
            units += 60_000
            parts.append(ng.enhanced("<", units, packet, options=ng.option("<", ng.COMMENT, name.encode())))
    return b"".join(parts)


# ---- what comes out ----------------------------------------------------------------------------------------------------------

class Elements(html.parser.HTMLParser):
    """The elements of a page with the names of their attributes, in order."""

    def __init__(self, text):
        super().__init__()
        self.found, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, sorted(name for name, _ in attrs)))

    def handle_data(self, data):
        self.text += data


class Subject:
    def __init__(self, tool, folder, name, comment):
        self.tool, self.folder, self.capture = tool, folder, folder / name
        self.capture.write_bytes(capture(comment))

    def run(self, *arguments, color=False):
        done = subprocess.run([self.tool, *map(str, arguments), *(["--color=always"] if color else []), self.capture], capture_output=True,
                              timeout=60, check=False, env={"LC_ALL": "C.UTF-8", "COLUMNS": "120"})
        if done.returncode or done.stderr:
            raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode()

    def written(self, name, *arguments):
        """What a command writes to a file, or, of a folder, to its files."""
        out = self.folder / name
        self.run(*arguments, "-o", out)
        return out


def harmful(text):
    found = HARMFUL.search(text)
    if found:
        yield f"{found[0]!r} in {text[max(0, found.start() - 60):found.end() + 30]!r}"


def text_problems(subject, arguments):
    for color in (False, True):
        yield from harmful(SGR.sub("", subject.run(*arguments, color=color)))


def document_problems(subject, arguments):
    text = subject.run(*arguments, "--json")
    yield from harmful(text)
    json.loads(text)


def picture_problems(hostile, harmless, arguments):
    text = hostile.run(*arguments)
    yield from harmful(text)
    elements = [[(e.tag, sorted(e.attrib)) for e in ElementTree.fromstring(t).iter()] for t in (text, harmless.run(*arguments))]
    if elements[0] != elements[1]:
        yield "other elements than of a harmless capture"


def page_problems(hostile, harmless, *arguments):
    pages = [s.written("page.html", *arguments).read_text(encoding="utf-8") for s in (hostile, harmless)]
    elements = [Elements(text) for text in pages]
    yield from harmful(re.sub(r"<(script|style)[^>]*>.*?</\1>", "", pages[0], flags=re.S))
    if elements[0].found != elements[1].found:
        yield f"other elements than of a harmless capture: {len(elements[0].found)}, not {len(elements[1].found)}"
    if "<script>" not in elements[0].text:
        yield "the hostile names are not in it"


def table_problems(text):
    # Line feeds inside quotes are text.
    yield from harmful(text.replace("\r\n", "\n"))
    rows = list(csv.reader(io.StringIO(text), strict=True))
    yield from (f"{len(row)} columns, not {len(rows[0])}: {row}" for row in rows if len(row) != len(rows[0]))
    # What a spreadsheet would run.
    for row in rows:
        yield from (f"a formula: {cell!r}" for cell in row if cell[:1] in ("=", "@", "\t") or (cell[:1] in "+-" and not re.fullmatch(r"[+-]?[\d.e+-]*", cell)))


def stack_problems(subject):
    lines = subject.run("ledger", "--folded").splitlines()
    return [line for line in lines if not STACK.fullmatch(line)] or ([] if lines else ["no stacks"])


def complaint_problems(tool, arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, timeout=60, check=False, env={"LC_ALL": "C.UTF-8"})
    error = done.stderr.decode(errors="replace")
    yield from harmful(error)
    if done.returncode not in (1, 2) or error.count("\n") != 1:
        yield f"exit {done.returncode}: {error!r}"


def attempt(function, *arguments):
    try:
        return list(function(*arguments))
    except (ValueError, ElementTree.ParseError, csv.Error, json.JSONDecodeError) as error:
        return [f"{type(error).__name__}: {error}"]


def archive_problems(hostile, arguments):
    """Of an archive of the capture cut short, which is worth a question."""
    whole = hostile.capture.read_bytes()
    hostile.capture.write_bytes(whole[:-40])
    (hostile.folder / "archive.sqlite").unlink(missing_ok=True)
    archive = hostile.written("archive.sqlite", "batch")
    hostile.capture.write_bytes(whole)
    done = subprocess.run([hostile.tool, "query", archive, "bad-captures", *arguments], capture_output=True, text=True, timeout=60, check=False,
                          env={"LC_ALL": "C.UTF-8", "COLUMNS": "200"})
    yield from harmful(done.stdout.replace("\r\n", "\n"))
    if "<script>" not in done.stdout:
        yield f"the name is not in it: {done.stdout!r} {done.stderr!r}"


def check_archive(tap, hostile):
    if "\n  query " not in subprocess.run([hostile.tool, "--help"], capture_output=True, text=True, check=True).stdout:
        tap.skip("questions to an archive", "built without SQLite")
        return
    for arguments in ((), ("--csv",), ("--ndjson",)):
        tap.check(f"'tcpwhy query {' '.join(arguments)}' is harmless on a terminal", attempt(archive_problems, hostile, arguments))


def check_tables(tap, hostile):
    for arguments in TABLES:
        tap.check(f"'{' '.join(arguments)}' has the columns of its header, and no formulas", attempt(lambda a=arguments: table_problems(hostile.run(*a))))
    check_archive(tap, hostile)
    folder = hostile.written("tables.csv", "batch")
    for path in sorted(folder.glob("*.csv")):
        tap.check(f"{path.name} of a batch has the columns of its header, and no formulas",
                  attempt(lambda p=path: table_problems(p.read_bytes().decode())))


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    with Tap() as tap, tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        hostile = Subject(tool, pathlib.Path(one), HOSTILE_FILE, HOSTILE)
        harmless = Subject(tool, pathlib.Path(other), HARMLESS_FILE, HARMLESS)
        names = [e["request"] for e in json.loads(hostile.run("exchanges", "--json"))["exchanges"]]
        tap.check("the names are read as they stand", [] if len(names) == 2 and all("<script>" in n for n in names) else str(names))
        for arguments in TEXTS:
            tap.check(f"'tcpwhy {' '.join(arguments)}' is harmless on a terminal", attempt(text_problems, hostile, arguments))
        for arguments in DOCUMENTS:
            tap.check(f"'tcpwhy {' '.join(arguments)} --json' parses, and is harmless on a terminal", attempt(document_problems, hostile, arguments))
        for arguments in PICTURES:
            tap.check(f"'tcpwhy {' '.join(arguments)}' draws no more than of harmless names", attempt(picture_problems, hostile, harmless, arguments))
        tap.check("the page of a report has no more elements than of harmless names", attempt(page_problems, hostile, harmless, "report"))
        tap.check("the page of a comparison likewise", attempt(page_problems, hostile, harmless, "diff", pathlib.Path(sys.argv[2]) / "refused_port/client.pcap"))
        tap.check("folded stacks hold addresses, numbers and causes alone", attempt(stack_problems, hostile))
        tap.check("xplot gets no commands from names", attempt(lambda: harmful(hostile.run("graph", "sequence", "-s", "0", "--xplot"))))
        check_tables(tap, hostile)
        for arguments in (["\x1b[2J\u202e.pcap"], ["--color", "\x1b[2J", "x"], ["causes", "\x1b[2J"], ["graph", "\x1b", "x"], ["--\x1b"], ["-s", "\x1b", str(harmless.capture)],
                          ["-f", "\x1b", str(harmless.capture)], ["diff", "\x1b"], ["streams", "--svg", "\x1b"]):
            tap.check(f"the complaint about {ascii(' '.join(a for a in arguments if a != str(harmless.capture)))} is harmless",
                      list(complaint_problems(tool, arguments)))


if __name__ == "__main__":
    main()
