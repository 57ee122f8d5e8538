#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP TCPWHY PLUGIN_SO: tshark with the plugin, whose file alone is copied, shows for each frame what tcpwhy reports
for the capture. Under the sanitizer, where each start of tshark takes more than twice as long, it is asked of every sixth capture;
spoiled captures are for the sanitizer alone."""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sanitizer  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

NOBODY = 65534
# The ledger adds up to the nanosecond; a cost is printed with six decimals of a millisecond, and there are many.
TOLERANCE_MS = 0.01


class Tshark:
    """tshark in a home of its own, where the plugin is a user's; not as root, who has no plugins."""

    def __init__(self, folder, plugin, version):
        self.folder = folder
        plugins = folder / f".local/lib/wireshark/plugins/{version}/epan"
        plugins.mkdir(parents=True)
        shutil.copy(plugin, plugins / "tcpwhy.so")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8",
                            "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
        if preload := sanitizer.preload(plugin):
            self.environment["LD_PRELOAD"] = preload["LD_PRELOAD"]
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755)

    def take(self, capture):
        """A copy of the capture that everybody may read."""
        copy = self.folder / f"{capture.parent.name}-{capture.name}"
        if not copy.exists():
            shutil.copy(capture, copy)
            copy.chmod(0o644)
        return copy

    def __call__(self, *arguments, **more):
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        return subprocess.run(["tshark", *map(str, arguments)], env=self.environment, text=True, capture_output=True, check=False,
                              timeout=120, cwd=self.folder, **user, **more)

    def rows(self, capture, names, *more, **how):
        """A list of columns a frame; each a list of values."""
        done = self("-r", capture, "-T", "fields", "-E", "aggregator=|", *more, *[a for n in names for a in ("-e", n)], **how)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return [[v.split("|") if v else [] for v in line.split("\t")] for line in done.stdout.splitlines()]


def waits_of(rows):
    """Milliseconds a cause."""
    spent = collections.Counter()
    for causes, costs in rows:
        for cause, cost in zip(causes, costs, strict=True):
            spent[cause] += float(cost)
    return spent


def ledger_of(document):
    spent = collections.Counter()
    for stream in document["streams"]:
        for entry in stream["ledger"]:
            spent[entry["cause"]] += entry["ms"]
    return spent


def unlike(have, want):
    return [f"{cause}: {have[cause]:.6f} ms, not {want[cause]:.6f}" for cause in sorted(set(have) | set(want))
            if abs(have[cause] - want[cause]) > TOLERANCE_MS]


def compare(tshark, tcpwhy, capture):
    """What the plugin says of a capture against what the command says."""
    document = json.loads(subprocess.run([tcpwhy, "--json", capture], text=True, capture_output=True, check=True).stdout)
    explained = json.loads(subprocess.run([tcpwhy, "explain", "--json", capture], text=True, capture_output=True, check=True).stdout)
    names = ["tcpwhy.cause", "tcpwhy.cost_ms", "tcpwhy.finding", "frame.number", "tcpwhy.verdict", "tcp.srcport"]
    rows = tshark.rows(tshark.take(capture), names, "-o", "tcpwhy.wire:TRUE")
    proved = {int(r[3][0]): set(r[2]) for r in rows if r[2]}
    tcp = {int(r[3][0]) for r in rows if r[5]}
    # A lookup's frames are no TCP: nothing stands in them.
    proofs = {f for finding in document["findings"] for f in finding["frames"]} & tcp
    problems = unlike(waits_of((r[0], r[1]) for r in rows), ledger_of(explained))
    if set(proved) != proofs:
        problems.append(f"findings on the frames {sorted(proved)}, not {sorted(proofs)}")
    verdicts = [v for r in rows for v in r[4]]
    wanted = [s["verdict"]["cause"] for s in explained["streams"]]
    if verdicts != wanted:
        problems.append(f"verdicts {verdicts[:9]}, not {wanted[:9]}")
    return problems


