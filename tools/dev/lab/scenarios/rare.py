# SPDX-License-Identifier: MIT
"""Options and ends that few programs use: small amounts not yet sent, clamped windows, timeouts of the user, peers that vanish, ports used again."""
from .build import download, exchanges, flow, link, scenario, upload

NODELAY = {"client_options": {"nodelay": 1}, "server_options": {"nodelay": 1}}
QUIET = ["nagle_hold", "nagle_delayed_ack", "delayed_ack", "cork_hold", "send_buffer_limited", "loss_recovery", "zero_window"]
# Linux holds what is left behind partial segments until those are acknowledged.
BUSY = [c for c in QUIET if c not in ("nagle_hold", "send_buffer_limited")]
GONE = {"dark_from_us": 1_000_000, "dark_to_us": 60_000_000}


def writers():
    """Programs that say how much they want to have waiting, or that more comes."""
    for lowat in (4096, 16384, 131072):
        options = {"server_options": {"notsent_lowat": lowat}}
        yield scenario(f"lowat{lowat // 1024}k_rtt50", "slow_start", "server", [download(2_000_000, 16384, **options)], link(50),
                       never=["send_buffer_limited", "loss_recovery"])
        yield scenario(f"lowat{lowat // 1024}k_rate20", "bandwidth_limited", "server", [download(7_000_000, 16384, **options)], link(20, 20, 200_000),
                       alternatives=["congestion_window_limited", "loss_recovery"], never=["send_buffer_limited", "app_limited", "zero_window"])
        yield scenario(f"lowat{lowat // 1024}k_loss1", "loss_recovery", "server", [download(3_000_000, 16384, **options)], link(20,
                       down={"loss": 0.01}),
                       alternatives=["congestion_window_limited"], never=["send_buffer_limited", "zero_window"])
        yield scenario(f"lowat{lowat // 1024}k_rcvbuf64k", "receive_window_limited", "client", [download(3_000_000, 16384,
                       client_options={"rcvbuf": 65536}, **options)], link(30),
                       never=["send_buffer_limited", "loss_recovery"])
    parts = flow([["repeat", 20, ["begin"], ["write", 100], ["read", 900], ["end"]]], [["repeat", 20, ["read", 100], ["more", 300], ["write", 600]]])
    yield scenario("more_used_well", "none", None, [parts], link(7), never=QUIET)
    chunks = flow([["write", 100], ["read", 3_000_000]], [["read", 100], ["repeat", 2999, ["more", 1000]], ["write", 1000]])
    yield scenario("more_bulk_rtt30", "slow_start", "server", [chunks], link(30), never=BUSY)
    for rtt in (1, 30):
        slow_more = flow([["repeat", 5, ["write", 100], ["read", 4000]]], [["repeat", 5, ["read", 100], ["repeat", 4, ["more", 900], ["sleep", 60]],
                    ["write", 400]]])
        yield scenario(f"more_in_slow_parts_rtt{rtt}", "app_limited", "server", [slow_more], link(rtt), alternatives=["server_think"],
                       never_certain=["cork_hold", "nagle_hold", "nagle_delayed_ack"])


def windows():
    for clamp, rtt, n in ((8000, 30, 500_000), (20_000, 20, 2_000_000), (1000, 20, 60_000)):
        yield scenario(f"clamp{clamp}_rtt{rtt}", "receive_window_limited", "client", [download(n, client_options={"window_clamp": clamp})], link(rtt),
                       alternatives=["delayed_ack"] if clamp < 2000 else [], never=["send_buffer_limited", "loss_recovery"])
    for size, rtt, n in ((2304, 20, 60_000), (4096, 10, 300_000), (4096, 1, 300_000)):
        yield scenario(f"rcvbuf{size}_rtt{rtt}", "receive_window_limited", "client", [download(n, client_options={"rcvbuf": size})], link(rtt),
                       alternatives=["delayed_ack", "zero_window"], never=["send_buffer_limited", "loss_recovery"])
    yield scenario("rcvbuf2304_upload", "receive_window_limited", "server", [upload(60_000, server_options={"rcvbuf": 2304})], link(20),
                       alternatives=["delayed_ack", "zero_window"], never=["send_buffer_limited", "loss_recovery"])
    yield scenario("maxseg_200_think", "server_think", "server", [exchanges(10, request=[900], reply=[3000], think_ms=60,
                   client_options={"maxseg": 200})], link(20), never=QUIET)


