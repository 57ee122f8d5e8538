# SPDX-License-Identifier: MIT
"""What the path does: rates and queues, loss, holes; and how congestion control answers."""
from .build import download, exchanges, flow, link, name_ms, scenario, upload

# The end that a lost frame never reached.
UNSEEN = {"server": ["none"]}
MEMORY = {"net.ipv4.tcp_no_ssthresh_metrics_save": 0, "net.ipv4.tcp_no_metrics_save": 0}
SERVER_SETUP = "ip route replace 10.9.0.0/24 dev eth0 "
FULL = ["send_buffer_limited", "receive_window_limited", "zero_window", "nagle_hold", "nagle_delayed_ack", "app_limited"]


def rates():
    for rate, rtt, queue in ((5, 20, 60_000), (5, 2, 40_000), (20, 50, 400_000), (50, 7, 150_000), (100, 15, 600_000), (10, 120, 300_000)):
        yield scenario(f"rate{rate}_rtt{rtt}", "bandwidth_limited", "server", [download(int(rate * 125_000 * 4))], link(rtt, rate, queue),
                       alternatives=["loss_recovery", "congestion_window_limited"], never=FULL)  # fmt: skip
    # The receiver's end sees no queue: it has nothing but the arrivals.
    for rate, rtt, queue in ((50, 30, 200_000), (10, 20, 60_000), (2, 60, 30_000)):
        yield scenario(f"rate{rate}_no_timestamps", "bandwidth_limited", "server", [download(int(rate * 125_000 * 3))], link(rtt, rate, queue),
                       sysctl={"both": {"net.ipv4.tcp_timestamps": 0}}, alternatives=["loss_recovery", "congestion_window_limited"],
                       never=FULL)  # fmt: skip
    # 64 KiB are more than such a path holds: the rest stands in the queue. Half as much more does not show whose that is.
    for rate, rtt in ((5, 20), (50, 7)):
        yield scenario(f"rate{rate}_no_scaling", "bandwidth_limited", "server", [download(int(rate * 125_000 * 3))], link(rtt, rate, 150_000),
                       sysctl={"both": {"net.ipv4.tcp_window_scaling": 0}}, alternatives=["receive_window_limited"] * (rate > 5),
                       never=["send_buffer_limited", "zero_window", "app_limited"], never_certain=["receive_window_limited"])  # fmt: skip
    for queue, rtt in ((1_000_000, 20), (4_000_000, 20), (2_000_000, 2)):
        yield scenario(f"bloat_{queue // 1000}k_rtt{rtt}", "bandwidth_limited", "server", [download(10_000_000)], link(rtt, 20, queue),
                       never=[*FULL, "loss_recovery"] if queue == 4_000_000 else FULL)  # fmt: skip
    for queue in (8_000, 20_000):
        yield scenario(f"tiny_queue{queue // 1000}k", "loss_recovery", "server", [download(8_000_000)], link(20, 20, queue),
                       alternatives=["congestion_window_limited", "bandwidth_limited"], never=FULL)  # fmt: skip
    yield scenario("rate20_upload", "bandwidth_limited", "client", [upload(8_000_000)], link(20, 20, 200_000),
                   alternatives=["loss_recovery", "congestion_window_limited"], never=FULL)  # fmt: skip
    for cc in ("reno", "bbr"):
        yield scenario(f"rate20_{cc}", "bandwidth_limited", "server", [download(8_000_000, server_options={"congestion": cc})],
                       link(30, 20, 200_000), alternatives=["none", "congestion_window_limited", "loss_recovery"], never=FULL)  # fmt: skip
    yield scenario("rate20_3_streams", "bandwidth_limited", "server", [download(3_000_000, connections=3)], link(20, 20, 200_000),
                   alternatives=["loss_recovery", "congestion_window_limited"], never=FULL)  # fmt: skip
    yield scenario("rate20_jumbo", "bandwidth_limited", "server", [download(8_000_000)], link(20, 20, 600_000), mtu=9000,
                   alternatives=["loss_recovery", "congestion_window_limited"], never=["send_buffer_limited", "zero_window", "app_limited"])  # fmt: skip
    yield scenario("rate20_offload", "bandwidth_limited", "server", [download(8_000_000)], link(20, 20, 600_000), offload=True,
                   alternatives=["loss_recovery", "congestion_window_limited"], never=FULL)  # fmt: skip