def check_issue(tap, tshark, nagle):
    done = tshark("-r", nagle, "-Y", 'tcpwhy.cause == "nagle_delayed_ack"')
    n = len(done.stdout.splitlines())
    tap.check("tshark -Y 'tcpwhy.cause == \"nagle_delayed_ack\"' lists the 660 frames that ended such a wait",
              None if n == 660 and done.returncode == 0 else [f"{n} frames", done.stderr])
    done = tshark("-r", nagle, "-Y", "tcpwhy.cost_ms > 48 && tcpwhy.party == server && tcpwhy.confidence == certain", "-o",
                  'gui.column.format:"No.","%m","Why","%Cus:tcpwhy.cause","Cost","%Cus:tcpwhy.cost_ms"')
    tap.check("columns and filters on cost, party and confidence",
              None if done.stdout.split()[1::3] == ["nagle_delayed_ack"] * 2 and done.returncode == 0 else done.stdout + done.stderr)
    done = tshark("-r", nagle, "-q", "-z", "expert,warn")
    tap.check("a finding is expert information", None if "Nagle's algorithm at 10.9.0.2:8080" in done.stdout else done.stdout + done.stderr)


def check_requests(tap, tshark, tcpwhy, capture):
    """Those that `exchanges` tells, each in the frame that ended its response."""
    names = ("request", "request.protocol", "request.status", "request.detail", "request.total_ms")
    rows = tshark.rows(capture, ["frame.number", *(f"tcpwhy.{name}" for name in names)], "-Y", "tcpwhy.request")
    told = json.loads(subprocess.run([tcpwhy, "exchanges", "--json", capture], text=True, capture_output=True, check=True).stdout)["exchanges"]
    have = [(int(row[0][0]), *of) for row in rows for of in zip(row[1], row[2], row[3], strict=True)]
    want = sorted((e["response_last_frame"], e["request"], e["protocol"], str(e["status"])) for e in told)
    details = [cell for row in rows for cell in row[4]]
    took = [float(cell) for row in rows for cell in row[5]]
    problems = [] if sorted(have) == want and have else [f"{have}, not {want}"]
    problems += [] if details == ["RST_STREAM INTERNAL_ERROR"] else [f"details {details}"]
    problems += [] if sorted(took) == sorted(e["total_ms"] for e in told if e["complete"]) else [f"times {took}"]
    tap.check("requests are those of the command, in the frames that ended their responses", problems)


def check_ways(tap, tshark, nagle, uncut):
    """The same frames, however the capture comes."""
    names = ["frame.time_epoch", "tcpwhy.cause", "tcpwhy.cost_ms", "tcpwhy.finding", "tcpwhy.verdict"]
    once = tshark.rows(nagle, names, "-Y", "tcpwhy")

    def same(name, *arguments, want=once, **how):
        rows = tshark.rows(*arguments, names, "-Y", "tcpwhy", **how) if len(arguments) == 1 else tshark.rows(
            arguments[0], names, "-Y", "tcpwhy", *arguments[1:], **how)
        tap.check(name, None if rows == want else f"{len(rows)} frames with a word, not {len(want)}; {rows[:2]} {want[:2]}")

    same("two passes say the same as one", nagle, "-2")
    packed = nagle.with_suffix(".gz")
    packed.write_bytes(subprocess.run(["gzip", "-c", nagle], capture_output=True, check=True).stdout)
    same("a compressed capture says the same", packed)
    with open(nagle, "rb") as file:
        same("a capture on standard input says the same", "-", stdin=file)
    # Text: it tells the time of the day, in microseconds, and of packets what was captured.
    words = uncut.with_suffix(".k12text")
    coarse = uncut.with_suffix(".microseconds")
    for form, out in (("pcap", coarse), ("k12text", words)):
        subprocess.run(["editcap", "-F", form, uncut, out], check=True, capture_output=True)
    same("a format that tcpwhy does not read: nothing in the first pass", words, want=[])
    pushed, read = ({(*row[0], *row[1]) for row in tshark.rows(path, ["tcpwhy.cause", "tcpwhy.verdict"], "-Y", "tcpwhy", *more)}
                    for path, *more in ((words, "-2"), (coarse,)))
    tap.check("a format that tcpwhy does not read: packets are pushed, and the second pass says it",
              None if pushed == read else f"{pushed}, not {read}")
    same("the preference names the capture when it comes through a pipe", "-", "-o", f"tcpwhy.capture:{nagle}",
         stdin=subprocess.Popen(["cat", nagle], stdout=subprocess.PIPE).stdout)
    same("a pipe alone: nothing is known, nothing is said", "-", want=[], stdin=subprocess.Popen(["cat", nagle], stdout=subprocess.PIPE).stdout)
    port = "tcp.port == 60580"
    some = tshark.rows(nagle, names, "-Y", f"tcpwhy && {port}")
    same("frames that a read filter numbers anew are known by their time", nagle, "-2", "-R", port, want=some)
    other = tshark.take(nagle.with_name("other"))
    same("another capture's verdicts are not taken for these", other, "-o", f"tcpwhy.capture:{nagle}", want=[])