def vanished():
    """The path goes dark a second after the first SYN, and stays so."""
    dark = {"down": GONE, "up": GONE}
    steps = exchanges(3)
    alive = {"keepalive": 1, "keepidle": 1, "keepintvl": 1}
    quiet = flow([*steps["client"], ["sleep", 8000]], steps["server"][:-1], client_options=alive | {"user_timeout": 3000})
    yield scenario("peer_vanishes_keepalive", "client_idle", "client", [quiet], link(20, **dark),
                   alternatives=["keep_alive", "none", "reset", "loss_recovery"],
                   never_certain=["server_think", "zero_window"])
    quiet = flow([*steps["client"], ["sleep", 8000]], [*steps["server"][:-1], ["sleep", 8000]], server_options=alive | {"user_timeout": 3000})
    yield scenario("client_vanishes_keepalive", "client_idle", "client", [quiet], link(20, **dark),
                   alternatives=["keep_alive", "none", "reset", "loss_recovery"],
                   never_certain=["server_think", "zero_window"])
    asks = flow([*steps["client"], ["sleep", 1200], ["write", 100], ["read", 1000]], [*steps["server"], ["read", 100],
                ["write", 1000]], client_options={"user_timeout": 3000})
    yield scenario("peer_vanishes_user_timeout", "peer_silent", "client", [asks], link(20, **dark), alternatives=["client_idle", "loss_recovery"],
                   blind={"server": ["none", "client_idle"]}, never_certain=["server_think"])
    gives = flow([["write", 100], ["read", 30_000_000]], [["read", 100], ["write", 30_000_000]], server_options={"user_timeout": 2500})
    yield scenario("client_vanishes_mid_reply", "peer_silent", "server", [gives], link(20, 20, 200_000, **dark), alternatives=["bandwidth_limited", "loss_recovery"],
                   blind={"client": ["bandwidth_limited", "server_think", "app_limited", "client_idle"]},
                   never_certain=["server_think", "app_limited", "client_idle", "zero_window"])
    waits = flow([*steps["client"], ["sleep", 900], ["write", 100], ["read", 1000]], [*steps["server"][:-1], ["read", 100], ["sleep", 700],
                ["write", 1000], ["sleep", 4000]],
                 client_options=alive | {"user_timeout": 4000})
    yield scenario("answer_vanishes", "loss_recovery", "server", [waits], link(20,
                   down={"dark_from_us": 1_300_000, "dark_to_us": 60_000_000}), alternatives=["server_think", "client_idle"],
                   never_certain=["zero_window"])


def ends():
    leaves = flow([["write", 100], ["read", 300_000], ["reset"]], [["read", 100], ["write", 3_000_000]])
    yield scenario("client_resets_mid_reply", "slow_start", "server", [leaves], link(30), alternatives=["none", "reset", "bandwidth_limited"],
                   never=QUIET)
    unread = flow([["write", 100], ["sleep", 300]], [["read", 100], ["write", 5000]])
    yield scenario("closes_with_unread_data", "client_idle", "client", [unread], link(30), alternatives=["none", "reset", "client_think"],
                   never=QUIET)
    again = exchanges(2, connections=8, client_port=40000, stagger_ms=200) | {"client": [*exchanges(2)["client"], ["drain"]], "server": exchanges(2)["server"][:-1]}
    yield scenario("port_again_server_closes", "none", None, [again], link(10), one_by_one=True, never=QUIET)
    yield scenario("port_again_no_timestamps", "none", None, [again], link(10), one_by_one=True, never=QUIET,
                   sysctl={"both": {"net.ipv4.tcp_timestamps": 0}},
                   alternatives=["connect_retry", "connect_refused"])
    slow = flow([["begin"], ["write", 30_000], ["shutdown"], ["read", 50_000], ["end"]], [["read", 30_000], ["sleep", 300], ["write", 25_000],
                ["sleep", 400], ["write", 25_000]])
    yield scenario("half_closed_slow_reply", "app_limited", "server", [slow], link(25), alternatives=["server_think"], never=QUIET)
    first = flow([["read", 20_000], ["sleep", 600], ["write", 3000], ["sleep", 100]], [["write", 20_000], ["shutdown"], ["read", 3000]])
    yield scenario("server_half_closes_first", "slow_start", "server", [first], link(25), alternatives=["client_think", "client_idle"],
                   never=["server_think", *QUIET])
    unfin = flow([["write", 100], ["read", 200_000]], [["read", 100], ["write", 200_000]])
    yield scenario("fins_lost_often", "none", None, [unfin], link(20, up={"fin": "1-3"}, down={"fin": "1-2"}), linger_ms=4000,
                   alternatives=["close", "slow_start"],
                   blind={"server": ["loss_recovery"], "client": ["loss_recovery"]}, never_certain=["server_think"])