def losses():
    hit = ["congestion_window_limited"]
    for loss, rtt, amount in ((0.001, 30, 20_000_000), (0.03, 7, 3_000_000), (0.03, 50, 1_500_000), (0.01, 120, 2_000_000), (0.05, 2, 2_000_000)):
        yield scenario(f"loss{name_ms(loss * 100)}_rtt{rtt}", "loss_recovery", "server", [download(amount)],
                       link(rtt, 100 if loss == 0.001 else 0, 1_000_000, down={"loss": loss}),
                       alternatives=hit + ["bandwidth_limited"] * (loss == 0.001), never=["send_buffer_limited", "zero_window", "app_limited"])  # fmt: skip
    for key, short in (("tcp_timestamps", "no_timestamps"), ("tcp_sack", "no_sack")):
        yield scenario(f"loss2_{short}", "loss_recovery", "server", [download(2_000_000)], link(20, down={"loss": 0.02}), alternatives=hit,
                       sysctl={"both": {f"net.ipv4.{key}": 0}}, never=["send_buffer_limited", "zero_window"])  # fmt: skip
    for cc in ("reno", "bbr"):
        yield scenario(f"loss2_{cc}", "loss_recovery", "server", [download(2_000_000, server_options={"congestion": cc})],
                       link(20, down={"loss": 0.02}), alternatives=hit + ["bandwidth_limited", "none"] * (cc == "bbr"),
                       never=["send_buffer_limited", "zero_window"])  # fmt: skip
    yield scenario("loss2_ipv6", "loss_recovery", "server", [download(2_000_000)], link(20, down={"loss": 0.02}), family="6",
                   alternatives=hit)  # fmt: skip
    yield scenario("loss2_upload", "loss_recovery", "client", [upload(2_000_000)], link(20, up={"loss": 0.02}), alternatives=hit)
    yield scenario("bursts_rtt20", "loss_recovery", "server", [download(3_000_000)], link(20, down={"burst": 0.002, "burst_length": 15}),
                   alternatives=hit)  # fmt: skip
    yield scenario("loss_exchanges_rtt7", "loss_recovery", "server", [exchanges(150)], link(7, down={"loss": 0.04}))
    yield scenario("loss_requests_rtt7", "loss_recovery", "client", [exchanges(150)], link(7, up={"loss": 0.04}))
    yield scenario("dark_2s", "loss_recovery", "server", [download(20_000_000)], link(20, 50, 300_000,
                   down={"dark_from_us": 1e6, "dark_to_us": 3e6}, up={"dark_from_us": 1e6, "dark_to_us": 3e6}), never=["zero_window"], alternatives=["peer_silent"])  # fmt: skip


def lost_tails():
    """The last frame of a reply is lost once (a tail loss probe mends it) or so often that only the timer does."""
    for reply, last, name in ((1000, 1, "only"), (10_000, 7, "last_of_7")):
        for rtt in (0.3, 7, 50):
            for times, how in ((1, "tlp"), (3, "rto")):
                first = last + 2 * last if last == 1 else last
                yield scenario(f"tail_{name}_{how}_rtt{name_ms(rtt)}", "loss_recovery", "server", [exchanges(4, reply=[reply])],
                               link(rtt, down={"data": f"{first}-{first + times - 1}"}),
                               never=["server_think", "cork_hold"] if times == 3 else ["cork_hold"])  # fmt: skip
    yield scenario("tail_request_rto", "loss_recovery", "client", [exchanges(4)], link(7, up={"data": "3-4"}))
    yield scenario("tail_no_sack", "loss_recovery", "server", [exchanges(4, reply=[10_000])], link(7, down={"data": "7-8"}),
                   sysctl={"both": {"net.ipv4.tcp_sack": 0}})  # fmt: skip


