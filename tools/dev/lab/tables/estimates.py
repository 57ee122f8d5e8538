# SPDX-License-Identifier: MIT
"""What a connection "would take" without its trouble, against its twin in which that was mended
(NAME_repaired, scenarios/repaired.py); half as far away, against NAME_nearer."""
import collections
import statistics

from .case import NEARER, TWIN
from .markdown import share, table, thousands

HEADING = "estimates"
NEAR, ROUGH = 0.15, 0.25
MOST_SHOWN = 12

# `would` and `held` hold, by cause, what a finding says and whether there is one.
Seen = collections.namedtuple("Seen", "name view vantage main streams durations findings")
Pair = collections.namedtuple("Pair", "where vantage cause took would twin confidence")


def measure(case):
    seen = []
    for view, document in case.documents.items():
        durations = [s["duration_ms"] for s in document["streams"]]
        findings = [(f["cause"], f["stream"], f["confidence"], f["detail"].get("took_ms"),
                     {TWIN: f["detail"].get("would_take_ms"), NEARER: f["detail"].get("half_as_far_ms")})
                    for f in document["findings"] if f.get("stream") is not None and "detail" in f]  # fmt: skip
        main = case.expected["primary"] if case.expected else None
        seen.append(Seen(case.name, view, case.vantage(view), main, len(durations), durations, findings))
    return seen


def pairs_of(seen):
    """(pairs, captures with a twin whose finding of the mended cause tells no estimate)."""
    twins = {(s.name, s.view): s for s in seen}
    pairs, without = [], 0
    for s in seen:
        for suffix in (TWIN, NEARER):
            twin = twins.get((s.name + suffix, s.view))
            if not twin or twin.streams != s.streams:
                continue
            told = [f for f in s.findings if f[4][suffix] is not None and f[3] is not None]
            told = [f for f in told if s.main == f[0] or s.main not in {g[0] for g in told}][:1]
            without += not told
            for cause, stream, confidence, took, would in told:
                pairs.append(Pair(f"{s.name}/{s.view}", s.vantage, cause, took, would[suffix], twin.durations[stream], confidence))
    return pairs, without


def error(pair):
    return (pair.would - pair.twin) / pair.twin


def saved(pair):
    """The error in parts of what the connection took: what matters to who decides whether to mend it."""
    return abs(pair.would - pair.twin) / pair.took


def distribution(pairs):
    causes = sorted({p.cause for p in pairs})
    for cause in [*causes, None]:
        here = [p for p in pairs if cause in (p.cause, None)]
        errors = sorted(error(p) for p in here)
        sizes = sorted(abs(e) for e in errors)
        if not here:
            continue
        yield [cause or "all of them", len(here), f"{statistics.median(errors):+.0%}", f"{statistics.median(sizes):.0%}",
               f"{sizes[int(0.9 * (len(sizes) - 1))]:.0%}", share(sum(e <= NEAR for e in sizes), len(sizes)), share(sum(e <= ROUGH for e in sizes), len(sizes)),
               f"{errors[0]:+.0%} to {errors[-1]:+.0%}", f"{statistics.median(saved(p) for p in here):.1%}"]  # fmt: skip


def lines(measured):
    pairs, without = pairs_of([s for of_case in measured for s in of_case])
    yield f"{len(pairs)} captures with an estimate and a twin; {without} with a twin say no estimate."
    yield ""
    heads = ["cause", "captures", "median error", "median size", "90 % below", f"within {NEAR:.0%}", f"within {ROUGH:.0%}", "from, to", "of the time taken"]
    yield from table(heads, distribution(pairs))
    yield ""
    yield "The worst:"
    yield ""
    worst = sorted(pairs, key=lambda p: (-abs(error(p)), p.where))[:MOST_SHOWN]
    yield from table(["capture", "seen at the", "cause", "took, ms", "would take, ms", "twin took, ms", "error"],
                     [[p.where, p.vantage, p.cause, thousands(p.took), thousands(p.would), thousands(p.twin), f"{error(p):+.0%}"] for p in worst])  # fmt: skip
    yield ""
