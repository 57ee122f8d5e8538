# SPDX-License-Identifier: MIT
"""Paths that are no steady pipe with a queue: policers, short queues, radio, thin ways back, damage, and links that many share."""
from .build import download, exchanges, link, scenario, upload

# Nobody at the ends holds anything up. (The window does for a moment, until the kernel has tuned it.)
INNOCENT = ["server_think", "client_think", "client_idle", "app_limited", "send_buffer_limited", "zero_window", "nagle_hold",
            "nagle_delayed_ack", "cork_hold"]  # fmt: skip
SLOW = ["bandwidth_limited", "loss_recovery", "congestion_window_limited"]
OFF, ECN = {"net.ipv4.tcp_timestamps": 0}, {"net.ipv4.tcp_ecn": 1}
STACKS = {"cubic": {}, "bbr": {}, "cubic_no_ts": OFF, "bbr_no_ts": OFF}
STILL = {"still_from_us": 900_000, "still_to_us": 1_200_000}
DARK = {"dark_from_us": 900_000, "dark_to_us": 1_200_000}


def alike(rtt_ms, rate_mbit=0, queue=150_000, **more):
    return link(rtt_ms, rate_mbit, queue, down=more, up=more)


def thin(**more):
    """A way back with a seventieth of the rate."""
    return link(30, 20, 200_000, up={"rate_bps": 256e3, "queue_bytes": 15_000} | more)


# name: path, megabits a second that pass down and up, and what a transfer waits for.
PATHS = {
    "police8": (alike(20, rate_bps=8e6, police_bytes=12_000), (8, 8), "loss_recovery"),
    "police20": (alike(40, rate_bps=20e6, police_bytes=200_000), (20, 20), "loss_recovery"),
    "codel10": (alike(30, 10, 1_000_000, codel_us=5000), (10, 10), "bandwidth_limited"),
    "codel40_ecn": (alike(15, 40, 1_000_000, codel_us=5000), (40, 40), "bandwidth_limited"),
    "gather4": (alike(10, 30, 300_000, gather_us=4000), (30, 30), "bandwidth_limited"),
    "gather12": (alike(30, 10, 300_000, gather_us=12_000), (10, 10), "bandwidth_limited"),
    "radio200": (alike(40, 50, 400_000, low_bps=2e6, change_us=200_000), (12, 12), "bandwidth_limited"),
    "wifi100": (alike(10, 50, 200_000, low_bps=4e6, change_us=100_000, gather_us=3000), (15, 15), "bandwidth_limited"),
    "outage300": (alike(40, 15, 400_000, **STILL), (15, 15), "bandwidth_limited"),
    "dark300": (alike(40, 15, 400_000, **DARK), (15, 15), "bandwidth_limited"),
    "thin_up": (thin(), (10, 0.25), "bandwidth_limited"),
    "thin_up_filter": (thin(ack_filter=1), (15, 0.25), "bandwidth_limited"),
    "filter": (link(30, 10, 150_000, up={"rate_bps": 1e6, "queue_bytes": 60_000, "ack_filter": 1, "gather_us": 5000}), (10, 1), "bandwidth_limited"),
    "damage1": (alike(25, damage=0.01), (6, 6), "loss_recovery"),
    "damage3": (alike(10, 30, 200_000, damage=0.03), (8, 8), "loss_recovery"),
}  # fmt: skip


def hosts(stack, path=""):
    """What a flow and a scenario need for a stack."""
    congestion = {"congestion": stack.split("_")[0]}
    return ({"client_options": congestion, "server_options": congestion},
            {"sysctl": {"both": STACKS[stack] | (ECN if path.endswith("ecn") else {})}, "never_certain": INNOCENT})  # fmt: skip


def transfers(name, path, rates, cause, stacks):
    for way, at, flow_of, rate, stack in (("down", "server", download, rates[0], stacks[0]), ("up", "client", upload, rates[1], stacks[1])):
        options, more = hosts(stack, name)
        yield scenario(f"path_{name}_{way}_{stack}", cause, at, [flow_of(int(rate * 125_000 * 2.5), **options)], path,
                       alternatives=SLOW + ["none", "slow_start"] * ("bbr" in stack), **more)  # fmt: skip


def messages(name, path, stacks):
    """Small answers, larger ones, and some that are thought about."""
    lossy = ["loss_recovery"] if name.startswith(("dark", "damage", "outage", "police", "codel")) else []
    options, more = hosts(stacks[2], name)
    yield scenario(f"path_{name}_turns_{stacks[2]}", "none", None, [exchanges(30, reply=[400], **options)], path, alternatives=lossy, **more)
    if "thin" not in name:  # there the client cannot see that requests stand behind its ACKs
        options, more = hosts("cubic", name)
        yield scenario(f"path_{name}_pages", "none", None, [exchanges(12, request=[500], reply=[30_000], **options)], path,
                       alternatives=[*SLOW, "slow_start"], **more)  # fmt: skip
    options, more = hosts(stacks[3], name)
    more["never_certain"] = [c for c in INNOCENT if c != "server_think"]
    yield scenario(f"path_{name}_thinks_{stacks[3]}", "server_think", "server", [exchanges(12, reply=[6000], think_ms=120, **options)], path,
                   alternatives=lossy, contains=["server_think"], **more)  # fmt: skip


def shared():
    """Connections of one client over one link, each with others' segments before its own in the queue."""
    mixes = [
        (10, 30, [download(4_000_000, connections=2), exchanges(15, reply=[8000], idle_ms=40, port=9001, connections=3, start_ms=100)]),
        (5, 20, [exchanges(8, request=[400], reply=[40_000], connections=6, stagger_ms=15)]),
        (20, 40, [download(6_000_000), upload(3_000_000, port=9001), exchanges(20, port=9002, idle_ms=30, connections=4, start_ms=200)]),
    ]  # fmt: skip
    for stack in STACKS:
        options, more = hosts(stack)
        for rate, rtt, flows in mixes:
            yield scenario(f"shared{rate}_rtt{rtt}_{stack}", "bandwidth_limited", "10.9.0.", [f | options for f in flows], link(rtt, rate, rate * 10_000),
                           alternatives=[*SLOW, "none", "slow_start"], **more)  # fmt: skip


def distances():
    """Nothing is wrong but the way: many round trips one after the other, and a few long ones."""
    for count, rtt, think in ((120, 70, 0), (40, 150, 3)):
        yield scenario(f"trips{count}_rtt{rtt}", "round_trips", "client", [exchanges(count, reply=[400], think_ms=think)], link(rtt),
                       never=INNOCENT)  # fmt: skip
    for count, rtt, think in ((3, 400, 0), (1, 700, 20)):
        yield scenario(f"trips{count}_rtt{rtt}", "path_latency", None, [exchanges(count, reply=[4000], think_ms=think)], link(rtt),
                       never=INNOCENT)  # fmt: skip


def table():
    for i, (name, (path, rates, cause)) in enumerate(PATHS.items()):
        stacks = [list(STACKS)[(i + k) % len(STACKS)] for k in range(4)]
        yield from transfers(name, path, rates, cause, stacks)
        yield from messages(name, path, stacks)
    yield from shared()
    yield from distances()