def starts():
    allowed = {"both": {"net.ipv4.tcp_fastopen": 3}}
    options = {"client_options": {"fastopen_connect": 1}, "server_options": {"fastopen": 16}}
    yield scenario("fast_open_syn_lost", "connect_retry", "server", [exchanges(1, connections=4, **options)], link(30, up={"syn": "3"}),
                   one_by_one=True, sysctl=allowed,
                   alternatives=["loss_recovery"], blind={"server": ["none"]}, never_certain=["server_think"])
    yield scenario("fast_open_reply_lost", "loss_recovery", "server", [exchanges(1, connections=4, reply=[5000], **options)], link(30,
                   down={"data": "6-12"}), one_by_one=True,
                   sysctl=allowed, never_certain=["server_think"])
    yield scenario("fast_open_download", "slow_start", "server", [flow([["write", 100], ["read", 400_000]], [["read", 100],
                   ["write", 400_000]], connections=3, **options)],
                   link(60), one_by_one=True, sysctl=allowed, never=BUSY)
    cookies = {"server": {"net.ipv4.tcp_syncookies": 2}}
    yield scenario("syn_cookies_download", "slow_start", "server", [download(1_000_000)], link(60), sysctl=cookies, never=QUIET)
    yield scenario("syn_cookies_no_timestamps", "slow_start", "server", [download(1_000_000)], link(60),
                   sysctl=cookies | {"client": {"net.ipv4.tcp_timestamps": 0}},
                   alternatives=["receive_window_limited"], never=["send_buffer_limited", "loss_recovery"])
    banner = flow([["read", 500], ["write", 100], ["read", 100]], [["write", 500], ["read", 100], ["write", 100]])
    yield scenario("syn_cookies_ack_lost", "loss_recovery", "client", [banner], link(20, up={"ack": "1"}), sysctl=cookies,
                   blind={"client": ["server_think"], "server": ["client_idle"]})
    for n in (2, 3):
        yield scenario(f"ack_of_syn_lost{n}", "none", None, [exchanges(5)], link(20, up={"ack": f"1-{n - 1}"}), never=QUIET)


