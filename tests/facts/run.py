#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY LAB: facts across connections match the truth of the lab, from both ends.

Traffic over time against iperf3's intervals and, frame by frame, against tshark; the classification of unanswered SYNs;
responses that are all errors; healthy captures without facts.
"""
import csv
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import verdicts  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

WITHIN = 0.02
# iperf3 with writes that fill no buffer: see make.sh there.
PACED = pathlib.Path(__file__).resolve().parent / "iperf3_paced"
# Fine enough to add up to anybody's intervals.
INTERVAL_MS = 10


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=True, timeout=300).stdout


def traffic(tool, capture, *options):
    return json.loads(run(tool, "traffic", "--json", *options, capture))


def off(ours, theirs):
    return ours / theirs - 1


# ---- iperf3 --------------------------------------------------------------------------------------

class Stream:
    """The data stream of an iperf3 test: the capture's intervals, counted from when iperf3 starts its clock."""

    def __init__(self, tool, capture, truth):
        self.rows = traffic(tool, capture, "--interval", f"{INTERVAL_MS}ms")["traffic"]["intervals"]
        streams = json.loads(run(tool, "streams", "--json", capture))["streams"]
        data = next(s for s in streams if s["client"].endswith(f":{truth['start']['connected'][0]['local_port']}"))
        # iperf3 begins when the server has told both sides to: with the first block, behind the cookie and a round trip.
        self.start_ms = next(r["from_ms"] for r in self.rows if r["payload_bytes_to_server"] > 10_000)
        self.total = data["bytes_to_server"]

    def between(self, from_s, to_s, name):
        """The sum over an interval; its first and last row count in part."""
        total = 0
        for r in self.rows:
            low, high = r["from_ms"] - self.start_ms, r["from_ms"] - self.start_ms + INTERVAL_MS
            part = min(high, to_s * 1e3) - max(low, from_s * 1e3)
            total += r[name] * max(0, part) / INTERVAL_MS
        return total


def one_write(sums):
    """iperf3 counts what its write() calls handed to the socket, in steps of what the send buffer takes at once."""
    steps = [abs(a - b) for a, b in zip(sums, sums[1:]) if a != b]
    return math.gcd(*steps) if steps else 0


def intervals_agree(stream, truth, tap):
    """The first interval also fills the send buffer, which no packet shows: see written_ahead()."""
    sums = [i["sum"] for i in truth["intervals"]][1:]
    write = one_write([s["bytes"] for s in sums])
    for s in sums:
        ours = stream.between(s["start"], s["end"], "payload_bytes_to_server")
        tap.note(f"{s['start']:.2f} to {s['end']:.2f} s: {ours * 8e-6:.2f} Mbit, iperf3 {s['bytes'] * 8e-6:.2f} ({off(ours, s['bytes']):+.2%})")
        if abs(ours - s["bytes"]) > max(WITHIN * s["bytes"], write):
            yield f"{s['start']} s: {ours:.0f} bytes, iperf3 {s['bytes']}, whose writes take {write}"
    ours = stream.between(sums[0]["start"], sums[-1]["end"], "payload_bytes_to_server")
    theirs = sum(s["bytes"] for s in sums)
    tap.note(f"from the second interval on {off(ours, theirs):+.2%}; one write of iperf3 is {write} bytes, {write / sums[0]['bytes']:.1%} of an interval")
    if abs(off(ours, theirs)) > WITHIN:
        yield f"from the second interval on: {ours:.0f} bytes, iperf3 {theirs}"


def written_ahead(stream, truth, tap):
    """What iperf3 had written and the path had not carried yet, at the end of each interval: the send buffer, full to within a write."""
    ends = [i["sum"]["end"] for i in truth["intervals"]]
    sums = [i["sum"]["bytes"] for i in truth["intervals"]]
    ahead = [sum(sums[: n + 1]) - stream.between(0, end, "payload_bytes_to_server") for n, end in enumerate(ends)]
    tap.note("written ahead of the wire: " + ", ".join(f"{a / 1000:.0f} kB" for a in ahead))
    if min(ahead) < 0 or max(ahead) - min(ahead) > one_write(sums[1:]):
        yield f"{ahead} bytes"


def totals_agree(stream, truth):
    """What the receiver read, and the rate over the test."""
    read = truth["end"]["sum_received"]
    # It hung up with a buffer full of data under way.
    if not 0 <= off(stream.total, read["bytes"]) < 0.01:
        yield f"{stream.total} bytes, the receiver read {read['bytes']}"
    rate = stream.between(0, read["seconds"], "payload_bytes_to_server") * 8 / read["seconds"]
    if abs(off(rate, read["bits_per_second"])) > WITHIN:
        yield f"{rate:.0f} bit/s, the receiver {read['bits_per_second']:.0f}"


def repeats_agree(stream, truth):
    for s in (i["sum"] for i in truth["intervals"]):
        ours = stream.between(s["start"], s["end"], "retransmissions")
        if abs(ours - s["retransmits"]) > 1:
            yield f"{s['start']} s: {ours:.0f} retransmissions, iperf3 {s['retransmits']}"


