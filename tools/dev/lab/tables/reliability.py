# SPDX-License-Identifier: MIT
"""How often what is said with a confidence is right: verdicts by count, and a ledger's time where the truth of a span is known."""
import collections
import json

import check
import diary
from . import case as cases
from . import window
from .markdown import share, table, thousands

HEADING = "reliability"
CONFIDENCES = ("certain", "likely", "ambiguous")
AIMS = {"certain": 99.7, "likely": 85, "ambiguous": 90}
FULL_WINDOW = "full receive window (kernel)"
# The kernel counts what it was limited by in ticks, and each connection may be off by two.
TICK_MS = 8

# Truths that the programs noted; the others are totals of a connection, or only show that a cause was possible.
BY_DIARY = " (diary)"

# `what` is said and how we know; `said` and `right` are verdicts or milliseconds.
Row = collections.namedtuple("Row", "what confidence vantage said right where")


def of_verdicts(case):
    for view, document in case.documents.items() if case.expected else ():
        verdict = document["verdict"]
        causes = [verdict["cause"]] + [verdict["rival"]] * (verdict["confidence"] == "ambiguous")
        right = any(cases.is_right(case.expected, view, verdict, c) for c in causes)
        what = "healthy" if verdict["cause"] in check.HEALTHY else "trouble"
        yield Row(what, verdict["confidence"], case.vantage(view), 1, int(right), f"{case.name}/{view}")


def judged(span, first_ns, view, captures, of_port, port, way_ns):
    """(what, ms, ms that were so) of a span by the diaries, or None. Of an ambiguous one both causes must be known of."""
    causes = [span["cause"]] + [span["rival"]] * (span["confidence"] == "ambiguous")
    fits = []
    for cause in causes:
        as_if = span | {"cause": cause}
        who = diary.PROGRAM.get(cause, span["direction"])
        program = of_port.get((port, who))
        what = diary.about(as_if)
        if not program or not what:
            return None
        fits.append(diary.fit_ms(as_if, what, first_ns, view, captures[who], program, way_ns))
    if None in fits:
        return None
    ms = span["to_ms"] - span["from_ms"]
    right = ms if ms - max(fits) <= diary.SLACK_MS else max(fits)
    kind = "the program's own time" if diary.about(span) == "own" else "data that TCP held"
    return kind, ms, right


def of_diaries(case):
    if not any(c.get("diary") for c in case.truth["connections"]) or "set_up" not in case.truth:
        return
    # A program that has TCP pace what it writes limits itself, and its diary does not say so.
    paced = "pacing" in json.dumps(case.truth["set_up"]["flows"])
    captures = {view: diary.Capture(case.tool, path, view) for view, path in case.paths.items()}
    of_port = diary.programs(case.truth, captures)
    way_ns = int(sum(way["delay_us"] for way in case.truth["set_up"]["link"].values()) * 1000)
    for view, document in case.documents.items():
        for stream in document["streams"]:
            port = int(stream["client"].rsplit(":", 1)[1])
            for span in stream["spans"] if not paced else ():
                found = judged(span, document["capture"]["first_ns"], captures[view], captures, of_port, port, way_ns)
                if found:
                    yield found[0], span, view, found[1], found[2]


def infos_of(truth):
    """The kernel's account of each sender, by client port and side, of ports that were used once.

    Its sndbuf_limited_us is no truth: it starts only when TCP finds its queue empty while the writer sleeps already
    (tcp_cwnd_validate), and is near nothing where a full buffer holds a connection all the time.
    """
    found, seen = {}, collections.Counter()
    for c in truth["connections"]:
        if "info" in c and not c.get("stack") and (c["role"] == "client" or "peer" in c):
            key = (c["local"] if c["role"] == "client" else c["peer"])[1], c["role"]
            seen[key] += 1
            found[key] = c["info"]
    return {key: info for key, info in found.items() if seen[key] == 1}


def allotted(ledger, causes, sender, most_ms):
    """(confidence, ms, ms that the kernel counted too): what is surer is held against its count first."""
    left = most_ms
    for confidence in CONFIDENCES[:2]:
        ms = sum(r["ms"] for r in ledger if r["cause"] in causes and r["direction"] == sender and r["confidence"] == confidence)
        yield confidence, ms, min(ms, left)
        left = max(0, left - ms)


