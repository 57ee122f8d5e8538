#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY PCAPS [CASE...]: every capture of every case gives what its expected.json says."""
import concurrent.futures
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expect  # noqa: E402
import verdicts  # noqa: E402
from tap import Tap  # noqa: E402

# A clone should stay quick; longer scenarios are cut (tools/dev/cut-capture.py).
MOST_BYTES = 20_000_000
CASE_KEYS = {"shows", "origin", "licence", "made_by"}


def sentence(capture, want):
    """nginx_nagle_delack from the client: nagle_delayed_ack at 10.9.0.2:8080"""
    cause = (want or {}).get("verdict.cause", "anything")
    cause = " or ".join(cause["any"]) if isinstance(cause, dict) else cause
    where = (want or {}).get("verdict.endpoint")
    place = f" at {where}" if isinstance(where, str) and where and cause != "none" else ""
    return f"{capture.parent.name} from the {capture.stem}: {'healthy' if cause == 'none' else cause}{place}"


def hold(tool, capture):
    """(sentence, problems) of one capture."""
    want = expect.load(capture.parent, capture.stem)
    if want is None:
        return sentence(capture, want), [f"no expectation; look at the verdict, then tools/dev/bless.py {capture.parent.name}"]
    try:
        document = verdicts.diagnose(tool, capture)
        return sentence(capture, want), expect.problems(verdicts.facts(document), want) + verdicts.always(document)
    except (ValueError, KeyError) as error:
        return sentence(capture, want), [f"{type(error).__name__}: {error}"]


def undescribed(folder):
    path = folder / "case.json"
    lacking = CASE_KEYS - set(json.loads(path.read_text())) if path.exists() else CASE_KEYS
    return [f"case.json lacks {sorted(lacking)}"] if lacking else []


def rows(root):
    """The README's table: kind, names of cases, names of hard negatives."""
    for line in (root / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3:
            yield cells[0], re.findall("`([^`]+)`", cells[1]), re.findall("`([^`]+)`", cells[2])


def exists(root, name):
    """Is FOLDER a case, SCRIPT/TEST a test?"""
    script, _, test = name.partition("/")
    if not test:
        return (root / name / "case.json").exists()
    path = root.parent / f"tests/unit/scripts/{script}.script"
    return path.exists() and f"\ntest {test}\n" in path.read_text()


def without_case(root):
    """Kinds of failure without a case or a hard negative, and names that lead nowhere."""
    table = {kind: (cases, negatives) for kind, cases, negatives in rows(root)}
    kinds = {p.stem for p in (root.parent / "docs/failures").glob("*.md")} - {"none"}
    yield from (f"{kind} has no row" for kind in sorted(kinds - table.keys()))
    for kind, (cases, negatives) in table.items():
        if kind != "kind" and not (cases and negatives):
            yield f"{kind} lacks a case or a hard negative"
        yield from (f"{kind}: there is no {name}" for name in cases + negatives if not exists(root, name))


def main():
    tool, root, only = sys.argv[1], pathlib.Path(sys.argv[2]), set(sys.argv[3:])
    folders = sorted(p for p in root.iterdir() if p.is_dir() and (not only or p.name in only))
    captures = [c for f in folders for c in sorted(f.glob("*.pcap*"))]
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, problems in pool.map(lambda c: hold(tool, c), captures):
            tap.check(name, problems)
        size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file())
        tap.check(f"pcaps/ stays under {MOST_BYTES // 10**6} MB", f"{size} bytes" if size >= MOST_BYTES else None)
        if not only and (root / "README.md").exists():
            tap.check("each kind of failure has a case and a hard negative, which exist", list(without_case(root)))
        tap.check(f"each of the {len(folders)} cases says what it shows, where it is from and its licence",
                  [f"{f.name}: {text}" for f in folders for text in undescribed(f)])


if __name__ == "__main__":
    main()
