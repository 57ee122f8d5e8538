#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench.py BUILD: time and memory of tcpwhy compared with other readers, on captures of several kinds, and per stage.

BENCH_FRAMES  frames of each capture (default 500,000; 5,000,000 for figures to publish)
BENCH_RUNS    runs of each (default 3), interleaved, so that a slow minute of the machine affects all alike
BENCH_ONLY    "mixed,short": only these workloads
BENCH_LONG    frames of the captures that are compared with ten times longer ones (default: BENCH_FRAMES, a million at
              most; 2,000,000 for figures to publish: fewer are less than the state that is kept)
BENCH_WRITE   a Markdown file (from the project's top) whose tables between the <!-- bench --> marks are replaced
The captures are kept in BUILD/bench/ and reused. tshark and ndpiReader are slow: they read a part, and their time per
frame is compared.
"""
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[3]
LAB = TOP / "../shared/captures/lab"

SYNTHETIC = ["bulk", "requests", "short", "streams", "open", "flood", "giant"]
PACKED = ["pcapng", "gzip", "zstd"]
WORKLOADS = ["mixed", *SYNTHETIC, "snap", *PACKED]
SMALL_FRAMES, SMALL_RUNS = 1400, 20  # 200 KB

# Of a mixed capture one of so many bytes a frame.
MIXED_BYTES = 131
TSHARK_FRAMES = 20_000

# Traffic that goes on: a frame every 360 microseconds, which makes a million connections of 10 frames an hour; how many
# times the longer capture is as long as the other.
LONG_KINDS, LONG_STEP_US, LONG_SNAP = ["bulk", "short", "requests"], 360, 96
LONG_TIMES = 10


def run(command, **more):
    subprocess.run([str(part) for part in command], check=True, **more)


def make_mixed(build, path, frames):
    parts = sorted((LAB if LAB.is_dir() else TOP / "pcaps").glob("*/client.pcap"))
    run([build / "tools/dev/bench/multiply", path, max(1, frames * MIXED_BYTES // 1_000_000), *parts])


def make(build, name, path, frames):
    """Write the capture of a workload."""
    mixed = path.parent / f"mixed-{frames}.pcap"
    if name == "mixed":
        make_mixed(build, path, frames)
    elif name == "snap":
        run([build / "tools/dev/bench/synthesize", path, "bulk", frames, 96])
    elif name == "pcapng":
        run(["editcap", "-F", "pcapng", mixed, path])
    elif name in ("gzip", "zstd"):
        with open(path, "wb") as out:
            run([name, "-c", "-q", mixed], stdout=out)
    else:
        run([build / "tools/dev/bench/synthesize", path, name, frames])


def capture_of(build, name, frames):
    """The capture of a workload, made when it is not there; None when a tool for it is missing."""
    path = build / "bench" / f"{name}-{frames}.pcap"
    if {"pcapng": "editcap", "gzip": "gzip", "zstd": "zstd"}.get(name) and name in PACKED:
        capture_of(build, "mixed", frames)
        if not shutil.which("editcap" if name == "pcapng" else name):
            return None
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        part = path.with_suffix(".part")
        make(build, name, part, frames)
        part.rename(path)
    return path


def contenders(build, name, path):
    """Name to (command, whether it reads a part of that many frames only)."""
    tcpwhy, loop = build / "tools/tcpwhy/tcpwhy", build / "tools/dev/bench/read_loop"
    help_text = subprocess.run([tcpwhy, "--help"], text=True, capture_output=True, check=True).stdout
    packed = name in ("gzip", "zstd")
    found = {"tcpwhy": ([tcpwhy, path], None)}
    if "--threads" in help_text:
        found["tcpwhy, 1 thread"] = ([tcpwhy, "--threads", "1", path], None)
    found["libpcap"] = (["sh", "-c", f"{name} -dc '{path}' | '{loop}' -"] if packed else [loop, path], None)
    if not packed:
        found["tcptrace"] = (["tcptrace", "-ln", path], None)
        found["ndpiReader"] = (["ndpiReader", "-q", "-i", path], None)
    found["tshark"] = (["tshark", "-n", "-q", "-c", TSHARK_FRAMES, "-z", "conv,tcp", "-r", path], TSHARK_FRAMES)
    return {who: ([str(part) for part in command], frames) for who, (command, frames) in found.items()
            if shutil.which(command[0])}


def measure(build, command):
    """(wall seconds, processor seconds, peak bytes) of one run; None when it cannot read such a capture."""
    with tempfile.TemporaryDirectory() as scratch:
        said = subprocess.run([build / "tools/dev/bench/measure", *command], cwd=scratch, stdin=subprocess.DEVNULL,
                              text=True, stdout=subprocess.PIPE)
    return None if said.returncode else tuple(float(word) for word in said.stdout.split())


def interleave(build, commands, runs):
    """Who to the medians of what measure() gives."""
    results = {who: [] for who in commands}
    for _ in range(runs):
        for who, (command, _) in commands.items():
            results[who].append(measure(build, command))
    if None in results["tcpwhy"]:
        sys.exit(f"{' '.join(commands['tcpwhy'][0])} failed")
    return {who: tuple(statistics.median(column) for column in zip(*measured))
            for who, measured in results.items() if None not in measured}


def peak_of(build, name, frames):
    """Peak bytes of tcpwhy on so many frames of traffic that goes on."""
    path = build / "bench" / f"long-{name}-{frames}.pcap"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        part = path.with_suffix(".part")
        run([build / "tools/dev/bench/synthesize", part, name, frames, LONG_SNAP, LONG_STEP_US])
        part.rename(path)
    return measure(build, [build / "tools/tcpwhy/tcpwhy", path])[2]


def growth_table(build, frames):
    """How the peak follows the length of the capture."""
    frames = int(os.environ.get("BENCH_LONG", min(frames, 1_000_000)))
    rows = []
    for name in LONG_KINDS:
        once, longer = (peak_of(build, name, n) for n in (frames, frames * LONG_TIMES))
        rows.append([name, f"{frames:,}", f"{once / 1e6:,.0f}", f"{frames * LONG_TIMES:,}", f"{longer / 1e6:,.0f}",
                     f"{(longer / once - 1) * 100:+.0f} %"])
    return table(["traffic", "frames", "peak MB", "ten times as long", "peak MB", "growth"], rows)


def stages_of(build, path, runs):
    """Stage to median seconds."""
    results = {}
    for _ in range(runs):
        said = subprocess.run([build / "tests/speed/stages", path], text=True, capture_output=True, check=True).stdout
        for line in said.splitlines():
            name, seconds = line.split()
            results.setdefault(name, []).append(float(seconds))
    return {name: statistics.median(seconds) for name, seconds in results.items()}


def count(build, path):
    """(frames, streams) of a capture."""
    said = subprocess.run([build / "tools/tcpwhy/tcpwhy", path], text=True, capture_output=True, check=True).stdout
    streams, frames = re.search(r"([\d,]+) connections?, ([\d,]+) frames", said).groups()
    return int(frames.replace(",", "")), int(streams.replace(",", ""))


def table(heads, rows):
    """Lines of Markdown, the columns aligned."""
    cells = [heads, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]

    def line(row):
        return "| " + " | ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))) + " |"

    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return [line(heads), rule, *(line(row) for row in rows)]


def ratio(over, under):
    return f"{over / under:.2f}" if over and under else ""


def machine():
    """What it ran on."""
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    model = re.search(r"model name\s*: (.*)", text)
    return f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def note_build(build):
    options = (build / "meson-info/intro-buildoptions.json").read_text()
    return [] if re.search(r'"name": "buildtype"[^}]*"value": "release"', options) else \
        ["NOTE: not a release build; for figures use one with --buildtype=release", ""]


class Results:
    """All measurements, and how they are told."""

    def __init__(self):
        self.frames, self.streams, self.times, self.works, self.peaks, self.stages = {}, {}, {}, {}, {}, {}
        self.small, self.growth = {}, []

    def add(self, build, name, path, runs):
        frames, streams = count(build, path)
        commands = contenders(build, name, path)
        measured = interleave(build, commands, runs)
        self.frames[name], self.streams[name] = frames, streams
        read = {who: min(frames, commands[who][1] or frames) for who in measured}
        self.times[name] = {who: wall * 1e9 / read[who] for who, (wall, _, _) in measured.items()}
        self.works[name] = {who: work * 1e9 / read[who] for who, (_, work, _) in measured.items()}
        self.peaks[name] = {who: peak for who, (_, _, peak) in measured.items()}
        self.stages[name] = {stage: s * 1e9 / frames for stage, s in stages_of(build, path, runs).items()}

    def who(self):
        return list(dict.fromkeys(who for times in self.times.values() for who in times))

    def time_table(self, times):
        who = self.who()
        heads = ["workload", "frames", "streams", *who, "tcpwhy / libpcap", "tcptrace / tcpwhy", "tshark / tcpwhy"]
        rows = []
        for name, t in times.items():
            rows.append([name, f"{self.frames[name]:,}", f"{self.streams[name]:,}",
                         *(f"{t[w]:,.0f}" if w in t else "" for w in who), ratio(t["tcpwhy"], t.get("libpcap")),
                         ratio(t.get("tcptrace"), t["tcpwhy"]), ratio(t.get("tshark"), t["tcpwhy"])])
        return table(heads, rows)

    def memory_table(self):
        who = self.who()
        rows = [[name, *(f"{p[w] / 1e6:,.0f}" if w in p else "" for w in who),
                 f"{p['tcpwhy'] / self.frames[name]:,.0f}", f"{p['tcpwhy'] / self.streams[name]:,.0f}"]
                for name, p in self.peaks.items()]
        return table(["workload", *who, "tcpwhy, bytes a frame", "bytes a stream"], rows)

    def stage_table(self):
        names = list(next(iter(self.stages.values())))
        rows = [[name, *(f"{s[n]:,.0f}" for n in names), f"{sum(s.values()):,.0f}"] for name, s in self.stages.items()]
        return table(["workload", *names, "sum"], rows)

    def text(self, runs):
        small = ", ".join(f"{who} {seconds * 1e3:.1f} ms" for who, (seconds, _, _) in self.small.items())
        return ["Nanoseconds a frame, wall clock "
                f"({'one run' if runs == 1 else f'medians of {runs} runs'}, interleaved; tshark on the first {TSHARK_FRAMES:,} frames):",
                "", *self.time_table(self.times), "",
                "The same in processor time, of all threads (a busy machine disturbs it less):", "",
                *self.time_table(self.works), "", "Peak resident memory, MB:", "", *self.memory_table(), "",
                f"The same traffic ten times as long, a frame every {LONG_STEP_US} microseconds:", "", *self.growth, "",
                "Nanoseconds of processor time a frame by stage, one thread:", "", *self.stage_table(), "",
                f"From start to answer on a capture of 200 KB: {small}."]


def write(path, lines):
    text = path.read_text(encoding="utf-8")
    begin, end = "<!-- bench -->\n", "<!-- end of bench -->"
    before, rest = text.split(begin)
    path.write_text(before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1], encoding="utf-8")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    frames, runs = int(os.environ.get("BENCH_FRAMES", "500000")), int(os.environ.get("BENCH_RUNS", "3"))
    only = os.environ.get("BENCH_ONLY", ",".join(WORKLOADS)).split(",")
    results = Results()
    for name in WORKLOADS:
        path = capture_of(build, name, frames) if name in only else None
        if path:
            results.add(build, name, path, runs)
    small = capture_of(build, "requests", SMALL_FRAMES)
    results.small = interleave(build, contenders(build, "requests", small), SMALL_RUNS)
    results.growth = growth_table(build, frames)
    long = f" BENCH_LONG={os.environ['BENCH_LONG']}" if "BENCH_LONG" in os.environ else ""
    command = f"BENCH_FRAMES={frames} BENCH_RUNS={runs}{long} meson test --benchmark -v -C build-release"
    lines = [*note_build(build), f"`{command}` on {machine()}:", "", *results.text(runs)]
    print("\n".join(lines))
    if os.environ.get("BENCH_WRITE"):
        write(TOP / os.environ["BENCH_WRITE"], lines)


if __name__ == "__main__":
    main()
