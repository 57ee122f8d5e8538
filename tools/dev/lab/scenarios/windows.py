# SPDX-License-Identifier: MIT
"""Windows and buffers: who keeps the number of bytes in flight down when the path could carry more."""
from .build import download, exchanges, flow, link, name_ms, scenario, upload

UNSCALED = {"net.ipv4.tcp_window_scaling": 0}


def receive_buffers():
    for size, rtt in ((16, 7), (16, 50), (32, 15), (64, 2), (64, 50), (128, 50), (128, 120), (256, 50), (256, 120)):
        # Long enough that the ceiling, not the first round trips, fills the time.
        amount = int(size * 1024 * min(60, max(20, 2500 / rtt)))
        yield scenario(f"rcvbuf{size}k_rtt{rtt}", "receive_window_limited", "client",
                       [download(amount, client_options={"rcvbuf": size * 1024})], link(rtt), never=["send_buffer_limited"])  # fmt: skip
    yield scenario("rcvbuf64k_upload_rtt30", "receive_window_limited", "server",
                   [upload(4_000_000, server_options={"rcvbuf": 65536})], link(30), never=["send_buffer_limited"])  # fmt: skip
    for rtt in (20, 50, 120):
        yield scenario(f"no_scaling_rtt{rtt}", "receive_window_limited", "client", [download(int(65535 * 2500 / rtt))], link(rtt),
                       sysctl={"both": UNSCALED}, never=["send_buffer_limited"])  # fmt: skip
    yield scenario("no_scaling_upload_rtt50", "receive_window_limited", "server", [upload(3_000_000)], link(50),
                   sysctl={"server": UNSCALED}, never=["send_buffer_limited"])  # fmt: skip
    yield scenario("rcvbuf64k_no_timestamps", "receive_window_limited", "client", [download(3_000_000, client_options={"rcvbuf": 65536})],
                   link(30), sysctl={"both": {"net.ipv4.tcp_timestamps": 0}}, never=["send_buffer_limited"])  # fmt: skip
    yield scenario("rcvbuf64k_ipv6", "receive_window_limited", "client", [download(3_000_000, client_options={"rcvbuf": 65536})],
                   link(30), family="6", never=["send_buffer_limited"])  # fmt: skip
    yield scenario("rcvbuf64k_rate_matters_not", "receive_window_limited", "client", [download(4_000_000, client_options={"rcvbuf": 65536})],
                   link(40, 100, 1_000_000), never=["send_buffer_limited"])  # fmt: skip


def send_buffers():
    for size, rtt in ((8, 7), (8, 50), (32, 7), (32, 20), (32, 50), (100, 20), (100, 50), (100, 120)):
        # In chunks, as programs write: Linux lets a single huge write overrun the buffer many times over.
        amount = size * 1024 * 60
        for rate in (0, 300):
            yield scenario(f"sndbuf{size}k_rtt{rtt}" + "_300mbit" * bool(rate), "send_buffer_limited", "server",
                           [download(amount, 16384, server_options={"sndbuf": size * 1024})], link(rtt, rate, 2_000_000),
                           never=["zero_window", "loss_recovery"] + ["receive_window_limited"])  # fmt: skip
    for size, rtt in ((16, 20), (64, 50)):
        yield scenario(f"sndbuf{size}k_upload_rtt{rtt}", "send_buffer_limited", "client",
                       [upload(size * 1024 * 60, 16384, client_options={"sndbuf": size * 1024})], link(rtt),
                       never=["receive_window_limited", "zero_window", "loss_recovery"])  # fmt: skip
    yield scenario("sndbuf32k_ipv6", "send_buffer_limited", "server", [download(5_000_000, 16384, server_options={"sndbuf": 32768})], link(20),
                   family="6", never=["receive_window_limited"])  # fmt: skip
    yield scenario("sndbuf32k_reno", "send_buffer_limited", "server",
                   [download(5_000_000, 16384, server_options={"sndbuf": 32768, "congestion": "reno"})], link(20), never=["receive_window_limited"])  # fmt: skip
    yield scenario("sndbuf32k_bbr", "send_buffer_limited", "server",
                   [download(5_000_000, 16384, server_options={"sndbuf": 32768, "congestion": "bbr"})], link(20), never=["receive_window_limited"])  # fmt: skip
    # BBR spreads what it sends, and is silent all the same while the buffer is full. From afar that is what a program writes.
    yield scenario("sndbuf24k_bbr_upload_rtt150", "send_buffer_limited", "client",
                   [upload(700_000, 16384, client_options={"sndbuf": 24576, "congestion": "bbr"})], link(150), never=["receive_window_limited", "loss_recovery"],
                   blind={"server": ["app_limited"]})  # fmt: skip


def slow_readers():
    small = {"client_options": {"rcvbuf": 65536}}
    sleeper = flow([["begin"], ["write", 100], ["repeat", 3, ["sleep", 1000], ["read", 1_000_000]], ["end"]],
                   [["read", 100], ["write", 3_000_000]])  # fmt: skip
    for rtt in (0.3, 15, 50):
        yield scenario(f"reader_sleeps1s_rtt{name_ms(rtt)}", "zero_window", "client", [sleeper | small], link(rtt),
                       alternatives=["receive_window_limited"] if rtt > 0.3 else [], never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    yield scenario("reader_sleeps5s", "zero_window", "client",
                   [flow([["write", 100], ["sleep", 5000], ["read", 400_000]], [["read", 100], ["write", 400_000]], **small)],
                   link(7), never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    for chunk, pause in ((16384, 20), (4096, 5), (200_000, 300)):
        reader = flow([["begin"], ["write", 100], ["slow_read", chunk * int(3000 / pause), chunk, pause], ["end"]],
                      [["read", 100], ["write", chunk * int(3000 / pause)]])  # fmt: skip
        yield scenario(f"reader_{chunk // 1024}k_every{pause}", "receive_window_limited", "client", [reader | small], link(7),
                       alternatives=["zero_window"], never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    up = flow([["begin"], ["write", 2_000_000], ["read", 10], ["end"]],
              [["slow_read", 2_000_000, 20_000, 25], ["write", 10]], server_options={"rcvbuf": 65536})  # fmt: skip
    yield scenario("reader_slow_upload", "receive_window_limited", "server", [up], link(7), alternatives=["zero_window"],
                   never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    yield scenario("two_troubles", "zero_window", "client",
                   [flow([["write", 100], ["sleep", 4000], ["read", 400_000]], [["read", 100], ["write", 400_000]], **small),
                    exchanges(10, reply=[200, 600], port=9001)],
                   link(2), contains=["nagle_delayed_ack"])  # fmt: skip


def table():
    for family in (receive_buffers, send_buffers, slow_readers):
        yield from family()