def check_paced(tap, tool):
    """Where iperf3's writes are small and paced, every interval is its own, the sender's and the receiver's."""
    for side in verdicts.SIDES:
        truth = json.loads((PACED / f"{side}.json").read_text())
        sender = json.loads((PACED / "client.json").read_text())
        stream = Stream(tool, PACED / "loopback.pcap.gz", sender)
        sums = [i["sum"] for i in truth["intervals"] if i["sum"]["end"] - i["sum"]["start"] > 0.5]
        apart = [off(stream.between(s["start"], s["end"], "payload_bytes_to_server"), s["bytes"]) for s in sums]
        tap.note(f"paced, iperf3's {side}: " + ", ".join(f"{a:+.2%}" for a in apart))
        tap.check(f"payload a second of a paced iperf3 is what its {side} counted, within 2 %",
                  [f"{a:+.2%}" for a in apart if abs(a) > WITHIN] or (None if len(apart) == 5 else f"{len(apart)} intervals"))


def check_iperf3(tap, tool, lab):
    truth = json.loads((lab / "iperf3_60mbit/truth.json").read_text())["iperf3"]
    for side in verdicts.SIDES:
        stream = Stream(tool, lab / f"iperf3_60mbit/{side}.pcap", truth)
        tap.check(f"payload a second is iperf3's, within 2 % or a write, from the {side}", list(intervals_agree(stream, truth, tap)))
        tap.check(f"iperf3 is ahead of the wire by its send buffer, within a write, from the {side}", list(written_ahead(stream, truth, tap)))
        tap.check(f"payload in all is what iperf3's receiver read, from the {side}", list(totals_agree(stream, truth)))
        if side == "client":
            tap.check("retransmissions a second are the sender's kernel's", list(repeats_agree(stream, truth)))


# ---- tshark --------------------------------------------------------------------------------------

def tshark_rows(capture):
    """Frames and bytes a second of tshark -z io,stat,1."""
    text = run("tshark", "-r", capture, "-q", "-z", "io,stat,1")
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines() if "<>" in line]
    return [(int(frames), int(size)) for _, frames, size in cells]


def check_tshark(tap, tool, lab):
    for name in ("iperf3_60mbit", "ab_short_connections", "syn_drop_backlog"):
        sentence = f"frames and bytes a second of {name} are tshark's"
        if not shutil.which("tshark"):
            tap.skip(sentence, "no tshark here")
            continue
        capture = lab / name / "client.pcap"
        ours = [(i["frames"], i["bytes"]) for i in traffic(tool, capture)["traffic"]["intervals"]]
        theirs = tshark_rows(capture)
        tap.check(sentence, None if ours == theirs else f"ours {ours[:10]}, tshark {theirs[:10]}")


# ---- silence -------------------------------------------------------------------------------------

SILENCE = {"syn_drop_backlog": ("connect_retry", "10.9.0.2:9000", "listen backlog", "somaxconn"),
           "syn_filtered_many_ports": ("connect_retry", "10.9.0.2", "firewall or conntrack", "nf_conntrack"),
           "refused_port": ("connect_refused", "10.9.0.2:9999", "closed port", "Start the service")}


def silence_is(document, cause, endpoint, kind, remedy):
    found = [f for f in document["findings"] if f["cause"] == cause]
    if len(found) != 1:
        return [f"{len(found)} findings of {cause}"]
    f = found[0]
    want = {"kind": f["detail"].get("kind") == kind, "endpoint": f["endpoint"] == endpoint, "remedy": remedy in f["remedy"],
            "kind_rival": f["detail"]["kind_confidence"] == "certain" or "kind_rival" in f["detail"]}
    return [f"{name}: {f.get(name) or f['detail'].get(name)}" for name, right in want.items() if not right]


def counted(document, truth):
    """SYN repeats are those that the client's kernel counted."""
    ours = sum(x["openings"]["syn_repeats"] for x in document["listeners"])
    theirs = truth["nstat"]["client"].get("TcpExtTCPSynRetrans", 0)
    dropped = sum(x["openings"]["unanswered_syns"] for x in document["listeners"])
    if ours != theirs or dropped > theirs:
        yield f"{ours} SYN repeats and {dropped} unanswered, the kernel repeated {theirs}"


def check_silence(tap, tool, lab):
    for name, want in SILENCE.items():
        truth = json.loads((lab / name / "truth.json").read_text())
        for side in verdicts.SIDES:
            document = verdicts.diagnose(tool, lab / name / f"{side}.pcap")
            tap.check(f"{name} is a matter of {want[2]}, from the {side}", silence_is(document, *want) + list(counted(document, truth)))


# ---- answers, ports, and nothing -----------------------------------------------------------------