def handshakes():
    for n in (1, 2):
        yield scenario(f"syn_lost{n}", "connect_retry", "server", [exchanges(3)], link(7, up={"syn": f"1-{n}"}), blind=UNSEEN)
        yield scenario(f"syn_ack_lost{n}", "connect_retry", "server", [exchanges(3)], link(7, down={"syn_ack": f"1-{n}"}))
    yield scenario("syn_never_answered", "connect_retry", "server", [exchanges(1, connect_timeout=8)], link(7, up={"syn": "1-99"}), blind=UNSEEN)
    yield scenario("syn_lost_some", "connect_retry", "server", [exchanges(2, connections=20, stagger_ms=20)], link(7, up={"syn": "3,9,10,15"}), blind=UNSEEN)
    yield scenario("syn_lost_ipv6", "connect_retry", "server", [exchanges(3)], link(7, up={"syn": "1"}), family="6", blind=UNSEEN)
    slow = exchanges(1, connections=20, backlog=4, accept_after_ms=2500)
    yield scenario("accept_queue_syn_ack", "connect_retry", "server", [slow], link(50), alternatives=["server_think", "loss_recovery"])
    # The server speaks first. Recent kernels do not repeat the SYN/ACK here: all that shows is a late greeting.
    banner = flow([["read", 500]], [["write", 500]], connections=20, backlog=4, accept_after_ms=2500)
    yield scenario("accept_queue_greeting", "server_think", "server", [banner], link(50), alternatives=["connect_retry"])
    late = exchanges(1, connections=30, stagger_ms=30, backlog=3, accept_after_ms=2500)
    yield scenario("accept_queue_syn_drop", "connect_retry", "server", [late], link(7), alternatives=["server_think"], contains=["connect_retry"])
    # Its queue of requests is full as well, so that it answers with cookies, and nothing repeats its answers.
    burst = exchanges(1, connections=15, stagger_ms=5, backlog=1, accept_after_ms=1800)
    yield scenario("accept_queue_cookies", "connect_retry", "server", [burst], link(28), alternatives=["server_think"], contains=["connect_retry"],
                   never_certain=["loss_recovery"])  # fmt: skip
    yield scenario("refused_once", "connect_refused", "server", [exchanges(1, port=9444) | {"refused": True}], link(7))
    yield scenario("refused_many", "connect_refused", "server", [exchanges(1, port=9444, connections=20, stagger_ms=50) | {"refused": True}], link(15))
    yield scenario("refused_ipv6", "connect_refused", "server", [exchanges(1, port=9444) | {"refused": True}], link(7), family="6")


def holes():
    for hole, probing in ((1400, 0), (1300, 0), (1400, 1)):
        # Without probing nothing ever gets through: the client gives up.
        steps = exchanges(2)
        big = flow([*steps["client"], ["begin"], ["write", 100], ["read", 20_000], ["end"]] if probing else
                   [*steps["client"], ["write", 100], ["sleep", 4000]],
                   [*steps["server"][:-1], ["read", 100], ["write", 20_000]])  # fmt: skip
        yield scenario(f"hole{hole}" + "_probing" * probing, "mtu_black_hole", "server", [big], link(10, down={"hole_bytes": hole}),
                       sysctl={"server": {"net.ipv4.tcp_mtu_probing": probing}})  # fmt: skip
    yield scenario("hole1400_upload", "mtu_black_hole", "client",
                   [flow([["write", 100], ["read", 100], ["write", 30_000], ["sleep", 4000]], [["read", 100], ["write", 100], ["read", 30_000]])],
                   link(10, up={"hole_bytes": 1400}), blind={"server": ["client_idle", "none"]})  # fmt: skip
    # Nothing but the small end of the answer comes, and nothing tells the server which part lacks.
    steps = exchanges(2)
    ends_small = flow([*steps["client"], ["write", 100], ["sleep", 4000]], [*steps["server"][:-1], ["read", 100], ["write", 3000]])
    yield scenario("hole1400_end_no_sack", "mtu_black_hole", "server", [ends_small], link(10, down={"hole_bytes": 1400}),
                   sysctl={"both": {"net.ipv4.tcp_sack": 0}}, never=["client_idle"])  # fmt: skip
    yield scenario("hole1400_icmp", "none", None, [download(100_000)], link(10, down={"hole_bytes": 1400, "too_big": 1}),
                   alternatives=["mtu_black_hole", "slow_start"], never=["send_buffer_limited"])  # fmt: skip


