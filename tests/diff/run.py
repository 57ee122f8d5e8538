#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY PCAPS: 'tcpwhy diff' names the cause that disappeared between two captures of a service, from either
end and in either order."""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

# Before, after, what the sentence has to say, and the reasons why the two are not quite comparable.
PAIRS = (("nginx_nagle_delack/client", "nginx_nodelay/client", r": 43\.\d ms before, 0\.\d+ ms now; cause: nagle_delayed_ack gone \(41\.\d ms per request\)\.$",
          {"load"}),
         ("nginx_nagle_delack/server", "nginx_nodelay/server", r": 4[34]\.\d ms before, 0\.\d+ ms now; cause: nagle_delayed_ack gone \(4[12]\.\d ms", {"load"}),
         ("nginx_nodelay/client", "nginx_nagle_delack/client", r": 0\.\d+ ms before, 43\.\d ms now; cause: nagle_delayed_ack new \(41\.\d ms per request\)\.$",
          {"load"}),
         ("nginx_nodelay/client", "nginx_nodelay/server", r"about the same", {"vantage"}),
         ("nginx_nodelay/client", "nginx_nodelay/client", r"Both captures are the same", set()),
         ("healthy_lan/client", "refused_port/client", r"answered before, none now; cause: connect_refused new", {"path"}),
         ("refused_port/client", "refused_port/client", r"Both captures are the same", set()),
         ("zero_window_slow_reader/client", "rcvbuf_64k_20ms/client", r"zero_window gone .*; opposite change: receive_window_limited grew",
          {"few_exchanges", "lengths"}),
         ("syn_filtered_many_ports/client", "nginx_nodelay/client", r"connect_retry gone", {"other_listeners", "path", "load", "lengths"}),
         ("syn_drop_backlog/client", "ab_short_connections/client", r"; connection setup: connect_retry gone", {"load", "lengths"}),
         ("http_404/client", "nginx_nodelay/client", r"wire fell", {"errors", "path"}))


def run(tool, *arguments):
    return subprocess.run([str(tool), "diff", *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
                          env={"LC_ALL": "C.UTF-8"})


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def exact(document):
    """Problems, when a ledger does not add up to the lives."""
    for listener in [document["whole"], *document["listeners"]]:
        for when in ("before", "after"):
            parts, life = sum(round(e["ms"][when] * 1e6) for e in listener["ledger"]), round(listener["life_ms"][when] * 1e6)
            if parts != life:
                yield f"{when}: {parts} ns of {life} at {listener['endpoint']}"


def wrong_text(tool, before, after):
    for width in (60, 80, 120):
        lines = run(tool, f"--width={width}", before, after).stdout.splitlines()
        yield from (f"{width}: {line}" for line in lines if columns(line) > width or line != line.rstrip())
        if not lines:
            yield f"{width}: nothing"
    if not run(tool, "--ascii", before, after).stdout.isascii():
        yield "--ascii is not ASCII"


class Page(html.parser.HTMLParser):
    """Its text, and what is wrong with its elements."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.problems = [], "", []

    def handle_starttag(self, tag, attrs):
        self.problems += [f"{tag} {key}={value} reaches out" for key, value in attrs if key in ("src", "href") and value != "data:,"]
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text += data


def wrong_html(tool, before, after, document):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.html"
        done, page = run(tool, before, after, "-o", path), Page()
        page.feed(path.read_text(encoding="utf-8"))
    if done.stdout or done.stderr or page.open:
        yield f"{done.stdout[:100]!r} {done.stderr!r} {page.open}"
    if document["verdict"]["sentence"] not in page.text:
        yield "the verdict is not in it"
    yield from page.problems


def wrong_verdict(document, sentence, doubts):
    if not re.search(sentence, document["verdict"]["sentence"]):
        yield document["verdict"]["sentence"]
    told = {u["fact"] for u in document["unfair"]}
    if told != doubts:
        yield f"doubts are {told}, not {doubts}"
    yield from exact(document)


def refused(done, code, said):
    if done.returncode != code or said not in done.stderr or done.stdout or not done.stderr.startswith("tcpwhy: "):
        yield f"exit {done.returncode}: {done.stderr!r} {done.stdout[:100]!r}"


def main():
    tool, pcaps = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with Tap() as tap:
        for before, after, sentence, doubts in PAIRS:
            files = [pcaps / f"{name}.pcap" for name in (before, after)]
            document = json.loads(run(tool, "--json", *files).stdout)
            tap.check(f"{before} and {after}: the verdict", list(wrong_verdict(document, sentence, doubts)))
            tap.check(f"{before} and {after}: the text", list(wrong_text(tool, *files)))
            tap.check(f"{before} and {after}: the page", list(wrong_html(tool, *files, document)))
        one = pcaps / "nginx_nodelay/client.pcap"
        tap.check("one capture is too few", list(refused(run(tool, one), 2, "two captures")))
        tap.check("three are too many", list(refused(run(tool, one, one, one), 2, "too many")))
        tap.check("a capture that is missing is named", list(refused(run(tool, one, "/nonexistent.pcap"), 1, "/nonexistent.pcap")))
        left = json.loads(run(tool, "--json", "-f", "port 1", one, pcaps / "nginx_nagle_delack/client.pcap").stdout)
        tap.check("a filter that leaves nothing leaves nothing to compare",
                  [] if left["verdict"]["measure"] == "none" and "no TCP connection in either" in left["verdict"]["sentence"] else str(left["verdict"]))


if __name__ == "__main__":
    main()
