# SPDX-License-Identifier: MIT
"""Scenarios by chance: paths, buffers, flows, readers and writers that nobody thought of. A number gives the same one each time.

Nothing is expected of them but what the kernel itself says afterwards (account.py).
"""
import math
import random

from scenarios.build import MBIT, flow, scenario

# A connection is shut down after this, whatever it still has to say.
UNTIL_MS = 6000
# Bytes a second that the hosts manage where the cable has no limit.
UNLIMITED = 4e7


class Dice(random.Random):
    def log(self, low, high):
        """Small values as often as large ones."""
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def maybe(self, probability):
        return self.random() < probability


def troubles(d):
    """What one way does to frames, beside delay and rate."""
    kinds = [
        (0.2, lambda: {"loss": d.log(0.0005, 0.03)}),
        (0.1, lambda: {"ack_loss": d.log(0.01, 0.2)}),
        (0.05, lambda: {"burst": d.log(0.0005, 0.005), "burst_length": d.randint(2, 30)}),
        (0.15, lambda: {"jitter_us": d.log(100, 20_000)}),
        (0.1, lambda: {"reorder": d.log(0.001, 0.05), "reorder_us": d.log(100, 20_000)}),
        (0.04, lambda: {"duplicate": d.log(0.001, 0.02)}),
        (0.05, lambda: {"mark_bytes": 30_000}),
        (0.05, lambda: {"codel_us": 5000}),
        (0.05, lambda: {"gather_us": d.log(500, 15_000)}),
        (0.05, lambda: {"low_bps": d.log(0.5, 5) * MBIT, "change_us": d.log(50_000, 500_000)}),
        (0.05, lambda: {"ack_filter": 1}),
        (0.03, lambda: {"damage": d.log(0.0005, 0.02)}),
    ]
    return {k: v for probability, kind in kinds if d.maybe(probability) for k, v in kind().items()}


def path(d):
    rtt_ms, rate = d.log(1, 300), 0 if d.maybe(0.3) else d.log(1, 200) * MBIT
    both = {"delay_us": rtt_ms * 500}
    if rate:
        both |= {"rate_bps": rate, "queue_bytes": int(max(10 * 1514, rate / 8 * rtt_ms / 1e3 * d.log(0.1, 8)))}
    return rtt_ms, rate, {way: both | troubles(d) | {"seed": d.randrange(1 << 30)} for way in ("a2b", "b2a")}


def amount(d, rtt_ms, rate):
    """Bytes of a transfer that takes a second or two: slow start takes its round trips, too."""
    budget = rate / 8 if rate else min(UNLIMITED, 15_000 * 2 ** min(12, 1500 / rtt_ms))
    return max(30_000, int(budget * d.log(0.1, 1.5)))


def writes(d, n):
    """Steps that write about so much, and how much that is."""
    kind = d.random()
    if kind < 0.35:
        return [["write", n]], n
    if kind < 0.8:
        return [["write_chunks", n, d.choice([1000, 1460, 4096, 8192, 16384, 65536] if n < 3e6 else [8192, 65536])]], n
    chunk, period_ms = int(d.log(2000, 200_000)), d.log(1, 100)
    count = max(1, min(60, n // chunk, int(2500 / period_ms)))
    return [["paced_write", chunk, period_ms, count]], chunk * count


def message(d, n):
    """The same, with pauses in the middle at times."""
    steps, total = [], 0
    parts = d.choice([1, 1, 1, 2, 3])
    for i in range(parts):
        more, size = writes(d, max(1, n // parts))
        steps += [["sleep", d.log(5, 600)]] * bool(i) + more
        total += size
    return steps, total


def reads(d, n):
    kind = d.random()
    if kind < 0.82:
        return [["read", n]]
    if kind < 0.92:
        pause_ms = d.log(1, 200)
        return [["slow_read", n, max(int(d.log(4096, 300_000)), int(n * pause_ms / 2500) + 1), pause_ms]]
    first = int(n * d.random())
    return [["read", first], ["sleep", d.log(50, 1500)], ["read", n - first]]


def options(d):
    buffers = {name: int(d.log(4096, 500_000)) for name in ("sndbuf", "rcvbuf") if d.maybe(0.15)}
    return buffers | {"congestion": d.choice(["cubic"] * 6 + ["reno"] * 3 + ["bbr"])}


def habits(d):
    return [[verb, 1] for probability, verb in ((0.4, "nodelay"), (0.05, "quickack"), (0.01, "cork")) if d.maybe(probability)]


def one_flow(d, port, rtt_ms, rate):
    n, kind, client, server = amount(d, rtt_ms, rate), d.random(), habits(d), habits(d)
    count, request = 1, [int(d.log(20, 3000)) for _ in range(d.choice([1, 1, 2]))]
    think_ms, idle_ms = (d.log(1, 300) if d.maybe(0.4) else 0 for _ in range(2))
    if kind < 0.2:
        steps, total = message(d, n)
        return flow([*client, *steps, ["read", 10]], [*server, *reads(d, total), ["write", 10]], port=port)
    if kind > 0.55:
        count = max(2, min(d.randint(2, 25), int(3000 / (think_ms + idle_ms + 2 * rtt_ms + 1))))
        n = int(max(20, min(n / count, d.log(100, 400_000))))
    steps, total = message(d, n)
    client += [["repeat", count, *(["write", size] for size in request), *reads(d, total), ["sleep", idle_ms]]]
    server += [["repeat", count, ["read", sum(request)], ["sleep", think_ms], *steps]]
    return flow(client, server, port=port)


def throw(number):
    d = Dice(number)
    rtt_ms, rate, link = path(d)
    flows = [one_flow(d, 9000 + i, rtt_ms, rate) for i in range(d.choice([1, 1, 1, 1, 1, 2, 3, 4]))]
    for f in flows:
        f |= {"start_ms": d.choice([0, d.log(10, 800)]), "client_options": options(d), "server_options": options(d)}
    stacks = d.choice([{}] * 9 + [{"net.ipv4.tcp_timestamps": 0}, {"net.ipv4.tcp_sack": 0}])
    return scenario(f"dice{number:05}", "none", "client", flows, link, sysctl={"both": stacks}, offload=d.maybe(0.1),
                    seconds=15, until_ms=UNTIL_MS, linger_ms=100 + int(rtt_ms))  # fmt: skip


def table(first, last):
    return [throw(number) for number in range(first, last + 1)]