def congestion_control():
    no_bottleneck = ["send_buffer_limited", "loss_recovery", "zero_window"]
    for size, rtt in ((100_000, 50), (400_000, 50), (300_000, 120), (1_000_000, 120), (400_000, 250)):
        yield scenario(f"slow_start_{size // 1000}k_rtt{rtt}", "slow_start", "server", [download(size)], link(rtt),
                       alternatives=["none"] if size == 100_000 else [], never=no_bottleneck)  # fmt: skip
    yield scenario("slow_start_upload_rtt120", "slow_start", "client", [upload(600_000)], link(120), never=no_bottleneck)
    yield scenario("initcwnd2_rtt50", "slow_start", "server", [exchanges(1, reply=[60_000])], link(50),
                   setup={"server": [SERVER_SETUP + "initcwnd 2"]}, never=no_bottleneck)  # fmt: skip
    yield scenario("initcwnd100_rtt50", "none", None, [exchanges(1, reply=[60_000])], link(50),
                   setup={"server": [SERVER_SETUP + "initcwnd 100"], "client": [SERVER_SETUP + "initrwnd 100"]}, never=["slow_start", *no_bottleneck])  # fmt: skip
    bursts = exchanges(4, reply=[400_000], idle_ms=1200)
    for on in (0, 1):
        yield scenario(f"after_idle{on}_rtt50", "slow_start_after_idle" if on else "slow_start", "server", [bursts], link(50),
                       sysctl={"server": {"net.ipv4.tcp_slow_start_after_idle": on}},
                       alternatives=["slow_start"] if on else ["none"],
                       never=no_bottleneck if on else ["slow_start_after_idle", *no_bottleneck])  # fmt: skip
    # The host reads its memory of a path only once an earlier connection has left one.
    remembered = [download(1_000_000, start_ms=500), exchanges(1, port=9001)]
    for threshold, rtt in ((10, 50), (20, 30)):
        yield scenario(f"ssthresh{threshold}_rtt{rtt}", "early_slow_start_exit", "server", remembered, link(rtt), sysctl={"server": MEMORY},
                       setup={"server": [SERVER_SETUP + f"ssthresh lock {threshold}"]},
                       alternatives=["congestion_window_limited"], never=no_bottleneck)  # fmt: skip
    yield scenario("cwnd_clamp10_rtt20", "unknown", "server", remembered, link(20), sysctl={"server": MEMORY},
                   setup={"server": [SERVER_SETUP + "cwnd lock 10"]},
                   alternatives=["send_buffer_limited", "congestion_window_limited", "early_slow_start_exit"], never=["loss_recovery", "receive_window_limited"])  # fmt: skip


def resets():
    cut = flow([["write", 100], ["read", 1_000_000]], [["read", 100], ["write", 30_000], ["sleep", 200], ["reset"]])
    cut["server"] = cut["server"][:-1]
    yield scenario("reset_mid_reply", "reset", "server", [cut], link(7), alternatives=["none", "app_limited"], never=["loss_recovery"])
    leaves = flow([["repeat", 5, ["write", 100], ["read", 1000]], ["write", 100], ["sleep", 50], ["reset"]],
                  [["repeat", 5, ["read", 100], ["write", 1000]], ["read", 100], ["sleep", 2000]])  # fmt: skip
    yield scenario("client_gives_up", "server_think", "server", [leaves], link(7), alternatives=["reset", "none"], never=["loss_recovery"])


def table():
    for family in (rates, losses, lost_tails, handshakes, holes, congestion_control, resets):
        yield from family()
