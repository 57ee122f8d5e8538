#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""static.py TCPWHY PCAPS: the page of tcpwhy report is self-contained, its policy matches its scripts, hostile captures
do not escape their context, and the parts that need no script are present."""
import base64
import hashlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import captures  # noqa: E402
from tap import Tap  # noqa: E402

VOID = {"meta", "link", "br", "hr", "input", "img"}
MAX_BYTES = 1_000_000


class Page(html.parser.HTMLParser):
    """Elements with their attributes, scripts, text, and what is wrong with the nesting."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.problems, self.open, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        self.problems += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> inside {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif self.open and self.open[-1] != "style":
            self.words.append(data)

    def data(self):
        """The JSON of each capture."""
        for (_, attrs), text in zip((e for e in self.elements if e[0] == "script"), self.scripts):
            if "data-packed" in attrs:
                yield json.loads(zlib.decompress(base64.b64decode(text)) if attrs["data-packed"] == "deflate" else text)


def report(tool, *names):
    done = subprocess.run([tool, "report", *map(str, names)], capture_output=True, timeout=120, check=False)
    if done.returncode:
        raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:300]}")
    return done.stdout.decode()


def outside(page):
    """What would fetch something, or run what is not ours."""
    for tag, attrs in page.elements:
        for name, value in attrs.items():
            if name.startswith("on") or name in ("src", "srcset", "action", "formaction", "data", "background", "poster"):
                yield f"<{tag} {name}={value!r}>"
            if name in ("href", "xlink:href") and not (value.startswith("#") or value == "data:,"):
                yield f"<{tag} {name}={value!r}>"
        if tag in ("img", "iframe", "object", "embed", "base", "form", "video", "audio"):
            yield f"<{tag}>"
    policy = next((attrs["content"] for tag, attrs in page.elements if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"), "")
    if "default-src 'none'" not in policy or "connect-src" in policy or "http" in policy:
        yield f"policy {policy!r}"
    if not any("Permission is hereby granted" in text and "Leon Sorokin" in text for text in page.scripts):
        yield "the licence of uPlot is not with it"
    for text, (_, attrs) in zip(page.scripts, (e for e in page.elements if e[0] == "script")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        if "data-packed" not in attrs and f"'sha256-{digest}'" not in policy:
            yield "a script that the policy does not know"


def styles(text):
    """Style sheets must not fetch either."""
    for sheet in re.findall(r"<style>(.*?)</style>", text, re.S):
        yield from (found for found in re.findall(r"@import|url\([^)]*\)", sheet) if found != "url(#plot)")


def plain(page, text):
    """What shows without a script."""
    words = " ".join(page.words)
    for part in ("on 20 of 21 connections", "Nagle + delayed ACK", "28.5", "TCP_NODELAY", "10.9.0.1:60580"):
        if part not in words:
            yield f"{part!r} is not there"
    if text.count("<svg ") != 3 or "43.066 ms" not in words:
        yield "the worst flow graph, the waterfall and latency over time are not there as SVG"
    if "700 requests, the 50 slowest in the order of time" not in words:
        yield "the waterfall does not say which requests it shows"
    bars = [attrs for tag, attrs in page.elements if attrs.get("class") == "bar"]
    if len(bars) != 22 or not all(bar.get("title") for bar in bars):
        yield f"{len(bars)} bars, not one a stream and one of all"


def named(text, *names):
    told = re.findall(r"<h1>([^<]*)</h1>", text)
    return [] if told == list(names) else [f"{told}"]


def hostile_problems(tool, pcaps, folder):
    text = report(tool, captures.hostile(pcaps, folder))
    page = Page(text)
    yield from page.problems
    yield from outside(page)
    if len(page.scripts) != 3 or text.count("<svg ") != 3:
        yield f"{len(page.scripts)} scripts, {text.count('<svg ')} pictures"
    if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\ufffe]", text):
        yield "a control character or a mark that turns text around"
    (data,) = page.data()
    asked = {exchange[-1] for stream in data["streams"] for exchange in stream["exchanges"]}
    for shown in ("GET /</script><b>", "GET /<!--<script>", "GET /'\"><i\\\\\"';&="):
        if shown not in asked:
            yield f"{shown!r} is not in the data: {sorted(asked)[:9]}"
    if "onerror=alert(1)>" not in "".join(page.words) or "<script>hacked = 1</script>" not in "".join(page.words):
        yield "file name and comment are not shown as they are"


def size_problems(tap, tool, pcaps, folder):
    path, frames = captures.large(pcaps, folder)
    text = report(tool, path)
    tap.note(f"the page of {captures.STREAMS} streams and {frames:,} frames has {len(text.encode()):,} bytes")
    (data,) = Page(text).data()
    # Without zlib the graphs are coarser, and the page is larger all the same.
    if len(text.encode()) > (MAX_BYTES if 'data-packed="deflate"' in text else 1.5 * MAX_BYTES):
        yield f"{len(text.encode())} bytes"
    if frames < 200_000 or len(data["streams"]) != captures.STREAMS:
        yield f"{frames} frames, {len(data['streams'])} streams"
    for stream in data["streams"]:
        if len(stream["graphs"]) < 4 or len(stream["rows"]) < 200 or not stream["bands"]:
            yield f"stream {stream['stream']} has {[g['graph'] for g in stream['graphs']]}, {len(stream['rows'])} numbers of rows"


def main():
    tool, pcaps = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    sick = pcaps / "nginx_nagle_delack/client.pcap"
    with Tap() as tap, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = report(tool, sick)
        page = Page(text)
        tap.check("the page is well formed", page.problems)
        tap.check("the page needs no other file, and no script but its own runs", [*outside(page), *styles(text)])
        tap.check("verdict, ledger, findings and the worst flow graph need no script", list(plain(page, text)))
        tap.check("the same report gives the same page", [] if report(tool, sick) == text else "another one")
        tap.check("names in a capture cannot break out of the page", list(hostile_problems(tool, pcaps, folder)))
        tap.check("100 streams and 200,000 frames make less than a megabyte", list(size_problems(tap, tool, pcaps, folder)))
        for case in sorted(pcaps.glob("*/client.pcap")):
            page = Page(report(tool, case))
            tap.check(f"the page of {case.parent.name} is well formed and alone", [*page.problems, *outside(page)])
        text = report(tool, sick, pcaps / "nginx_nodelay/client.pcap")
        page = Page(text)
        tap.check("several captures are chapters of one page", [*page.problems, *([] if len(list(page.data())) == 2 else ["not two"])])
        tap.check("captures of one name are told apart by their folders", named(text, "nginx_nagle_delack/client.pcap", "nginx_nodelay/client.pcap"))
        text = report(tool, sick, pcaps / "nginx_nodelay/server.pcap")
        tap.check("others are named without their path", named(text, "client.pcap", "server.pcap"))


if __name__ == "__main__":
    main()
