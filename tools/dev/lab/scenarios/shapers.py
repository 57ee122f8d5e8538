# SPDX-License-Identifier: MIT
"""A host that shapes what it sends itself: `tc` holds it back before a capture on that host sees it."""
from .build import download, exchanges, link, scenario, upload

NO_TIMESTAMPS = {"both": {"net.ipv4.tcp_timestamps": 0}}
QUIET = ["app_limited", "send_buffer_limited", "nagle_hold", "nagle_delayed_ack", "zero_window", "receive_window_limited"]


def shaper(side, rate_mbit, latency_ms=300, burst_kb=5):
    return {side: [f"tc qdisc add dev eth0 root tbf rate {rate_mbit}mbit burst {burst_kb}k latency {latency_ms}ms"]}


def table():
    for rate, rtt in ((1, 0.3), (2, 20), (10, 0.3), (10, 30), (40, 10)):
        yield scenario(f"shaper{rate}_rtt{rtt}".replace(".", "p"), "bandwidth_limited", "server", [download(int(rate * 125_000 * 4))], link(rtt),
                       setup=shaper("server", rate), never_certain=QUIET)  # fmt: skip
        yield scenario(f"shaper{rate}_upload_rtt{rtt}".replace(".", "p"), "bandwidth_limited", "client", [upload(int(rate * 125_000 * 4))], link(rtt),
                       setup=shaper("client", rate), never_certain=QUIET)  # fmt: skip
    yield scenario("shaper10_rtt20_no_timestamps", "bandwidth_limited", "server", [download(5_000_000)], link(20), setup=shaper("server", 10),
                   sysctl=NO_TIMESTAMPS, blind={"server": ["app_limited"]}, never_certain=QUIET)  # fmt: skip
    yield scenario("shaper5_small_queue_rtt20", "bandwidth_limited", "server", [download(2_500_000)], link(20), setup=shaper("server", 5, latency_ms=10),
                   never_certain=QUIET)  # fmt: skip
    yield scenario("shaper5_bbr_rtt20", "bandwidth_limited", "server", [download(2_500_000)], link(20), setup=shaper("server", 5),
                   sysctl={"server": {"net.ipv4.tcp_congestion_control": "bbr"}}, never_certain=QUIET)  # fmt: skip
    yield scenario("shaper5_replies60k_rtt10", "bandwidth_limited", "server", [exchanges(10, reply=[60_000])], link(10), setup=shaper("server", 5),
                   never_certain=QUIET)  # fmt: skip
    yield scenario("shaper10_two_downloads_rtt10", "bandwidth_limited", "10.9.0.2", [download(3_000_000), download(3_000_000, port=9001)], link(10),
                   setup=shaper("server", 10), never_certain=QUIET)  # fmt: skip
