#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spans.py TCPWHY ROOT: certain verdicts do not change if only the capture changes.

Each capture of ROOT is modified without changing what happened: missing SYN/ACKs, one missing ACK, SYNs truncated by
the snap length, an extra frame in front. Where both captures are certain, they name the same cause and party.
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
import sanitizer  # noqa: E402
import verdicts  # noqa: E402
from run import LARGEST_BYTES  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

SYN, SYN_ACK, FIN_SYN_RST = 0x02, 0x12, 0x07
# Shorter than the options of a SYN over Ethernet: 74 bytes with those of Linux.
SHORT_BYTES = 66
# Contradictions that cost less in all are left alone: a round trip at the border of two causes.
WORTH_MS = 25
# No verdict is none that could contradict.
SILENT = {"capture_gap", "unknown"}


def tcp_flags_and_payload(record):
    """(flags, payload bytes), None for what is no TCP over IPv4 (Ethernet only)."""
    p = record.packet
    if p[12:14] != b"\x08\x00" or len(p) < 54 or p[23] != 6:
        return None
    header = 4 * (p[14] & 15)
    return p[14 + header + 13], struct.unpack_from(">H", p, 16)[0] - header - 4 * (p[14 + header + 12] >> 4)


def without_syn_acks(records):
    return [r for r in records if not (t := tcp_flags_and_payload(r)) or t[0] & SYN_ACK != SYN_ACK]


def without_one_ack(records):
    pure = [i for i, r in enumerate(records) if (t := tcp_flags_and_payload(r)) and t[1] == 0 and not t[0] & FIN_SYN_RST]
    gone = pure[len(pure) // 3] if pure else None
    return [r for i, r in enumerate(records) if i != gone]


def short_syns(records):
    return [r._replace(packet=r.packet[:SHORT_BYTES]) if (t := tcp_flags_and_payload(r)) and t[0] & SYN else r for r in records]


def behind_a_later_frame(records):
    """One that is no TCP; times count from it."""
    other = records[0].packet[:12] + b"\x88\xb5" + bytes(46)
    return [records[0]._replace(ns=records[-1].ns + 1_000_000, original=len(other), packet=other)] + records


# name, what is done, and of which captures: those whose verdict is one of these; None: all
WAYS = [
    ("without SYN/ACKs", without_syn_acks, None),
    ("with SYNs that the snap length cut", short_syns, None),
    ("behind a frame of a later time", behind_a_later_frame, None),
    ("without one ACK", without_one_ack, {"nagle_delayed_ack", "nagle_hold"}),
]


def explain(tool, header, records):
    done = subprocess.run([tool, "explain", "--json", "-"], input=pcapfile.write(header, records), capture_output=True, timeout=120, check=False)
    if done.returncode:
        raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:1500]}")
    return json.loads(done.stdout)


def certain_spans(document):
    """{ends: [(from, to, what)]}, nanoseconds since the epoch."""
    begin, out = document["capture"]["first_ns"] or 0, {}
    for s in document["streams"]:
        spans = out.setdefault((s["client"], s["server"]), [])
        spans += [(begin + x["from_ms"] * 1e6, begin + x["to_ms"] * 1e6, (x["cause"], x["party"])) for x in s["spans"]
                  if x["confidence"] == "certain" and x["cause"] not in SILENT]
    return out


@functools.lru_cache(maxsize=None)
def as_it_is(tool, path):
    """(file header, records, cause of the verdict, certain spans)"""
    header, records = pcapfile.read(path)
    document = explain(tool, header, records)
    return header, records, document["verdict"]["cause"], certain_spans(document)


def contradictions(before, after):
    """{(cause and party before, after): ms}"""
    out = {}
    for ends, spans in after.items():
        for a_from, a_to, a in spans:
            for b_from, b_to, b in before.get(ends, []):
                both = min(a_to, b_to) - max(a_from, b_from)
                if a != b and both > 0:
                    out[b, a] = out.get((b, a), 0) + both / 1e6
    return out


def hold(tool, folder, side, way):
    """Problems of one changed capture."""
    _, change, only = way
    where = f"{folder.name} from the {side}"
    try:
        header, records, verdict, before = as_it_is(tool, folder / f"{side}.pcap")
        if only and verdict not in only:
            return []
        after = certain_spans(explain(tool, header, change(records)))
    except ValueError as error:
        return [f"{where}: {error}"]
    found = contradictions(before, after)
    return [f"{where}: certain of {a[0]} ({a[1]}) for {ms:.0f} ms that were {b[0]} ({b[1]})" for (b, a), ms in found.items() if ms >= WORTH_MS]


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if not root.is_dir():
        skip_all(f"no {root.name} captures here")
    captures = [(folder, side) for folder, _ in verdicts.scenarios(root) for side in verdicts.SIDES
                if (folder / f"{side}.pcap").stat().st_size <= LARGEST_BYTES]
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for turn, way in enumerate(WAYS):
            some = sanitizer.some(captures, tool, turn)
            problems = list(pool.map(lambda c: hold(tool, *c, way), some))
            tap.check(f"{len(some)} captures {way[0]} contradict none as it was", sum(problems, []))


if __name__ == "__main__":
    main()
