#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""files.py TCPWHY TOP: 'tcpwhy live --follow' on files that grow, shrink and are replaced, and on folders of rotated
files."""
import concurrent.futures
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
import pcapngfile as ng  # noqa: E402
from tap import Tap  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

# Longer than the follower takes from one look to the next.
PAUSE = 0.15

# Longer than from one look at open connections to the next.
LOOK = 2


def follow(tool, path, write, *options, frames=None):
    """The last summary's document, and all events: of a run during which write() wrote, until that many frames were read."""
    command = [tool, "live", "--follow", path, "--ndjson", "--duration", "20", *(["--count", str(frames)] if frames else []), *options]
    with subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            write()
            if not frames:
                time.sleep(4 * PAUSE)
                process.terminate()
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    events = [json.loads(line) for line in out.splitlines()]
    if process.returncode or not events:
        raise ValueError(f"exit {process.returncode}: {out} {err}")
    return events[-1]["document"], events


def same(document, tool, capture, *options):
    """What differs from the diagnosis of the whole file."""
    done = subprocess.run([str(tool), "--json", *options, str(capture)], capture_output=True, text=True, check=True)
    meant = json.loads(done.stdout)
    seen = {k: document[k] for k in ("verdict", "findings", "streams")}
    return [f"{k} differ: {str(v)[:300]}" for k, v in seen.items() if v != meant[k]]


class Case:
    def __init__(self, tool, top, folder):
        self.tool, self.top, self.folder = tool, top, folder
        self.capture = top / "pcaps/zero_window_slow_reader/client.pcap"
        self.bytes = self.capture.read_bytes()
        self.header, self.records = pcapfile.read(self.capture)

    def grow(self, path, data, pieces):
        with path.open("ab", buffering=0) as file:
            size = len(data) // pieces + 1
            for at in range(0, len(data), size):
                file.write(data[at:at + size])
                time.sleep(PAUSE)

    def part(self, begin, end):
        return pcapfile.write(self.header, self.records[begin:end])

    def pcapng(self, begin, end, order="<"):
        out = ng.section(order) + ng.interface(order, 1, 0, ng.option(order, 9, b"\x09") + ng.option(order, 0, b""))
        for r in self.records[begin:end]:
            out += ng.enhanced(order, r.ns, r.packet, r.original) + ng.block(order, 0x0BADF00D, bytes(400))
        return out + ng.block(order, ng.STATISTICS, struct.pack(order + "III", 0, 0, 0) + ng.option(order, 5, struct.pack(order + "Q", 7)))


