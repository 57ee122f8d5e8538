# SPDX-License-Identifier: MIT
"""The two captures of a connection against each other: for how long is each certain of what the other one is certain is something else."""
import bisect
import collections

from .case import ENDS
from .markdown import share, table, thousands

HEADING = "ends"
# Of a connection's life.
MATERIAL = 0.05
MOST_SHOWN = 25
# Causes that both ends see, shifted by the one-way delay.
WAY = {"wire", "handshake", "close", "reset"}

Row = collections.namedtuple("Row", "where life_ms ms here there")
# Times in milliseconds, where the data's sender is. `trip_ms`: the shortest round trip.
Span = collections.namedtuple("Span", "from_ms until_ms what certain")


def what_of(span):
    return "the way" if span["cause"] in WAY else f"{span['cause']} of {span['direction']}"


def spans_at_sender(view, document, stream, trip_ms):
    """A wait for the other end's data is seen one way later than it is there.

    Half of the way before it led there, and half leads back behind all that was waited for. The other end, which waits in turn,
    puts it together elsewhere.
    """
    first_ms, back_ms, ended = document["capture"]["first_ns"] / 1e6, 0, None
    for span in stream["spans"]:
        from_ms, until_ms = (first_ms + span[key] for key in ("from_ms", "to_ms"))
        far, certain = span["direction"] != view, span["confidence"] == "certain"
        if ended and (span["cause"] in WAY or span["direction"] != ended[1]):
            yield Span(ended[0] - back_ms, ended[0], "the way", True)
            ended = None
        if far and span["cause"] == "wire" and certain:
            back_ms = (until_ms - from_ms) / 2
            yield Span(from_ms, from_ms + back_ms, "the way", True)
            ended = until_ms, span["direction"]
            continue
        if ended:
            ended = until_ms, ended[1]
        shift_ms = trip_ms / 2 if far else 0
        yield Span(from_ms - shift_ms, until_ms - shift_ms, what_of(span), certain)
    if ended:
        yield Span(ended[0] - back_ms, ended[0], "the way", True)


def joined(times):
    """Times that touch or overlap, as one, in order."""
    out = []
    for from_ms, until_ms in sorted(times):
        if out and from_ms <= out[-1][1]:
            out[-1][1] = max(out[-1][1], until_ms)
        else:
            out.append([from_ms, until_ms])
    return out


def outside(span, times):
    """How much of a span lies in none of these times."""
    left_ms, i = span.until_ms - span.from_ms, max(0, bisect.bisect_left(times, [span.from_ms]) - 1)
    while i < len(times) and times[i][0] < span.until_ms:
        left_ms -= max(0, min(span.until_ms, times[i][1]) - max(span.from_ms, times[i][0]))
        i += 1
    return left_ms


def denied(one, other, trip_ms):
    """Time by cause of which one end is certain and that the other neither says nor doubts.

    Nobody knows how the round trip divides into two ways: either end may see a wait begin or end as much as one earlier or later,
    and the way itself on either side of a wait.
    """
    said, doubted = collections.defaultdict(list), []
    for s in other:
        slack_ms = trip_ms if s.what == "the way" else trip_ms / 2
        said[s.what].append((s.from_ms - slack_ms, s.until_ms + slack_ms))
        doubted += [(s.from_ms - trip_ms / 2, s.until_ms + trip_ms / 2)] * (not s.certain)
    agreed = {what: joined([*times, *doubted]) for what, times in said.items()}
    unsure, sums = joined(doubted), collections.Counter()
    for s in one:
        if s.certain and (left_ms := outside(s, agreed.get(s.what, unsure))) > 0:
            sums[s.what] += left_ms
    return sums


def most(sums):
    return ", ".join(f"{what} {ms:.0f} ms" for what, ms in sums.most_common(2)) or "-"


def measure(case):
    """For how long both are certain of different causes, of the two ends' answers the shorter one."""
    of_port = collections.defaultdict(lambda: collections.defaultdict(list))
    for view in ENDS:
        for stream in case.documents[view]["streams"] if view in case.documents else ():
            of_port[stream["client"]][view].append(stream)
    rows = []
    for client, views in of_port.items():
        if any(len(views[view]) != 1 for view in ENDS):
            continue
        streams = {view: views[view][0] for view in ENDS}
        trips = [s["rtt_us"]["min"] for s in streams.values() if s["rtt_us"].get("min")]
        trip_ms = min(trips, default=0) / 1e3
        here, there = (list(spans_at_sender(view, case.documents[view], streams[view], trip_ms)) for view in ENDS)
        alone = denied(here, there, trip_ms), denied(there, here, trip_ms)
        life_ms = max(s["duration_ms"] for s in streams.values())
        rows.append(Row(f"{case.name} :{client.rsplit(':', 1)[1]}", life_ms, min(a.total() for a in alone), *map(most, alone)))
    return rows


def lines(measured):
    rows = [r for of_case in measured for r in of_case]
    far = sorted((r for r in rows if r.life_ms and r.ms > MATERIAL * r.life_ms), key=lambda r: (-r.ms, r.where))
    total, apart = sum(r.life_ms for r in rows), sum(r.ms for r in rows)
    yield (f"Of {len(rows):,} connections captured at both ends, {len(far)} ({share(len(far), len(rows))}) are certain of different causes for more "
           f"than {MATERIAL:.0%} of their life; of all time, {share(apart, total)} ({apart / 1e3:,.0f} of {total / 1e3:,.0f} s).")  # fmt: skip
    yield ""
    yield from table(["connection", "life, ms", "apart, ms", "share", "client.pcap alone", "server.pcap alone"],
                     [[r.where, thousands(r.life_ms), thousands(r.ms), share(r.ms, r.life_ms), r.here, r.there] for r in far[:MOST_SHOWN]])  # fmt: skip
    yield ""
