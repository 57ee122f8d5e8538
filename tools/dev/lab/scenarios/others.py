# SPDX-License-Identifier: MIT
"""Hosts that are no default pair: receivers that tell less, senders that recover otherwise; paths that stall, mark and police."""
from .build import download, exchanges, flow, link, scenario, upload

LOSSY = ["loss_recovery", "congestion_window_limited"]
FULL = ["send_buffer_limited", "receive_window_limited", "zero_window", "nagle_hold", "nagle_delayed_ack", "app_limited"]
# Sysctls switched off on both hosts, by name. DSACK is sent by the receiver alone.
WITHOUT = {
    "dsack": ["tcp_dsack"], "dsack_ts": ["tcp_dsack", "tcp_timestamps"], "sack": ["tcp_sack"], "sack_ts": ["tcp_sack", "tcp_timestamps"],
    "ts": ["tcp_timestamps"], "nothing": [],
}  # fmt: skip


def off(what):
    return {"both": {f"net.ipv4.{name}": 0 for name in WITHOUT[what]}}


def needless_repairs():
    """Nothing is lost: what is sent again had only been late, and receivers tell of it in fewer and fewer words."""
    sure = {"never": ["mtu_black_hole"], "never_certain": ["loss_recovery", "server_think", "client_think", "app_limited", "send_buffer_limited"]}
    for what in WITHOUT:
        yield scenario(f"reorder12ms_without_{what}", "congestion_window_limited", "server", [download(2_000_000)],
                       link(20, down={"reorder": 0.03, "reorder_us": 12_000}), sysctl=off(what),
                       alternatives=["slow_start", "bandwidth_limited", "receive_window_limited", "loss_recovery"],
                       blind={side: ["send_buffer_limited", "app_limited"] for side in ("client", "server")},
                       never_certain=["send_buffer_limited"])  # fmt: skip
        for side, way in (("down", ""), ("up", "_ack")):
            still = {"still_from_us": 500_000, "still_to_us": 1_000_000}
            yield scenario(f"stall500{way}_without_{what}", "bandwidth_limited", "server", [download(4_000_000)],
                           link(20, 20, 400_000, **{side: still}), sysctl=off(what), blind={"client": ["app_limited", "send_buffer_limited"]}, **sure)  # fmt: skip
            still = {"still_from_us": 100_000, "still_to_us": 700_000}
            yield scenario(f"stall600_reply{way}_without_{what}", "loss_recovery", None, [exchanges(8)], link(20, **{side: still}), sysctl=off(what),
                           alternatives=["none"], **sure)  # fmt: skip


def marks():
    """Routers mark and do not drop (RFC 3168)."""
    ecn = {"both": {"net.ipv4.tcp_ecn": 1}}
    for rate, rtt, threshold in ((20, 20, 20_000), (20, 60, 30_000), (20, 40, 10_000)):
        for cc in ("cubic", "reno"):
            yield scenario(f"ecn{rate}_rtt{rtt}_{threshold // 1000}k_{cc}", "congestion_window_limited", "server",
                           [download(rate * 125_000 * 3, server_options={"congestion": cc})],
                           link(rtt, rate, 2_000_000, down={"mark_bytes": threshold}), sysctl=ecn,
                           alternatives=["bandwidth_limited"], never=[*FULL, "loss_recovery"])  # fmt: skip
    yield scenario("ecn_upload", "congestion_window_limited", "client", [upload(6_000_000)], link(60, 20, 2_000_000, up={"mark_bytes": 20_000}),
                   sysctl=ecn, alternatives=["bandwidth_limited"], never=[*FULL, "loss_recovery"])  # fmt: skip


def policers():
    """Nothing queues: what is above the rate is dropped."""
    for rate, burst, rtt in ((10, 15_000, 20), (20, 60_000, 40), (5, 6000, 10)):
        yield scenario(f"police{rate}_{burst // 1000}k_rtt{rtt}", "loss_recovery", "server", [download(rate * 125_000 * 3)],
                       link(rtt, down={"rate_bps": rate * 1e6, "police_bytes": burst}), alternatives=LOSSY, never=FULL)  # fmt: skip
    # BBR paces below its window: the kernel had the window full for 302 of 4,212 ms.
    yield scenario("bbr_police8_rtt30", "pacing", "server", [download(4_000_000, server_options={"congestion": "bbr"})],
                   link(30, down={"rate_bps": 8e6, "police_bytes": 60_000}), alternatives=["bandwidth_limited", "loss_recovery"],
                   never_certain=["congestion_window_limited"])  # fmt: skip


