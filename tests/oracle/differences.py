# SPDX-License-Identifier: MIT
"""The class of a difference in docs/tshark-differences.md, or None.

A class is a name with a rule here and a section of that name in the document.
"""

import tshark

# What hides its inner packets: tshark decrypts with keys that the capture carries, or decompresses.
SEALED_LAYERS = {"wg", "ipcomp"}
TIMES = {"frame.time_epoch", "tcp.analysis.ack_rtt", "tcp.analysis.initial_rtt", "tcp.analysis.rto"}
LABELS_OF_A_SYN = {"tcp.analysis.initial_rtt", "tcp.analysis.reused_ports"}
SYN = 0x02
SEEN_SYN = 1

# Nanoseconds that tshark's floating point may lose in a time, and so in the difference of two.
TICKS_NS = 2


def layers_below_tcp(row):
    layers = row["frame.protocols"].split(":")
    return layers[:layers.index("tcp")] if "tcp" in layers else layers


def stream_of(row):
    return row["tcp.stream"].split(tshark.SEPARATOR)[0]


def unseen(row):
    """Why tcpwhy sees no TCP in a frame in which tshark does."""
    layers = layers_below_tcp(row)
    if row["tcp.srcport"].count(tshark.SEPARATOR) or "sflow" in layers:
        return "packets-in-packets"
    if "icmp" in layers or "icmpv6" in layers:
        return "icmp-quotes"
    if row["ip.fragment.count"] or row["ipv6.fragment.count"] or "ipv6.fraghdr" in layers:
        return "ip-fragments"
    if SEALED_LAYERS & set(layers):
        return "sealed-tunnels"
    if not row["tcp.window_size"]:
        return "header-cut"
    return None


def overflows(row):
    """A record whose microseconds are no fraction of a second."""
    return len(row["frame.time_epoch"].partition(".")[2]) > 9


def nanoseconds(text):
    seconds, _, fraction = text.partition(".")
    return int(seconds or 0) * 10**9 + int(fraction.ljust(9, "0"))


def differ_by_a_tick(field, row, ours):
    theirs = row[field].split(tshark.SEPARATOR)[0]
    return bool(theirs and ours[field]) and abs(nanoseconds(theirs) - nanoseconds(ours[field])) <= TICKS_NS


class Capture:
    """What the frames of a file before the present one tell of tshark's view."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.netxray = file.read(4) == b"XCP\0"
        self.holed = set()        # tshark's streams that hold a frame which tcpwhy does not see
        self.streams = {}         # tcpwhy's streams -> tshark's
        self.announced = set()    # tshark's streams that another protocol announced
        self.started = set()
        self.syn_at_zero = set()
        self.overflown = set()
        self.socks = False        # tshark's SOCKS dissector counts a stream of its own

    def see(self, row, ours):
        """Take note of a frame, before its differences are judged."""
        stream = stream_of(row)
        self.socks = self.socks or "socks" in row["frame.protocols"]
        if not ours:
            self.holed.add(stream)
            return
        self.streams.setdefault(ours["tcp.stream"], stream)
        if stream not in self.started and float(row["frame.time_epoch"] or 1) == 0:
            self.syn_at_zero.add(stream)
        if overflows(row):
            self.overflown.add(stream)
        if stream in self.started and self.lacks_only_syn(row, ours):
            self.announced.add(stream)
        self.started.add(stream)

    @staticmethod
    def lacks_only_syn(row, ours):
        theirs = row["tcp.completeness"].split(tshark.SEPARATOR)[0]
        return theirs.isdigit() and int(theirs) | SEEN_SYN == int(ours["tcp.completeness"]) != int(theirs)

    def renumbered(self, row, ours):
        """tshark's number for the stream is the larger, and the same for all of its frames."""
        theirs = stream_of(row)
        return self.streams[ours["tcp.stream"]] == theirs and int(theirs) > int(ours["tcp.stream"])

    def classify(self, field, row, ours):
        """The class of a difference in one field of a frame that both see."""
        stream = stream_of(row)
        if field == "tcp.stream" and self.renumbered(row, ours):
            return "streams-renumbered" if self.socks else None
        if not row["tcp.len"] and field in LABELS_OF_A_SYN and int(row["tcp.flags"] or "0", 16) & SYN:
            return "bad-header"
        if stream in self.holed:
            return "after-unseen-frames"
        if field == "tcp.completeness" and stream in self.announced:
            return "announced-streams"
        if stream in self.syn_at_zero:
            return "epoch-zero"
        if field in TIMES and self.netxray and differ_by_a_tick(field, row, ours):
            return "netxray-ticks"
        if field in TIMES and stream in self.overflown:
            return "time-overflow"
        if row["_ws.malformed"] and field.startswith("tcp.analysis"):
            return "malformed-options"
        if "mptcp" in row["frame.protocols"] and field.startswith("tcp.analysis"):
            return "mptcp"
        return None
