# SPDX-License-Identifier: MIT
"""Kinds of retransmission against the kernels' own counters (nstat), of both hosts of a scenario together."""
import collections

from .markdown import share, table

HEADING = "repairs"
# Tolerance within which the kernel's counters and ours agree.
CLOSE = 1
MOST_SHOWN = 25
OPTION_SACK = 2  # TCPI_OPT_SACK
KINDS = {
    "fast": ("fast", "TCPFastRetrans"),
    "probes": ("tail loss probes", "TCPLossProbes"),
    "timeouts": ("timeouts", "TCPTimeouts"),
    "after_timeouts": ("after timeouts", "TCPSlowStartRetrans"),
    "spurious": ("not needed", "TCPDSACKRecvSegs"),
}
ALONE = ("TCPLostRetransmit", "TCPSpuriousRTOs", "TCPLossUndo", "TCPFullUndo", "TCPPartialUndo", "TCPDSACKRecv", "TCPDSACKOldSent", "TCPDSACKOfoSent")

Row = collections.namedtuple("Row", "where vantage kind ours kernel")


def of_kernels(truth):
    """Counts by kind. The timer of a SYN counts as a timeout at the client; a SYN/ACK's does not at the server. A probe with
    new data is no retransmission, though the kernel counts it as a probe."""
    counts = {kind: sum(host.get(f"TcpExt{name}", 0) for host in truth["nstat"].values()) for kind, (_, name) in KINDS.items()}
    client = truth["nstat"].get("client", {})
    counts["timeouts"] -= min(client.get("TcpExtTCPTimeouts", 0), client.get("TcpExtTCPSynRetrans", 0))
    resent = sum(host.get("TcpRetransSegs", 0) - host.get("TcpExtTCPSynRetrans", 0) for host in truth["nstat"].values())
    counts["probes"] = min(counts["probes"], max(0, resent - counts["fast"] - counts["after_timeouts"] - counts["timeouts"]))
    return counts


def with_dsack(truth):
    """Without SACK and D-SACK nobody tells the kernel what was not needed."""
    if any(keys.get("net.ipv4.tcp_dsack") == 0 for keys in truth.get("set_up", {}).get("sysctl", {}).values()):
        return False
    infos = [c["info"] for c in truth["connections"] if "info" in c]
    return bool(infos) and all(info.get("options", 0) & OPTION_SACK for info in infos)


def end_of(case, view):
    """At the end that sent more again, or at the other one."""
    resent = {end: counts.get("TcpRetransSegs", 0) for end, counts in case.truth["nstat"].items()}
    if view == "middle":
        return view
    sender = max(resent, key=resent.get) if len(set(resent.values())) > 1 else case.sender()
    return "sender" if view == sender else "receiver"


def measure(case):
    """Rows, and the counters that have no counterpart. Another TCP than Linux's keeps no such counters."""
    if not case.truth.get("nstat") or case.truth.get("set_up", {}).get("stack") or case.truth.get("capture_drops"):
        return [], {}
    kernel, told = of_kernels(case.truth), with_dsack(case.truth)
    rows = []
    for view, document in case.documents.items():
        for kind, n in kernel.items():
            if kind != "spurious" or told:
                ours = sum(s["repairs"][kind] for s in document["streams"])
                rows.append(Row(f"{case.name}/{view}", end_of(case, view), kind, ours, n))
    return rows, {name: sum(h.get(f"TcpExt{name}", 0) for h in case.truth["nstat"].values()) for name in ALONE}


def counted(rows):
    for kind, (words, counter) in KINDS.items():
        for vantage in ("sender", "receiver", "middle"):
            here = [r for r in rows if r.kind == kind and r.vantage == vantage]
            some = [r for r in here if r.ours or r.kernel]
            near = [r for r in some if abs(r.ours - r.kernel) <= CLOSE]
            less, more = (sum(max(0, sign * (r.ours - r.kernel)) for r in here) for sign in (-1, 1))
            yield [words, vantage, len(here), len(some), sum(r.ours for r in here), f"{counter} {sum(r.kernel for r in here):,}", less, more,
                   sum(r.ours == r.kernel for r in some), len(near), share(len(near), len(some))]  # fmt: skip


def lines(measured):
    rows = [row for of_case, _ in measured for row in of_case]
    heads = ["kind", "seen at the", "captures", "with any", "ours", "kernels", "missed", "too many", "equal", "within one", "share"]
    yield from table(heads, counted(rows))
    totals = {name: sum(alone.get(name, 0) for _, alone in measured) for name in ALONE}
    yield ""
    yield "Counters without a counterpart: " + ", ".join(f"{name} {n:,}" for name, n in totals.items()) + "."
    far = sorted((r for r in rows if r.vantage != "middle" and abs(r.ours - r.kernel) > CLOSE), key=lambda r: (-abs(r.ours - r.kernel), r.where, r.kind))
    yield ""
    yield f"The largest differences from the two ends ({len(far)} differ by more than one):"
    yield ""
    yield from table(["capture", "seen at the", "kind", "ours", "kernels", "difference"],
                     [[r.where, r.vantage, KINDS[r.kind][0], r.ours, r.kernel, f"{r.ours - r.kernel:+}"] for r in far[:MOST_SHOWN]])  # fmt: skip
    yield ""