def check_answers(tap, tool, lab):
    for side in verdicts.SIDES:
        capture = lab / "http_404" / f"{side}.pcap"
        document = verdicts.diagnose(tool, capture)
        n = document["exchanges"]["status"].get("4xx", 0)
        want = f"All {n:,} responses were 4xx (404)."
        texts = [f["text"] for f in document["facts"]]
        screen = " ".join(run(tool, capture).split())
        tap.check(f"a capture in which every answer is a 404 says so, from the {side}",
                  [] if n > 1000 and want in texts and want in screen and "No problem found" not in screen else [str(texts), screen])


def check_ports(tap, tool, lab):
    ports = verdicts.diagnose(tool, lab / "port_reuse_same_tuple/client.pcap")["ports"]
    want = {"ports": 1, "in_use": 1, "reused": 2, "reuse_failed": 0, "exhausted": False, "connections": 3}
    tap.check("a five-tuple that is used three times is one port, used again twice",
              None if len(ports) == 1 and {k: ports[0][k] for k in want} == want else str(ports))
    ports = verdicts.diagnose(tool, lab / "ab_short_connections/client.pcap")["ports"]
    tap.check("a benchmark takes a port for each connection", None if ports[0]["ports"] == ports[0]["connections"] > 600 else str(ports))
    tap.check("but keeps none that its server closed first", None if ports[0]["in_use"] < 50 else str(ports))


def check_quiet(tap, tool, lab):
    told = {}
    for folder, truth in verdicts.scenarios(lab):
        if truth["scenario"] != "http_404":
            facts = verdicts.diagnose(tool, folder / "client.pcap")["facts"]
            told.update({truth["scenario"]: f["text"] for f in facts})
    tap.check("no other scenario has a fact beside its findings", [f"{name}: {text}" for name, text in told.items()])


def check_carried(tap, tool, capture, document):
    """Sizes and shares against the intervals; the use of a link against the length of the capture."""
    intervals, carried = document["traffic"]["intervals"], document["carried"]
    bytes_, payload = (sum(sum(i[k] for k in keys) for i in intervals)
                       for keys in (("bytes",), ("payload_bytes_to_server", "payload_bytes_to_client")))
    mean = bytes_ / sum(i["frames"] for i in intervals)
    tap.check("the mean frame and the share of payload are those of the intervals",
              None if abs(carried["mean_frame_bytes"] - mean) < 1e-3 and abs(carried["payload_share"] - payload / bytes_) < 1e-3
              and "link_bits_per_s" not in carried else f"{carried} {mean} {payload / bytes_}")
    linked = traffic(tool, capture, "--link", "2.5M")
    seconds = (linked["capture"]["last_ns"] - linked["capture"]["first_ns"]) / 1e9
    use = sum(i["payload_bytes_to_client"] for i in intervals) * 8 / seconds / 2.5e6
    tap.check("the use of a link is payload over the capture's time",
              None if linked["carried"]["link_bits_per_s"] == 2.5e6 and abs(linked["carried"]["link_use_to_client"] - use) <= 1e-3 * max(use, 1)
              else f"{linked['carried']} {use}")
    text = " ".join(run(tool, "traffic", "--link", "2.5M", capture).split())
    tap.check("both are on the screen", None if "of all bytes are payload" in text and "Of a link of 2.50 Mbit/s" in text else text)


def check_forms(tap, tool, lab):
    capture = lab / "syn_drop_backlog/client.pcap"
    document = traffic(tool, capture)
    rows = list(csv.DictReader(io.StringIO(run(tool, "traffic", "--csv", capture))))
    whole = [r for r in rows if not r["listener"]]
    same = [[int(r[k]) for k in ("frames", "bytes", "syns", "unanswered", "opened")] for r in whole]
    want = [[i[k] for k in ("frames", "bytes", "syns", "unanswered", "opened")] for i in document["traffic"]["intervals"]]
    tap.check("CSV and JSON hold the same intervals", None if same == want else f"{same} {want}")
    listener = document["listeners"][0]
    sums = {k: sum(i[k] for i in listener["traffic"]["intervals"]) for k in ("syns", "syn_repeats", "unanswered", "opened")}
    o = listener["openings"]
    tap.check("a listener's intervals add up to its counts",
              None if sums == {"syns": o["syns"], "syn_repeats": o["syn_repeats"], "unanswered": o["unanswered_syns"], "opened": o["opened"]} else f"{sums} {o}")
    narrow, wide = traffic(tool, capture, "--interval", "1ms"), traffic(tool, capture, "--interval", 3600)
    check_carried(tap, tool, capture, document)
    tap.check("intervals are doubled until they fit", None if narrow["traffic"]["interval_ms"] == 4 and len(narrow["traffic"]["intervals"]) <= 4096
              and len(wide["traffic"]["intervals"]) == 1 else str((narrow["traffic"]["interval_ms"], len(narrow["traffic"]["intervals"]))))


def main():
    tool, lab = sys.argv[1], pathlib.Path(sys.argv[2])
    if not lab.is_dir():
        skip_all("no lab captures here")
    with Tap() as tap:
        check_paced(tap, tool)
        for check in (check_iperf3, check_tshark, check_silence, check_answers, check_ports, check_quiet, check_forms):
            check(tap, tool, lab)


if __name__ == "__main__":
    main()
