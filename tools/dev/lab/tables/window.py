# SPDX-License-Identifier: MIT
"""When a sender's TCP was held by a full receive window, moment by moment, from the samples of its TCP_INFO."""
import bisect

import diary
import samples

WINDOWS = {"receive_window_limited", "zero_window"}
# The kernel's account of a limit grows in ticks, and a tick of HZ=250 may be split between two samples.
TICK_NS = 8_000_000


def grows(rows, i):
    """Did the kernel count at either end of a row that is too short to show more than a tick?"""
    near = rows[max(0, i - 1) : i + 2]
    return rows[i].until_ns - rows[i].time_ns <= TICK_NS and near[0].rwnd_limited_us < near[-1].rwnd_limited_us


def is_full(row):
    """Nothing but silly-window avoidance's remainder is left of the window, and data waits for more.

    The kernel counts this only from its next attempt to send (tcp_write_xmit), which a burst that one write ended may lack.
    """
    in_flight = row.bytes_sent - row.bytes_retrans - row.bytes_acked
    return row.notsent > 0 and row.snd_wnd - in_flight < row.snd_mss


class Held:
    """One sender, with what diary.fit_ms() asks of it: for how long its window was full ("full")."""

    def __init__(self, rows):
        self.begins_ns, self.ends_ns = rows[0].time_ns, rows[-1].until_ns
        self.since = [row.time_ns for row in rows]
        self.full = [is_full(row) or grows(rows, i) for i, row in enumerate(rows)]

    duration = diary.Program.duration


def paced_sides(truth):
    """Where BBR sends: it paces by what the window let pass before, and meets the window's edge once a round trip only."""
    flows = truth.get("set_up", {}).get("flows", [])
    return {side for flow in flows for side in ("client", "server") if flow.get(f"{side}_options", {}).get("congestion") == "bbr"}


def sampled(truth):
    """By client port and side: whose samples are there, also of those that nothing is said of here."""
    return {((c["local"] if c["role"] == "client" else c["peer"])[1], c["role"])
            for c in truth["connections"] if c.get("samples") and (c["role"] == "client" or "peer" in c)}  # fmt: skip


def senders(truth):
    """By client port and side, of the kernel's own connections on ports that were used once."""
    found, twice, paced = {}, set(), paced_sides(truth)
    for c in truth["connections"]:
        if "samples" not in c or c.get("stack") or c["role"] in paced or not (c["role"] == "client" or "peer" in c):
            continue
        key = (c["local"] if c["role"] == "client" else c["peer"])[1], c["role"]
        rows = samples.rows(c["samples"])
        twice |= {key} & set(found)
        if rows and "rwnd_limited_us" in rows[0]._fields:
            found[key] = Held(rows)
    return {key: held for key, held in found.items() if key not in twice}


def right_ms(span, first_ns, view, host, held, way_ns):
    """How much of what is charged to a window was held by it; None: beyond the samples."""
    fits = diary.fit_ms(span, "full", first_ns, view, host, held, way_ns)
    if fits is None:
        return None
    ms = span["to_ms"] - span["from_ms"]
    return ms if ms - fits <= diary.SLACK_MS else min(ms, fits)