def check_long(tap, tshark, nagle):
    """So long that the second pass begins when a new look at the file is due, and tshark has closed it."""
    data = nagle.read_bytes()
    long = nagle.with_suffix(".long")
    with open(long, "wb") as out:
        out.write(data[:24])
        for copy in range(40):
            at = 24
            while at < len(data):
                seconds, fraction, captured, original = struct.unpack_from("<IIII", data, at)
                out.write(struct.pack("<IIII", seconds + 120 * copy, fraction, captured, original) + data[at + 16:at + 16 + captured])
                at += 16 + captured
    wanted = tshark.rows(long, ["frame.number", "tcpwhy.cause"], "-Y", "tcpwhy.cost_ms > 1")
    have = tshark.rows(long, ["frame.number", "tcpwhy.cause"], "-Y", "tcpwhy.cost_ms > 1", "-2")
    tap.check("of a long capture the second pass says what the first did",
              None if have == wanted and len(wanted) > 660 else f"{len(have)} frames, not {len(wanted)}")


def spoil(capture, out, seed):
    """Some bytes changed, the end cut off."""
    rng = random.Random(seed)
    data = bytearray(capture.read_bytes()[:400_000])
    for _ in range(rng.choice([5, 50, 500])):
        data[rng.randrange(24, len(data))] = rng.randrange(256)
    out.write_bytes(data[:rng.randrange(len(data) // 2, len(data))])
    out.chmod(0o644)


def check_hostile(tap, tshark, captures, n):
    problems = []
    for i in range(n):
        spoiled = tshark.folder / "spoiled.pcap"
        spoil(captures[i % len(captures)], spoiled, i)
        for more in ([], ["-2"]):
            done = tshark("-r", spoiled, "-Y", "tcpwhy", "-V", *more)
            # 2: the file is broken, which tshark says.
            if done.returncode not in (0, 2) or "Sanitizer" in done.stderr or "runtime error" in done.stderr or "Dissector bug" in done.stdout:
                problems.append(f"seed {i}, {captures[i % len(captures)]} {more}: exit {done.returncode}: {done.stderr[-2000:]}")
    tap.check(f"{n} spoiled captures, in one pass and in two, crash nothing", problems)


def main():
    top, tcpwhy, plugin = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    if not shutil.which("tshark") or not shutil.which("editcap"):
        skip_all("no tshark here")
    version = ".".join(subprocess.run(["tshark", "--version"], text=True, capture_output=True, check=True).stdout.split()[2].split(".")[:2])
    captures = sorted(top.glob("pcaps/*/client.pcap"))
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        tshark = Tshark(pathlib.Path(folder), plugin, version)
        done = tshark("-G", "protocols")
        tap.check("tshark loads the plugin", None if "\ttcpwhy\t" in done.stdout else done.stderr or "it does not know the protocol")
        nagle = tshark.take(top / "pcaps/nginx_nagle_delack/client.pcap")
        check_issue(tap, tshark, nagle)
        shutil.copy(top / "pcaps/nginx_nodelay/client.pcap", tshark.folder / "other")
        check_ways(tap, tshark, nagle, tshark.take(top / "pcaps/client_write_write_read/client.pcap"))
        check_long(tap, tshark, nagle)
        check_requests(tap, tshark, tcpwhy, tshark.take(top / "pcaps/http2_stream_reset/client.pcap"))
        some = sanitizer.some(captures, plugin)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda c: compare(tshark, tcpwhy, c), some)
            for capture, problems in zip(some, results, strict=True):
                tap.check(f"{capture.parent.name}: waits, findings and verdicts are those of the command", problems)
        if sanitizer.sanitized(plugin):
            check_hostile(tap, tshark, [tshark.take(c) for c in captures], 12)


if __name__ == "__main__":
    main()