def paths():
    hole = {"hole_bytes": 1300}
    both = flow([["write", 100], ["read", 100], ["begin"], ["write", 20_000], ["read", 20_000], ["end"]], [["read", 100], ["write", 100],
                ["read", 20_000], ["write", 20_000]])
    for probing in (1, 2):
        yield scenario(f"hole_both_ways_probing{probing}", "mtu_black_hole", None, [both], link(15, down=hole, up=hole),
                       alternatives=["loss_recovery"] * (probing == 2), blind={"server": ["loss_recovery"]},
                       sysctl={"both": {"net.ipv4.tcp_mtu_probing": probing}}, never=["zero_window", "send_buffer_limited"])
    told = {"hole_bytes": 1300, "too_big": 1}
    yield scenario("hole_both_ways_icmp", "none", None, [both], link(15, down=told, up=told), alternatives=["mtu_black_hole", "slow_start"],
                   never=["zero_window", "send_buffer_limited"])
    mess = {"reorder": 0.03, "reorder_us": 3000, "duplicate": 0.03, "jitter_us": 500}
    yield scenario("mess_both_ways_turns", "none", None, [exchanges(60, request=[3000], reply=[6000])], link(20, down=mess, up=mess),
                   alternatives=["loss_recovery"],
                   never_certain=["loss_recovery", "server_think"])
    yield scenario("mess_both_ways_download", "congestion_window_limited", "server", [download(4_000_000)], link(20, 40, 300_000, down=mess, up=mess),
                   alternatives=["bandwidth_limited", "slow_start", "loss_recovery"],
                   never_certain=["send_buffer_limited", "app_limited", "server_think"])
    for name, more, cause, at in (("think", {"think_ms": 60}, "server_think", "server"), ("nagle",
                {"reply": [200, 600]}, "nagle_delayed_ack", "server"),
                                  ("pieces", {"reply": [3000, 3000], "gap_ms": 50} | NODELAY, "app_limited", "server"), ("idle",
                                  {"idle_ms": 80}, "client_idle", "client")):
        yield scenario(f"offload_{name}", cause, at, [exchanges(12, **({"reply": [20_000]} | more))], link(5), offload=True,
                       alternatives={"pieces": ["server_think"], "idle": ["none"]}.get(name, []),
                       never=[c for c in QUIET if c != cause])
    yield scenario("offload_slow_start", "slow_start", "server", [download(1_500_000)], link(80), offload=True, never=QUIET)
    yield scenario("offload_lowat", "slow_start", "server", [download(1_500_000, 16384, server_options={"notsent_lowat": 16384})],
                   link(80), offload=True, never=BUSY)
    yield scenario("offload_window_clamp", "receive_window_limited", "client", [download(1_500_000, client_options={"window_clamp": 40_000})],
                   link(40), offload=True, never=["send_buffer_limited", "loss_recovery"])
    yield scenario("offload_paced", "pacing", "server", [download(3_000_000, server_options={"pacing": 1_000_000})], link(20), offload=True,
                   alternatives=["app_limited", "bandwidth_limited", "none", "slow_start", "congestion_window_limited"],
                   never=["send_buffer_limited", "loss_recovery", "receive_window_limited"])
    for rate in (100_000, 5_000_000):
        yield scenario(f"pacing{rate // 1000}k_bbr", "pacing", "server", [download(rate * 2,
                       server_options={"pacing": rate, "congestion": "bbr"})], link(30),
                       alternatives=["app_limited", "bandwidth_limited", "none", "congestion_window_limited", "slow_start", "unknown"],
                       never=["send_buffer_limited", "loss_recovery", "receive_window_limited", "zero_window"])
    small = {"maxseg": 536, "congestion": "bbr"}
    yield scenario("pacing2000k_mss536_rtt110", "pacing", "server", [download(5_000_000, 65536, client_options=small,
                   server_options=small | {"pacing": 2_000_000})], link(110), alternatives=["app_limited", "bandwidth_limited", "slow_start"],
                   never=["loss_recovery", "receive_window_limited", "zero_window"], never_certain=["send_buffer_limited"],
                   blind={"client": ["send_buffer_limited"]})
    yield scenario("bbr_short_queue_rtt110", "bandwidth_limited", "server", [download(4_000_000, server_options={"congestion": "bbr"})],
                   link(110, 12, 60_000), alternatives=["loss_recovery", "congestion_window_limited"], never_certain=["app_limited"])
    yield scenario("pacing_set_midway", "pacing", "server",
                   [flow([["write", 100], ["read", 3_000_000]], [["read", 100], ["write", 1_500_000], ["set", {"pacing": 700_000}],
                   ["write", 1_500_000]])], link(20),
                   alternatives=["app_limited", "bandwidth_limited", "congestion_window_limited", "slow_start", "unknown"],
                   never=["send_buffer_limited", "loss_recovery", "receive_window_limited", "zero_window"])
    yield scenario("buffer_set_midway", "send_buffer_limited", "server",
                   [flow([["write", 100], ["read", 5_000_000]], [["read", 100], ["write_chunks", 1_500_000, 16384], ["set", {"sndbuf": 20_000}],
                   ["write_chunks", 3_500_000, 16384]])], link(20),
                   never=["loss_recovery", "receive_window_limited", "zero_window"])
    yield scenario("cc_set_midway", "bandwidth_limited", "server",
                   [flow([["write", 100], ["read", 8_000_000]], [["read", 100], ["write_chunks", 3_500_000, 65536], ["set", {"congestion": "bbr"}],
                   ["write_chunks", 4_500_000, 65536]])], link(30, 20, 150_000),
                   alternatives=["congestion_window_limited", "loss_recovery"],
                   never=["send_buffer_limited", "receive_window_limited", "zero_window", "app_limited"])


def table():
    for family in (writers, windows, vanished, ends, starts, paths):
        yield from family()
