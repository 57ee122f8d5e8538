# SPDX-License-Identifier: MIT
"""The two captures of a connection against each other: for how long is each certain of what the other one is certain is something else."""
import collections

from .markdown import share, table, thousands

HEADING = "ends"
# Of a connection's life; below it are clocks, ticks, and the edges of a round trip.
MATERIAL = 0.05
MOST_SHOWN = 25
# What each end sees alike, but shifted by the way.
SHIFTED = {"wire", "handshake", "close", "reset"}

Row = collections.namedtuple("Row", "where life_ms ms here there")


def sure(stream):
    sums = collections.Counter()
    for r in stream["ledger"]:
        if r["confidence"] == "certain":
            sums["shifted" if r["cause"] in SHIFTED else f"{r['cause']} of {r['direction']}"] += r["ms"]
    return sums


def most(sums):
    return ", ".join(f"{what} {ms:.0f} ms" for what, ms in sums.most_common(2)) or "-"


def measure(case):
    """The least time of which it must be so: what one is certain of beyond the other, of the smaller of the two."""
    of_port = collections.defaultdict(lambda: collections.defaultdict(list))
    for view in ("client", "server"):
        for stream in case.documents[view]["streams"] if view in case.documents else ():
            of_port[stream["client"]][view].append(stream)
    rows = []
    for client, views in of_port.items():
        if any(len(views[view]) != 1 for view in ("client", "server")):
            continue
        one, other = (sure(views[view][0]) for view in ("client", "server"))
        life_ms = max(views[view][0]["duration_ms"] for view in views)
        ms = min((one - other).total(), (other - one).total())
        rows.append(Row(f"{case.name} :{client.rsplit(':', 1)[1]}", life_ms, ms, most(one - other), most(other - one)))
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
