#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP TCPWHY: the pages of the causes are complete and short, new-hypothesis.py makes a cause that builds, links work, and
documents show current output."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[2] / "tools/dev")]
import causes  # noqa: E402
import outputs  # noqa: E402
import pictures  # noqa: E402
from tap import Tap  # noqa: E402

# How a cause is decided fits a terminal of 24 lines: the rule, the vantage and the main doubt.
DECIDED_WORDS = 120
LINK = re.compile(r"\[[^]]+\]\(([^)#:]+)\)")


def generate(top, pages):
    out = pages.parent / "table.c"
    return subprocess.run([sys.executable, top / "tools/dev/causes.py", top / "include/tcpwhy/types.h", pages, out, f"{out}.d"],
                          capture_output=True, text=True, check=False)


def refuses(top, pages, change, word):
    """Problems if causes.py accepts the pages after `change`, or refuses them without naming `word`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "causes"
        shutil.copytree(pages, copy)
        change(copy)
        done = generate(top, copy)
    if done.returncode == 0 or word not in done.stderr:
        return f"exit {done.returncode}, stderr {done.stderr!r}"
    return None


def long_rules(pages):
    """Pages that say in more than DECIDED_WORDS words how their cause is decided."""
    for path in sorted(pages.glob("*.md")):
        words = len(causes.parse(path, path.stem, causes.SECTIONS)["decided"].split())
        if words > DECIDED_WORDS:
            yield f"{path.name}: {words} words, at most {DECIDED_WORDS}"


def drop_heading(folder):
    page = folder / "wire.md"
    page.write_text(page.read_text(encoding="utf-8").replace("## How to fix it", "## Advice"), encoding="utf-8")


def begun(top):
    """Problems with a cause that tools/dev/new-hypothesis.py makes in a copy of the tree."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "top"
        shutil.copytree(top, copy, ignore=shutil.ignore_patterns(".git", "build*", "pcaps"))
        command = [sys.executable, top / "tools/dev/new-hypothesis.py", "--top", copy, "sun_spots", "the sun was restless"]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return "new-hypothesis.py failed"
        made = generate(copy, copy / "docs/causes")
        source = (copy / "src/explain/causes/sun_spots.c").read_text()
        lists = [(copy / f).read_text() for f in ("src/explain/meson.build", "tests/unit/meson.build", "include/tcpwhy/types.h")]
    problems = [made.stderr] if made.returncode else []
    problems += [] if "tw_hypothesis_sun_spots" in source else ["the hypothesis has another name"]
    return problems + ([] if all("sun_spots" in text.lower() for text in lists) else ["not entered in every list"])


def stale_outputs(top, tcpwhy):
    """Commands whose output a document no longer shows."""
    for path in outputs.documents(top):
        for arguments, shown in outputs.shown(path.read_text(encoding="utf-8")):
            if outputs.output(tcpwhy, arguments, top) != shown:
                yield f"tcpwhy {arguments} prints something else than {path.name} shows: run tools/dev/outputs.py"


ANSWERED = re.compile(r"^\| (\d+) \| .+ \| `tcpwhy (\w*).*` ?(?:\([^|]*\) )?\| (yes|in part|no)\b(.*) \|$", re.M)


def wrong_counts(top, tcpwhy):
    """Sums of the table of facts that the page states otherwise."""
    text = (top / "docs/the-articles.md").read_text(encoding="utf-8")
    rows = ANSWERED.findall(text)
    counts = [len(rows)] + [sum(1 for row in rows if row[2] == state) for state in ("yes", "in part", "no")]
    stated = re.search(r"the (\d+) facts.+?(\d+) are answered, (\d+) in part, (\d+) not", text, re.DOTALL)
    if not stated or [int(n) for n in stated.groups()] != counts:
        yield f"the table holds {counts}"
    if [int(row[0]) for row in rows] != list(range(1, len(rows) + 1)):
        yield "the rows are not numbered from 1"
    known = subprocess.run([tcpwhy, "help"], capture_output=True, text=True, check=False).stdout
    yield from (f"row {row[0]}: no command {row[1]}" for row in rows if row[1] and row[1] != "CAPTURE" and not re.search(rf"^  {row[1]}\b", known, re.M))
    yield from (f"row {row[0]} does not say what is missing" for row in rows if row[2] == "in part" and not row[3].startswith(": "))


