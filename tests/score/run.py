#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY ROOT [--min SHARE] [NAME...]: verdicts against truth.json, for every scenario below ROOT and from both
ends.

Prints a row per capture, then the confusion matrix. Fails on any wrong verdict that is certain, on any cause that the
truth forbids, and if fewer than --min of the captures are right.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import verdicts  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

HEALTHY = {"none", "wire", "handshake", "close"}
# The kernel's chronographs count a millisecond here and there that no packet shows.
CHRONOGRAPH_FROM_US = 100_000

Row = collections.namedtuple("Row", "name side want given share confidence right wrong_certain never missing note error")


def plain(endpoint):
    return str(endpoint or "").replace("[", "").replace("]", "")


def chronograph(truth, document):
    """The receive window's milliseconds as the sender's kernel counted them, beside ours."""
    infos = [c["info"] for c in truth["connections"] if "info" in c]
    big = max(infos, key=lambda i: i["bytes_acked"] or 0, default=None)
    if not big or big["rwnd_limited_us"] < CHRONOGRAPH_FROM_US or len(document["streams"]) > 3:
        return ""
    ours = sum(e["ms"] for s in document["streams"] for e in s["ledger"] if e["cause"] in ("receive_window_limited", "zero_window"))
    kernel = big["rwnd_limited_us"] / 1e3
    return f"window {ours:.0f} ms, kernel {kernel:.0f} ms ({(ours - kernel) / kernel:+.1%})"


def judge(tool, folder, truth, side):
    """One row."""
    expected = truth["expected"]
    want = [expected["primary"], *expected.get("alternatives", [])]
    try:
        document = verdicts.diagnose(tool, folder / f"{side}.pcap")
        verdict = document["verdict"]
    except (ValueError, KeyError) as error:
        return Row(truth["scenario"], side, want, "failed", 0, "", False, False, [], [], "", str(error))
    cause = verdict["cause"]
    found = set(verdicts.causes_found(document)) | {cause}
    fits = cause in want or (expected["primary"] == "none" and cause in HEALTHY)
    place = cause in HEALTHY or plain(verdict.get("endpoint")).startswith(plain(expected.get("endpoint")))
    never = [c for c in expected.get("never", []) if c in found]
    missing = [c for c in expected.get("contains", []) if c not in found]
    note = chronograph(truth, document) if fits else f"at {verdict.get('endpoint')}"
    return Row(truth["scenario"], side, want, cause, verdict.get("share") or 0, verdict.get("confidence", ""),
               fits and place and not never and not missing,
               verdict.get("confidence") == "certain" and not (fits and place), never, missing,
               note if place else f"at {verdict.get('endpoint')}, not {expected.get('endpoint')}", "")


def table(rows):
    """Row by row, then expected x given."""
    for r in rows:
        extra = [r.note] + [f"forbidden: {c}" for c in r.never] + [f"not found: {c}" for c in r.missing] + [r.error]
        yield (f"{'ok ' if r.right else 'BAD'} {r.name:27} {r.side:6} {'|'.join(r.want):47} {r.given:24} "
               f"{r.share:6.1%} {r.confidence:9} {'; '.join(x for x in extra if x)}")
    yield ""
    yield "expected                   given (captures)"
    matrix = collections.defaultdict(collections.Counter)
    for r in rows:
        matrix[r.want[0]][r.given] += 1
    for cause, given in sorted(matrix.items()):
        yield f"{cause:26} " + ", ".join(f"{c} {n}" for c, n in given.most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("name", nargs="*")
    parser.add_argument("--min", type=float, default=0.9)
    asked = parser.parse_args()
    if not asked.root.is_dir():
        skip_all(f"no {asked.root.name} captures here")
    work = [(folder, truth, side) for folder, truth in verdicts.scenarios(asked.root)
            if not asked.name or truth["scenario"] in asked.name for side in verdicts.SIDES]
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda w: judge(asked.tool, *w), work))
        for line in table(rows):
            tap.note(line)
        named = [(r, f"{r.name} from the {r.side}") for r in rows]
        right = sum(r.right for r in rows)
        tap.note(f"right {right} of {len(rows)}, wrong and certain {sum(r.wrong_certain for r in rows)}")
        tap.check(f"no wrong verdict is certain in {len(rows)} captures", [name for r, name in named if r.wrong_certain])
        tap.check("no cause is reported that the truth forbids", [f"{name}: {', '.join(r.never)}" for r, name in named if r.never])
        tap.check("every capture is diagnosed", [f"{name}: {r.error}" for r, name in named if r.error])
        wrong = [f"{name}: {r.given}" for r, name in named if not r.right]
        tap.check(f"at least {asked.min:.0%} of the verdicts are right", wrong if right < asked.min * len(rows) else None)


if __name__ == "__main__":
    main()