def of_one_file(c, folder):
    n = len(c.records)
    path = folder / "grows.pcap"
    path.write_bytes(b"")

    def growing():
        return same(follow(c.tool, path, lambda: c.grow(path, c.bytes, 9), frames=n)[0], c.tool, c.capture)

    def told():
        events = follow(c.tool, path, lambda: None, frames=n)[1]
        found = [(e["finding"]["cause"], e["finding"]["endpoint"]) for e in events if e["event"] == "finding" and not e["worse"]]
        return [] if found.count(("zero_window", "10.9.0.1:51454")) == 1 == [cause for cause, _ in found].count("zero_window") else str(found)

    def named():
        events = follow(c.tool, c.top / "pcaps/name_lookup_400ms/client.pcap", lambda: None, frames=16)[1]
        return [] if [e["finding"]["endpoint_name"] for e in events if e["event"] == "finding"] == ["www.test"] else str(events)

    def filtered():
        document = follow(c.tool, path, lambda: None, "-f", "port 1")[0]
        return [] if document["capture"]["frames"] == 0 else str(document["capture"])

    def described():
        if not jsonschema:
            return []
        schema = json.loads((c.top / "data/schema/tcpwhy-1.schema.json").read_text())
        validator = jsonschema.Draft202012Validator({**schema, "oneOf": [{"$ref": "#/$defs/live_event"}]})
        return [e.message[:300] for event in follow(c.tool, path, lambda: None, frames=n)[1] for e in validator.iter_errors(event)]

    def changed_mind():
        header, records = pcapfile.read(c.top / "pcaps/cork_200ms/client.pcap")
        corked = folder / "corked.pcap"
        corked.write_bytes(pcapfile.write(header, records[:10]))

        def write():
            time.sleep(LOOK)
            with corked.open("ab") as file:
                file.write(pcapfile.write(b"", records[10:]))
        events = follow(c.tool, corked, write, frames=len(records))[1]
        told = {e["finding"]["cause"]: e["id"] for e in events if e["event"] == "finding"}
        back = [(e["id"], e["cause"], e["instead"]) for e in events if e["event"] == "retracted"]
        if back != [(told.get("server_think"), "server_think", told.get("cork_hold"))]:
            return f"{told} {back}"
        return [f"retracted, and in the summary: {f}" for f in events[-1]["document"]["findings"] if f["cause"] == "server_think"]

    def in_sums():
        header, records = pcapfile.read(c.top / "pcaps/connection_limit_64/client.pcap")
        limited = folder / "limited.pcap"
        limited.write_bytes(pcapfile.write(header, records[:len(records) // 3]))

        def write():
            time.sleep(LOOK)
            with limited.open("ab") as file:
                file.write(pcapfile.write(b"", records[len(records) // 3:]))
        *events, summary = follow(c.tool, limited, write, frames=len(records))[1]
        last, wrong = {}, []
        for e in (e for e in events if e["event"] == "finding"):
            before, cost = last.get(e["id"]), e["finding"]["cost_ms"]
            if e["worse"] != (before is not None) or e["before_ms"] != before or (before and cost < 2 * before):
                wrong.append(f"{before} before: {e}")
            last[e["id"]] = cost
        worse = [e for e in events if e.get("worse")]
        sums = {f["cost_ms"] for f in summary["document"]["findings"]}
        return wrong + ([] if worse and worse[-1]["finding"]["cost_ms"] in sums else [f"worse: {worse}, at last {sums}"])

    def kept_mind():
        events = follow(c.tool, path, lambda: time.sleep(LOOK), frames=n)[1]
        return [str(e) for e in events if e["event"] == "retracted"]

    yield "a finding that more packets refute is retracted, with the one in its place", changed_mind
    yield "others are not", kept_mind
    yield "what became worse is told as a sum, twice what was told before or more", in_sums
    yield "a file that grows is read as it grows", growing
    yield "the lines of --ndjson are described by the schema", described
    yield "findings in it are told once, with who it is", told
    yield "and with its name", named
    yield "a filter holds for it", filtered


def of_other_files(c, folder):
    n, late, ngs, cut, replaced = len(c.records), folder / "late.pcap", folder / "grows.pcapng", folder / "cut.pcap", folder / "replaced.pcap"

    def begins_late():
        return same(follow(c.tool, late, lambda: (time.sleep(PAUSE), late.write_bytes(c.bytes)), frames=n)[0], c.tool, c.capture)

    def in_blocks():
        data = c.pcapng(0, n)
        document, events = follow(c.tool, ngs, lambda: c.grow(ngs, data, 7))
        told = [q["count"] for q in document["capture"]["quality"] if q["fact"] == "dropped_by_capture"]
        return same(document, c.tool, c.capture) + ([] if events[-1]["dropped"] == 7 and told == [7] else [f"{events[-1]['dropped']} dropped, {told}"])

    def cut_to_nothing():
        cut.write_bytes(c.part(0, 2000))

        def write():
            time.sleep(4 * PAUSE)
            cut.write_bytes(c.part(2000, n))
        return same(follow(c.tool, cut, write, frames=n)[0], c.tool, c.capture)

    def by_another():
        replaced.write_bytes(c.part(0, 1000))

        def write():
            time.sleep(3 * PAUSE)
            new = folder / "new"
            new.write_bytes(c.pcapng(1000, n, ">"))
            new.rename(replaced)
        return same(follow(c.tool, replaced, write, frames=n)[0], c.tool, c.capture)

    def none():
        text = folder / "text"
        text.write_text("this is no capture\n")
        done = subprocess.run([str(c.tool), "live", "--follow", str(text)], capture_output=True, text=True, timeout=20, check=False)
        return [] if done.returncode == 1 and str(text) in done.stderr else str(done)

    def waited_for():
        done = subprocess.run([str(c.tool), "live", "--follow", str(folder / "slip"), "--duration", "0.3"], capture_output=True, text=True, timeout=20, check=False)
        return [] if done.returncode == 0 and "slip: does not exist yet" in done.stderr else str(done)

    yield "a file may begin to exist later", begins_late
    yield "that it is waited for is told", waited_for
    yield "a pcapng that grows is read, with the drops that it tells", in_blocks
    yield "a file that is cut and written anew goes on", cut_to_nothing
    yield "a file that is replaced by another goes on", by_another
    yield "a file that is no capture is refused", none


def of_folders(c, folder):
    n = len(c.records)

    def rotate(ring, names, parts):
        for name, data in zip(names, parts):
            c.grow(ring / name, data, 2)

    def parts(count, make):
        size = n // count + 1
        return [make(at, min(at + size, n)) for at in range(0, n, size)]

    def dumpcap():
        ring = folder / "dumpcap"
        ring.mkdir()
        (ring / "old_00000_20260101.pcapng").write_bytes(c.pcapng(0, 5))
        (ring / "README").write_text("not a capture")
        time.sleep(PAUSE)
        names = [f"ring_{i:05}_2026112010000{i}.pcapng" for i in range(5)]
        data = parts(5, c.pcapng)
        rotate(ring, names[:1], data[:1])
        document, _ = follow(c.tool, ring, lambda: (time.sleep(2 * PAUSE), rotate(ring, names[1:], data[1:])), frames=n)
        return same(document, c.tool, c.capture)

    def tcpdump():
        ring = folder / "tcpdump"
        ring.mkdir()
        data = parts(6, c.part)

        def write():
            for i, part in enumerate(data):
                name = ring / f"c{i % 3}"  # tcpdump -C -W 3 begins again with the first
                name.unlink(missing_ok=True)
                c.grow(name, part, 2)
        return same(follow(c.tool, ring, write, frames=n)[0], c.tool, c.capture)

    def quick():
        ring = folder / "quick"
        ring.mkdir()

        data = parts(12, c.part)

        def write():
            (ring / "c0").write_bytes(data[0])
            time.sleep(3 * PAUSE)
            for i, part in enumerate(data[1:], 1):
                (ring / f"c{i}").write_bytes(part)
        return same(follow(c.tool, ring, write, frames=n)[0], c.tool, c.capture)

    yield "a folder of dumpcap -b is followed from file to file", dumpcap
    yield "a folder of tcpdump -C -W is followed round and round", tcpdump
    yield "files that come faster than anybody looks are read in their order", quick


def main():
    tool, top = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as name, Tap() as tap, concurrent.futures.ThreadPoolExecutor(4) as pool:
        folder = pathlib.Path(name)
        case = Case(tool, top, folder)

        def run(tests):
            results = []
            for title, test in tests:
                try:
                    results.append((title, test()))
                except (ValueError, subprocess.TimeoutExpired) as error:
                    results.append((title, str(error)))
            return results

        for group in pool.map(run, (of_one_file(case, folder), of_other_files(case, folder), of_folders(case, folder))):
            for title, problem in group:
                tap.check(title, problem)


if __name__ == "__main__":
    main()
