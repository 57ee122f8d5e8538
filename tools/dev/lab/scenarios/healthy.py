# SPDX-License-Identifier: MIT
"""Traffic in which nobody would find anything wrong, and traffic that only looks sick."""
from .build import download, exchanges, flow, link, name_ms, scenario, upload

QUIET = ["nagle_hold", "nagle_delayed_ack", "delayed_ack", "cork_hold", "send_buffer_limited", "loss_recovery", "zero_window"]


def small_exchanges():
    for rtt in (0.3, 2, 7, 15, 50, 120, 250):
        yield scenario(f"healthy_rtt{name_ms(rtt)}", "none", None, [exchanges(20 if rtt < 100 else 8)], link(rtt), never=QUIET)
    for size in (1, 1448, 1449, 5000, 14000):
        yield scenario(f"healthy_reply{size}_rtt15", "none", None, [exchanges(20, reply=[size])], link(15), never=QUIET)
    for size in (1448, 3000, 14000):
        yield scenario(f"healthy_request{size}_rtt15", "none", None, [exchanges(20, request=[size], reply=[200])], link(15), never=QUIET)


def transfers():
    for size in (50_000, 1_000_000):
        yield scenario(f"healthy_download{size // 1000}k_lan", "none", None, [download(size)], link(0.3),
                       alternatives=["slow_start", "bandwidth_limited"], never=QUIET)  # fmt: skip
        yield scenario(f"healthy_upload{size // 1000}k_lan", "none", None, [upload(size)], link(0.3),
                       alternatives=["slow_start", "bandwidth_limited"], never=QUIET)  # fmt: skip


def stacks():
    """The same without options that most hosts have."""
    for key, short in (("tcp_timestamps", "no_timestamps"), ("tcp_sack", "no_sack"), ("tcp_window_scaling", "no_scaling")):
        yield scenario(f"healthy_{short}", "none", None, [exchanges(20)], link(15),
                       sysctl={"both": {f"net.ipv4.{key}": 0}}, never=QUIET)  # fmt: skip
    yield scenario("healthy_ipv6", "none", None, [exchanges(20)], link(15), family="6", never=QUIET)
    yield scenario("healthy_quickack", "none", None,
                   [flow([["quickack", 1], *exchanges(20)["client"]], [["quickack", 1], *exchanges(20)["server"][:-1]])], link(15), never=QUIET)  # fmt: skip
    yield scenario("healthy_offload", "none", None, [exchanges(20, reply=[30000])], link(0.3), offload=True, never=QUIET)
    yield scenario("healthy_jumbo", "none", None, [exchanges(20, reply=[30000])], link(2), mtu=9000, never=QUIET)


def connections():
    yield scenario("many_short_rtt2", "none", None, [exchanges(1, connections=200)], link(2), one_by_one=True, never=QUIET)
    yield scenario("many_short_parallel_rtt15", "none", None, [exchanges(1, connections=300, stagger_ms=4)], link(15), never=QUIET)
    server_closes = exchanges(1, connections=50) | {"client": [["write", 100], ["read", 1000], ["drain"]], "server": [["read", 100], ["write", 1000]]}
    yield scenario("server_closes_rtt7", "none", None, [server_closes], link(7), one_by_one=True, never=QUIET)
    pipelined = flow([["repeat", 10, ["begin"], *[["write", 100]] * 5, ["read", 5000], ["end"]]],
                     [["repeat", 50, ["read", 100], ["write", 1000]]],
                     client_options={"nodelay": 1}, server_options={"nodelay": 1})  # fmt: skip
    yield scenario("pipelined_rtt7", "none", None, [pipelined], link(7), never=QUIET)


def network_oddities():
    """The network does strange things that cost nothing."""
    yield scenario("duplicates_rtt7", "none", None, [exchanges(40)], link(7, down={"duplicate": 0.3}), never=QUIET)
    yield scenario("ack_loss_rtt7", "none", None, [download(400_000)], link(7, up={"ack_loss": 0.1}),
                   alternatives=["slow_start"], never=["loss_recovery", "send_buffer_limited"])  # fmt: skip
    yield scenario("jitter_rtt15", "none", None, [exchanges(40)], link(15, down={"jitter_us": 6000}, up={"jitter_us": 6000}),
                   never=QUIET)  # fmt: skip
    for extra_us in (300, 1500):
        yield scenario(f"reorder_{extra_us}us_rtt20", "bandwidth_limited", "server", [download(6_000_000)],
                       link(20, 40, 400_000, down={"reorder": 0.02, "reorder_us": extra_us}),
                       alternatives=["slow_start", "none", "congestion_window_limited"], never=["send_buffer_limited"])  # fmt: skip


def table():
    for family in (small_exchanges, transfers, stacks, connections, network_oddities):
        yield from family()
