#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY ROOT: damaged captures do not lead to wrong certain verdicts.

Each capture of ROOT is damaged in the usual ways: frames missing, one direction only, duplicate frames, a missing
beginning, clock jumps, both ends in one file. What is still certain must be true, the ledger must add up, and the
quality must report the damage.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
import sanitizer  # noqa: E402
import verdicts  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

HEALTHY = {"none", "wire", "handshake", "close"}
CLIENT = bytes([10, 9, 0, 1])
# Beyond this a file says nothing new here and takes long under the sanitizers.
LARGEST_BYTES = 1_300_000
# A host takes so long for its own part, and nobody is blamed wrongly for it.
MATERIAL_MS = 30


def drop_one_percent(records, _):
    chance = random.Random(len(records))
    return [r for r in records if chance.random() >= 0.01]


def only_client(records, _):
    return [r for r in records if pcapfile.source_address(r) == CLIENT]


def only_server(records, _):
    return [r for r in records if pcapfile.source_address(r) != CLIENT]


def twice(records, _):
    """As on a bridge: the copy a few microseconds later."""
    return sorted([r for r in records] + [r._replace(ns=r.ns + 4_000) for r in records], key=lambda r: r.ns)


def data_only(records, _):
    """As a filter by the length of the payload leaves them."""
    return [r for r in records if pcapfile.payload_length(r)]


def without_the_first_40(records, _):
    return records[40:]


def came_late(records, others):
    """What comes in is stamped 200 us late, as of a queue that is polled: so much that windows open behind what they let go."""
    there = {identity(r): r.ns for r in others}
    own = {pcapfile.source_address(r) for r in records if there.get(identity(r), 0) > r.ns}
    return sorted([r if pcapfile.source_address(r) in own else r._replace(ns=r.ns + 200_000) for r in records], key=lambda r: r.ns)


def clock(step_ns):
    def jump(records, _):
        middle = len(records) // 2
        return records[:middle] + [r._replace(ns=r.ns + step_ns) for r in records[middle:]]
    return jump


def answers_itself(records):
    """Are there more than two hosts, some of which speak to each other all the same, or frames that are not told apart?"""
    pairs = {(pcapfile.source_address(r), r.packet[30:34]) for r in records}
    return any(not source or (to, source) in pairs for source, to in pairs)


def identity(record):
    """What routers leave as it is of an IPv4 packet, and ends do not say twice: its identification, and all from the addresses on."""
    return record.packet[18:20] + record.packet[26:]


def merged(ahead_ns):
    """As mergecap does; the others' clock is ahead."""
    return lambda records, others: sorted(records + [r._replace(ns=r.ns + ahead_ns) for r in others], key=lambda r: r.ns)


def on_the_way(share):
    """At a box so much of the shortest way off: what comes in passes it sooner, what goes out later."""
    def move(records, others):
        there = {identity(r): r.ns for r in others}
        ways = [(there[identity(r)] - r.ns, pcapfile.source_address(r)) for r in records if identity(r) in there]
        off_ns = int(share * min((abs(ns) for ns, _ in ways), default=0))
        own = {address for ns, address in ways if ns > 0}
        return sorted([r._replace(ns=r.ns + (off_ns if pcapfile.source_address(r) in own else -off_ns)) for r in records], key=lambda r: r.ns)
    return move


# name, what is done to the frames and those of the other end, what the summary must then tell (None: it depends on the capture), causes
# that are told all the same
TOLD_EVEN_SO = {"bandwidth_limited", "receive_window_limited", "loss_recovery", "server_think", "send_buffer_limited", "nagle_delayed_ack"}

WAYS = [
    ("with 1 % of the records gone", drop_one_percent, None, ()),
    ("with the client's frames only", only_client, "one_direction", ()),
    ("with the server's frames only", only_server, "one_direction", ()),
    ("with data only", data_only, None, ()),
    ("with each frame twice", twice, "duplicated_frames", ()),
    ("merged with the other end's", merged(0), None, ()),
    ("merged with the other end's, whose clock is 30 ms late", merged(-30 * 10**6), None, ()),
    ("merged with the other end's, whose clock is 2 s early", merged(2 * 10**9), None, ()),
    ("a fifth of the way to the other end", on_the_way(0.2), None, TOLD_EVEN_SO),
    ("four fifths of the way to the other end", on_the_way(0.8), None, TOLD_EVEN_SO),
    ("without the first 40 records", without_the_first_40, None, {"receive_window_limited"}),
    ("with what comes in stamped late", came_late, None, TOLD_EVEN_SO - {"loss_recovery"}),
    ("with a clock that steps back 2 s", clock(-2 * 10**9), "clock_steps_back", ()),
    ("with a clock that steps back 0.7 s", clock(-7 * 10**8), "clock_steps_back", TOLD_EVEN_SO - {"loss_recovery"}),  # a step as long as a repair hides it
    ("with a clock that leaps 5 s forth", clock(5 * 10**9), None, TOLD_EVEN_SO),
]


def hold(tool, folder, truth, side, way):
    """Problems of one spoiled capture."""
    _, spoil, fact, told = way
    header, records = pcapfile.read(folder / f"{side}.pcap")
    other = "server" if side == "client" else "client"
    spoiled = spoil(records, pcapfile.read(folder / f"{other}.pcap")[1])
    if not spoiled:
        return []
    done = subprocess.run([tool, "--json", "-"], input=pcapfile.write(header, spoiled), capture_output=True, timeout=120, check=False)
    where = f"{folder.name} from the {side}"
    if done.returncode:
        return [f"{where}: exit {done.returncode}: {done.stderr.decode(errors='replace')[:1500]}"]
    document = json.loads(done.stdout)
    verdict, expected = document["verdict"], truth["expected"]
    want = HEALTHY | {expected["primary"], *expected.get("alternatives", [])}
    problems = [f"{where}: {text}" for text in verdicts.always(document)]
    if verdict["confidence"] == "certain" and verdict["cause"] not in want:
        problems.append(f"{where}: certain of {verdict['cause']} ({verdict['cost_ms']:.0f} ms), it is {expected['primary']}")
    problems += [f"{where}: certain of {f['cause']} ({f['cost_ms']:.0f} ms), which it never is" for f in document["findings"]
                 if f["confidence"] == "certain" and f["cost_ms"] > MATERIAL_MS and f["cause"] in expected.get("never", [])]
    if expected["primary"] in told and verdict["cause"] not in want:
        problems.append(f"{where}: {verdict['cause']}, and no longer {expected['primary']}")
    # Connections that were never answered have one direction, or two frames, by nature.
    one_way = fact != "one_direction" or not answers_itself(spoiled)
    if fact and one_way and expected["primary"] != "connect_refused" and document["capture"]["tcp_frames"] and fact not in verdicts.facts(document)["quality"]:
        problems.append(f"{where}: the summary does not tell of {fact}")
    return problems


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if not root.is_dir():
        skip_all(f"no {root.name} captures here")
    captures = [(folder, truth, side) for folder, truth in verdicts.scenarios(root) for side in verdicts.SIDES
                if (folder / f"{side}.pcap").stat().st_size <= LARGEST_BYTES]
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for turn, way in enumerate(WAYS):
            some = sanitizer.some(captures, tool, turn)
            problems = list(pool.map(lambda c: hold(tool, *c, way), some))
            tap.check(f"{len(some)} captures {way[0]} bring no false certainty", sum(problems, []))


if __name__ == "__main__":
    main()
