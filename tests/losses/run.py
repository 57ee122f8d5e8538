#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY LAB: retransmission counts in captures at the sender match the sender's kernel.

Exact numbers in total and by trigger: duplicate ACKs (TCPFastRetrans), tail loss probes (TCPLossProbes), RTO
(TCPTimeouts) and slow start after it (TCPSlowStartRetrans). SYNs are counted separately.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

KINDS = {"fast": "TCPFastRetrans", "probes": "TCPLossProbes", "timeouts": "TCPTimeouts", "after_timeouts": "TCPSlowStartRetrans"}


def counted(tool, capture, side):
    """What we count of one side's retransmissions: all of them, and those of data by kind."""
    doc = json.loads(subprocess.run([tool, "--json", capture], capture_output=True, check=True).stdout)
    return (sum(s["retransmissions"] for s in doc["streams"]),
            {kind: sum(s["repairs"][kind] for s in doc["streams"]) for kind in KINDS})


def problems(tool, folder, side):
    kernel = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["nstat"]
    other = kernel["server" if side == "client" else "client"].get("TcpRetransSegs", 0)
    if other or not kernel[side].get("TcpRetransSegs"):
        return None
    ext = {name: kernel[side].get(f"TcpExt{name}", 0) for name in [*KINDS.values(), "TCPSynRetrans"]}
    frames, kinds = counted(tool, folder / f"{side}.pcap", side)
    wrong = [] if frames == kernel[side]["TcpRetransSegs"] else [f"{frames} frames, the kernel says {kernel[side]['TcpRetransSegs']}"]
    if ext["TCPSynRetrans"]:
        return wrong
    # A probe sends new data where there is some (RFC 8985, 7.3): the kernel counts it, but nothing was sent again.
    fits = {kind: kinds[kind] == ext[name] or (kind == "probes" and kinds[kind] < ext[name]) for kind, name in KINDS.items()}
    wrong += [] if sum(kinds.values()) == frames else [f"{kinds} do not add up to {frames}"]
    return wrong + [f"{kind}: {kinds[kind]}, the kernel says {ext[name]}" for kind, name in KINDS.items() if not fits[kind]]


def main():
    tool, lab = sys.argv[1], pathlib.Path(sys.argv[2])
    if not lab.is_dir():
        skip_all(f"no {lab}")
    with Tap() as tap:
        for folder in sorted(p.parent for p in lab.glob("*/truth.json")):
            for side in ("client", "server"):
                found = problems(tool, folder, side)
                if found is not None:
                    tap.check(f"{folder.name}: the {side}'s retransmissions are those of its kernel, kind by kind", found)


if __name__ == "__main__":
    main()
