# SPDX-License-Identifier: MIT
"""Thin ways to the server that the client fills itself: its questions stand there behind its own uploads, or its own ACKs, on other connections."""
from .build import download, exchanges, link, scenario, upload
from .paths import INNOCENT, OFF, SLOW

THINK = 300

# Megabits a second up, milliseconds of round trip and of queue.
UPLINKS = [(1, 30, 240), (2, 120, 250), (5, 15, 160), (20, 40, 80), (50, 8, 30)]


def uplink(rate_mbit, rtt_ms, queue_ms):
    return link(rtt_ms, 4 * rate_mbit, 400_000, up={"rate_bps": rate_mbit * 1e6, "queue_bytes": int(rate_mbit * 125 * queue_ms)})


def asking(think_ms, **more):
    return exchanges(10, request=[200], reply=[1500], think_ms=think_ms, idle_ms=50, port=9001, connections=3, stagger_ms=70, **more)


def stacks():
    yield "ts", {}
    yield "no_ts", {"sysctl": {"both": OFF}}


def behind_uploads(name, path, busy, more):
    """Both ends see that the way is full, and whose it is."""
    yield scenario(f"{name}_turns", "bandwidth_limited", "10.9.0.", [asking(0, start_ms=700), *busy], path, alternatives=[*SLOW, "none", "slow_start"],
                   never_certain=INNOCENT, **more)  # fmt: skip
    # Think time longer than the queueing delay is certain.
    patient = [c for c in INNOCENT if c != "server_think"]
    yield scenario(f"{name}_thinks", "server_think", "server", [asking(THINK, start_ms=700), *busy], path, alternatives=[*SLOW, "slow_start"],
                   contains=["server_think"], never_certain=patient, **more)  # fmt: skip


def table():
    for rate, rtt, queue_ms in UPLINKS:
        for stack, more in stacks():
            busy = [upload(int(rate * 125_000 * 4))]
            yield from behind_uploads(f"uplink{rate}_rtt{rtt}_{stack}", uplink(rate, rtt, queue_ms), busy, more)
    for stack, more in stacks():
        path = link(30, 20, 200_000, up={"rate_bps": 256e3, "queue_bytes": 15_000})
        yield from behind_uploads(f"thin_acks_{stack}", path, [download(8_000_000)], more)