def of_windows(case, senders):
    """The spans of senders that were sampled, moment by moment."""
    captures = {view: diary.Capture(case.tool, path, view) for view, path in case.paths.items()} if senders else {}
    way_ns = int(sum(way.get("delay_us", 0) for way in case.truth.get("set_up", {}).get("link", {}).values()) * 1000)
    sums = collections.defaultdict(lambda: [0, 0])
    for view, document in case.documents.items() if senders else ():
        for stream in document["streams"]:
            port = int(stream["client"].rsplit(":", 1)[1])
            for span in stream["spans"]:
                held, host = senders.get((port, span["direction"])), captures.get(span["direction"])
                if span["cause"] not in window.WINDOWS or not held or not host:
                    continue
                right = window.right_ms(span, document["capture"]["first_ns"], captures[view], host, held, way_ns)
                if right is not None:
                    of_row = sums[span["confidence"], view]
                    of_row[0] += span["to_ms"] - span["from_ms"]
                    of_row[1] += right
    for (confidence, view), (ms, right) in sums.items():
        if confidence in CONFIDENCES[:2]:
            yield Row(FULL_WINDOW, confidence, case.vantage(view), ms, right, f"{case.name}/{view}")


def of_kernels(case, sampled):
    """Totals of a connection; the window's of those in `sampled` are known better."""
    link = case.truth.get("set_up", {}).get("link", {})
    infos = infos_of(case.truth)
    for view, document in case.documents.items():
        ports = collections.Counter(s["client"] for s in document["streams"])
        for stream in document["streams"]:
            ledger, port = stream["ledger"], int(stream["client"].rsplit(":", 1)[1])
            for sender in cases.ENDS:
                info = infos.get((port, sender))
                if not info or ports[stream["client"]] > 1:
                    continue
                limits = [("loss, where the kernel sent again", {"loss_recovery"}, 1e12 * bool(info["total_retrans"]))]
                if (port, sender) not in sampled:
                    limits.append((FULL_WINDOW, window.WINDOWS, info["rwnd_limited_us"] / 1e3 + TICK_MS))
                if link:
                    way = link["b2a" if sender == "server" else "a2b"]
                    limited = "rate_bps" in way or "tc" in str(case.truth["set_up"].get("setup", ""))
                    limits.append(("full path, where it has a rate", {"bandwidth_limited"}, 1e12 * limited))
                for what, causes, most_ms in limits:
                    for confidence, ms, right in allotted(ledger, causes, sender, most_ms):
                        if ms:
                            yield Row(what, confidence, case.vantage(view), ms, right, f"{case.name}/{view}")


def measure(case):
    sums = collections.defaultdict(lambda: [0, 0])
    for what, span, view, ms, right in of_diaries(case):
        of_row = sums[what, span["cause"], span["confidence"], view]
        of_row[0] += ms
        of_row[1] += right
    by_diary = [Row(what + BY_DIARY, confidence, case.vantage(view), said, right, f"{case.name}/{view} {cause}")
                for (what, cause, confidence, view), (said, right) in sums.items()]  # fmt: skip
    held = list(of_windows(case, window.senders(case.truth)))
    return list(of_verdicts(case)), by_diary + held + list(of_kernels(case, window.sampled(case.truth)))


def summed(rows, key):
    sums = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        of_row = sums[key(r)]
        of_row[0] += r.said
        of_row[1] += r.right
    return sums


def verdict_lines(rows):
    """Also what the test of the cases prints."""
    sums = summed(rows, lambda r: r.confidence)
    troubles = summed([r for r in rows if r.what == "trouble"], lambda r: r.confidence)
    by_place = {place: summed([r for r in rows if r.vantage == place], lambda r: r.confidence) for place in ("sender", "receiver", "middle")}
    body = []
    for confidence in CONFIDENCES:
        (said, right), (of_trouble, right_trouble) = sums[confidence], troubles[confidence]
        places = [share(by_place[p][confidence][1], by_place[p][confidence][0]) for p in by_place]
        body.append([confidence, said, right, share(right, said), f"{AIMS[confidence]} %", f"{right_trouble} of {of_trouble}", *places])
    return table(["verdicts", "said", "right", "share", "aim", "of a trouble alone", "sender", "receiver", "middle"], body)


def time_lines(rows):
    sums = summed(rows, lambda r: (r.what, r.confidence))
    body = []
    for what in sorted({r.what for r in rows}):
        for confidence in CONFIDENCES:
            said, right = sums[what, confidence]
            if said:
                body.append([what, confidence, thousands(said / 1e3), thousands(right / 1e3), share(right, said), f"{AIMS[confidence]} %"])
    for confidence in CONFIDENCES:
        said, right = (sum(sums[what, confidence][i] for what in {r.what for r in rows if r.what.endswith(BY_DIARY)}) for i in (0, 1))
        body.append(["all that the diaries know", confidence, thousands(said / 1e3), thousands(right / 1e3), share(right, said), f"{AIMS[confidence]} %"])
    return table(["a ledger's time, and how it is known", "confidence", "said, s", "right, s", "share", "aim"], body)


def lines(measured):
    verdicts = [row for of_case in measured for row in of_case[0]]
    times = [row for of_case in measured for row in of_case[1]]
    return [*verdict_lines(verdicts), "", *time_lines(times), ""]