def buffers_and_loss():
    """Which of both holds the flight changes with each loss."""
    for size, rtt, loss in ((32, 20, 0.01), (32, 50, 0.003), (64, 20, 0.003), (16, 20, 0.02), (128, 50, 0.001)):
        amount = int(size * 1024 * min(80, 4000 / rtt))
        yield scenario(f"sndbuf{size}k_rtt{rtt}_loss{int(loss * 1000)}", "send_buffer_limited", "server",
                       [download(amount, 16384, server_options={"sndbuf": size * 1024})], link(rtt, down={"loss": loss}),
                       alternatives=LOSSY, never=["receive_window_limited", "zero_window"])  # fmt: skip
        yield scenario(f"rcvbuf{size}k_rtt{rtt}_loss{int(loss * 1000)}", "receive_window_limited", "client",
                       [download(amount, client_options={"rcvbuf": size * 1024})], link(rtt, down={"loss": loss}),
                       alternatives=LOSSY, never=["send_buffer_limited", "zero_window"])  # fmt: skip


def senders():
    """Loss recovery without its newer parts."""
    for name, value in (("tcp_recovery", 0), ("tcp_early_retrans", 0), ("tcp_frto", 0), ("tcp_reordering", 20)):
        yield scenario(f"loss2_{name}{value}", "loss_recovery", "server", [download(2_000_000)], link(20, down={"loss": 0.02}),
                       sysctl={"server": {f"net.ipv4.{name}": value}}, alternatives=LOSSY,
                       never=["send_buffer_limited", "zero_window", "app_limited"])  # fmt: skip
        yield scenario(f"loss_exchanges_{name}{value}", "loss_recovery", "server", [exchanges(100, reply=[4000])], link(20, down={"loss": 0.02}),
                       sysctl={"server": {f"net.ipv4.{name}": value}}, never=["send_buffer_limited", "zero_window", "server_think"])  # fmt: skip
    old = {"both": {f"net.ipv4.{name}": 0 for name in ("tcp_sack", "tcp_timestamps", "tcp_recovery", "tcp_early_retrans")}}
    yield scenario("loss2_reno_of_old", "loss_recovery", "server", [download(2_000_000, server_options={"congestion": "reno"})],
                   link(20, down={"loss": 0.02}), sysctl=old, alternatives=LOSSY, never=["send_buffer_limited", "zero_window"])  # fmt: skip


def ways():
    """Paths that are not alike in both directions, or not from moment to moment."""
    uneven = {"down": {"delay_us": 90_000}, "up": {"delay_us": 10_000}}
    yield scenario("way_down90_up10", "slow_start", "server", [download(1_000_000)], link(20, **uneven),
                   never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    yield scenario("way_down90_up10_exchanges", "none", None, [exchanges(10)], link(20, **uneven), never=["server_think", "loss_recovery"])
    for jitter in (5000, 15_000):
        both = {"down": {"jitter_us": jitter}, "up": {"jitter_us": jitter}}
        yield scenario(f"jitter{jitter // 1000}_rcvbuf64k", "receive_window_limited", "client",
                       [download(3_000_000, client_options={"rcvbuf": 65536})], link(30, **both), never=["send_buffer_limited"])  # fmt: skip


def long_lives():
    for side in ("client", "server"):
        keep = {f"{side}_options": {"keepalive": 1, "keepidle": 1, "keepintvl": 1}}
        yield scenario(f"keep_alive_4s_{side}", "client_idle", "client", [exchanges(3, idle_ms=4000, **keep)], link(20), alternatives=["none"],
                       never=["loss_recovery", "server_think"])  # fmt: skip
    half = flow([["begin"], ["write", 60_000], ["shutdown"], ["read", 300_000], ["end"]], [["read", 60_000], ["write", 300_000]])
    yield scenario("half_closed_loss", "loss_recovery", "server", [half], link(30, down={"loss": 0.03}), alternatives=[*LOSSY, "slow_start"],
                   never=["send_buffer_limited"])  # fmt: skip


def smaller_segments():
    """Hosts that have learned a path MTU keep to smaller segments than their SYNs agreed on."""
    learned = {side: [f"ip route replace 10.9.0.0/24 dev eth0 mtu 1400 advmss 1460 src 10.9.0.{n}"] for n, side in enumerate(("client", "server"), 1)}
    for rtt in (10, 60):
        yield scenario(f"learned_mtu_loss1_rtt{rtt}", "congestion_window_limited", "server", [download(1_500_000)], link(rtt, down={"loss": 0.01}),
                       setup=learned, alternatives=LOSSY, never=[*FULL[:-1], "mtu_black_hole"])  # fmt: skip
        yield scenario(f"learned_mtu_sndbuf_rtt{rtt}", "send_buffer_limited", "server", [download(4_000_000, 16384, server_options={"sndbuf": 40_000})],
                       link(rtt), setup=learned, never=["mtu_black_hole", "loss_recovery"], never_certain=["app_limited"])  # fmt: skip
        yield scenario(f"learned_mtu_steady_rtt{rtt}", "app_limited", "server",
                       [flow([["write", 10], ["read", 16384 * 100]], [["read", 10], ["paced_write", 16384, 21, 100]], server_options={"nodelay": 1})],
                       link(rtt), setup=learned, never=["send_buffer_limited", "mtu_black_hole", "nagle_hold"])  # fmt: skip


def table():
    for family in (needless_repairs, marks, policers, buffers_and_loss, senders, ways, long_lives, smaller_segments):
        yield from family()