def unlike_compared(top, tcpwhy):
    """Seconds that the comparison says tcpwhy tells of a capture, and it does not."""
    rows = re.findall(r"^\| `(\S+\.pcap)`: [^|]*\|[^|]*?([\d.]+) of ([\d.]+ s)[^|]*\|", (top / "docs/compared.md").read_text(), re.M)
    if len(rows) < 4:
        yield f"the rows are not found: {rows}"
    for capture, lost, of in rows:
        said = " ".join(subprocess.run([tcpwhy, "--ascii", top / "pcaps" / capture], capture_output=True, text=True, check=True).stdout.split())
        if not re.search(rf"\b{lost} (s\b|of {of})", said) or f"of {of}" not in said:
            yield f"{capture}: not {lost} of {of}"


def stale_pictures(top, tcpwhy):
    """Pictures of README that differ from what the command draws, or PNGs made from another SVG."""
    shown = pictures.pictures((top / "README.md").read_text(encoding="utf-8"))
    for arguments, path in shown:
        drawn = subprocess.run([tcpwhy, *arguments], cwd=top, capture_output=True, check=False).stdout
        if drawn != (top / path).with_suffix(".svg").read_bytes() or not pictures.is_of((top / path).with_suffix(".png").read_bytes(), drawn):
            yield f"tcpwhy {' '.join(arguments)} no longer draws {path}: run tools/dev/pictures.py"
    if not shown:
        yield "there are no pictures"


def emphasis(tcpwhy):
    """Markdown emphasis that reaches the terminal; asterisks in code must stay."""
    said = subprocess.run([tcpwhy, "causes"], capture_output=True, text=True, check=True).stdout
    texts = {name: subprocess.run([tcpwhy, "causes", name], capture_output=True, text=True, check=True).stdout for name in re.findall(r"^(\w+) ", said, re.M)}
    yield from (f"{name}: {found}" for name, text in texts.items() for found in re.findall(r"\*[A-Za-z][^*]*\*", text))
    if "listen_addresses = '*'" not in texts["connect_refused"] or "http://*:8080" not in texts["connect_refused"]:
        yield "an asterisk in code is missing"


def dead_links(top):
    for path in [*top.glob("*.md"), *(top / "docs").rglob("*.md"), *(top / "pcaps").glob("*.md")]:
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            if not (path.parent / target).exists():
                yield f"{path.relative_to(top)}: {target}"


def unknown_files(top):
    """What ARCHITECTURE.md names and the tree lacks: a path from the top, from src/ or include/; or the name of a file alone."""
    for line in (top / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        for name in re.findall(r"`([\w./*-]+)", line):
            if not re.search(r"/|\.(c|h|py|md|js|css|map)$", name) or re.search("NAME|^build", name):
                continue
            places = [top, top / "src", top / "include"] if "/" in name else [top / "src", top / "tools", top / "include"]
            if not any(any(place.glob(name) if "/" in name else place.rglob(name)) for place in places):
                yield f"{name}: {line[:80]}"


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    pages = top / "docs/causes"
    with Tap() as tap:
        tap.check("a cause without a page fails the build", refuses(top, pages, lambda f: (f / "wire.md").unlink(), "wire"))
        tap.check("a page without a cause fails the build", refuses(top, pages, lambda f: (f / "magic.md").write_text("# magic: x\n"), "magic"))
        tap.check("a page that lacks a heading fails the build", refuses(top, pages, drop_heading, "How to fix it"))
        tap.check(f"no page takes more than {DECIDED_WORDS} words to say how its cause is decided", list(long_rules(pages)))
        tap.check("new-hypothesis.py makes a cause that builds", begun(top))
        tap.check("links between the documents work", list(dead_links(top)))
        tap.check("the files that ARCHITECTURE.md names are there", list(unknown_files(top)))
        tap.check("causes are printed without Markdown emphasis", list(emphasis(sys.argv[2])))
        tap.check("the pictures of README are current", list(stale_pictures(top, pathlib.Path(sys.argv[2]).resolve())))
        tap.check("the table of the articles' facts adds up", list(wrong_counts(top, sys.argv[2])))
        tap.check("the seconds in the comparison are current", list(unlike_compared(top, sys.argv[2])))
        tap.check("the outputs in documents are current", list(stale_outputs(top, pathlib.Path(sys.argv[2]).resolve())))


if __name__ == "__main__":
    main()
