#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP: each number by which src/explain decides stands in thresholds.h with its unit, its source and a reader, and as it
is on the page docs/thresholds.md; and so do the odds, on docs/how-verdicts-are-reached.md."""
import importlib.util
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

MOST = 80
# A section of a document, a kernel's symbol or setting, a statistic, or that nothing but judgement says so.
SOURCE = re.compile(r"RFC \d+|\w+\(\)|[A-Z]+_[A-Z_]+|[A-Z]{5,}|net\.\w+\.\w+|TcpMax\w+|ITU-T \w\.\d+|, (?:19|20)\d\d|Little's law|Rayleigh's test|measurement|judgement")
NUMBER = re.compile(r"^#define +(\w+) +\(?(?:INT64_C\(|TCPWHY_\w+\()?(\d[\w.]*)(?![\w. ]*<<)", re.M)
# These decide nothing: rooms and their sizes, names of bits, and what a protocol lays down.
STRUCTURE = {
    "BY_CLOCK", "BY_ECHOES", "BY_SYNS", "FIRST_BYTE", "KIB", "LARGEST_WINDOW", "LEAF", "LINK_BYTES_PER_S", "MANY_RECORDS", "MAX_BLOCKS", "MOST_THRESHOLDS", "NEAR",
    "PORT_HTTPS", "PORT_NETBIOS", "PORT_SMB", "PORT_SSH",
    "REMEMBERED", "SHIFTS", "SYN_END", "TIMESTAMP_BYTES", "TTL_UNIX", "TTL_WINDOWS", "TW_GAP_KINDS", "TW_GAP_KINDS_BITS",
    "TW_SAMPLES_INLINE",
}
# The replay of a sender decides no verdict: its numbers are those of RFCs and of Linux, and stand beside their rules.
REPLAY = {"ca_state", "cubic", "cwnd", "cwnd_path", "full_segment", "pipe", "replay", "rto", "rtt", "send_clock"}


# The odds stand beside what they are of, with their sources; docs/how-verdicts-are-reached.md shows them.
ODDS = ("causes/hypothesis.h", "causes/moment.c", "attribute/arbiter.h", "attribute/priors.h")


def odds(explain):
    """{name: value}, of hypotheses, of the arbiter, and of priors by cause."""
    text = {file: (explain / file).read_text(encoding="utf-8") for file in ODDS}
    named = {name: float(value) for file in ODDS for name, value in re.findall(r"^#define TW_ODDS_(\w+) +(-?[\d.]+)", text[file], re.M)}
    priors = {}
    for labels, value in re.findall(r"((?:case TCPWHY_\w+:\s*(?:/\*.*?\*/\s*)?)+)return (-?[\d.]+);", text["attribute/priors.h"]):
        priors.update((cause.lower(), float(value)) for cause in re.findall(r"case TCPWHY_(\w+):", labels))
    return named, priors


def odds_without_source(explain):
    return [f"{file} gives no source" for file in ODDS if not re.search(r"Source:\s", (explain / file).read_text(encoding="utf-8"))]


def numbers(cell):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", cell)]


def wrong_odds_on_page(named, priors, text):
    """Odds and priors that the page does not show as they are."""
    shown = {name: numbers(value)[0] for value, name in re.findall(r"^\| (-?[\d.]+) \| `([A-Z_]+)` \|", text, re.M)}
    limits = re.search(r"`certain` from ([\d.]+).*?`likely`\s+from ([\d.]+)", text, re.DOTALL)
    shown |= dict(zip(("CERTAIN", "LIKELY"), map(float, limits.groups()))) if limits else {}
    for names, values in re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \| ([-\d., ]+) \| [^|]+ \|$", text, re.M):
        causes, weights = re.findall(r"`(\w+)`", names), numbers(values)
        shown.update(zip(causes, weights * len(causes) if len(weights) == 1 else weights))
    now = {name: value for name, value in named.items() if name != "NEVER"} | priors
    return [f"{name}: {shown.get(name)} on the page, {now.get(name)} in the source"
            for name in sorted(set(shown) | set(now)) if shown.get(name) != now.get(name)]


def strays(explain):
    """Numbers that are defined beside the table."""
    found = []
    for path in sorted(explain.rglob("*.[ch]")):
        if path.name == "thresholds.h" or path.stem in REPLAY or str(path.relative_to(explain)) in ODDS:
            continue
        for name, value in NUMBER.findall(path.read_text(encoding="utf-8")):
            if name not in STRUCTURE and not name.startswith("TW_SEND_"):
                found.append(f"{path.name}: {name} is {value}: move it to thresholds.h")
    return found


def wrong_entries(table, readers):
    found = [] if len(table) <= MOST else [f"{len(table)} numbers, more than {MOST}"]
    for t in table:
        found += [] if t.unit else [f"{t.name} has no unit"]
        found += [] if SOURCE.search(t.source) else [f"{t.name} has no source: {t.source!r}"]
        found += [] if readers(t.name) else [f"{t.name} has no reader"]
    return found


def wrong_on_page(table, text, plain):
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", text, re.M))
    now = {t.name: plain(t.value) for t in table}
    return [f"{name}: {rows.get(name)} on the page, {now.get(name)} in the table: run tools/dev/sweep-thresholds.py"
            for name in sorted(set(rows) | set(now)) if rows.get(name) != now.get(name)]


def stray_is_seen():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.c"
        path.write_text("#define LATE_NS TCPWHY_MS(3)\n#define SHARE 8\n#define TW_SEND_X 0x02\n", encoding="utf-8")
        return strays(pathlib.Path(folder))


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    spec = importlib.util.spec_from_file_location("sweep_thresholds", top / "tools/dev/sweep-thresholds.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    text = (top / "src/explain/thresholds.h").read_text(encoding="utf-8")
    table = tool.thresholds(text)
    defined = len(re.findall(r"^#define TW_(?!EXPLAIN|THRESHOLD\()\w+", text, re.M))
    with Tap() as tap:
        tap.check("each number of the table is read by the sweep", [] if len(table) == defined else [f"{len(table)} of {defined}"])
        tap.check("each has a comment of its own", [t.name for t, other in zip(table, table[1:]) if t.text == other.text])
        tap.check("each has a unit, a source and a reader", wrong_entries(table, tool.readers))
        tap.check("no number decides beside the table", strays(top / "src/explain"))
        tap.check("one that did would be seen", [] if len(stray_is_seen()) == 2 else [str(stray_is_seen())])
        tap.check("the odds have a source", odds_without_source(top / "src/explain"))
        page = (top / "docs/how-verdicts-are-reached.md").read_text(encoding="utf-8")
        tap.check("a page shows the odds", wrong_odds_on_page(*odds(top / "src/explain"), page))
        tap.check("the page shows the table", wrong_on_page(table, (top / "docs/thresholds.md").read_text(encoding="utf-8"), tool.plain))


if __name__ == "__main__":
    main()
