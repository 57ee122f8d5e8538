# SPDX-License-Identifier: MIT
"""Linux set differently: timeouts with other floors, no tail loss probe, ACKs at once, other congestion control.

Each setting meets lost frames (at random, at the end of a reply), pauses after which the sender starts anew, and delayed ACKs.
"""
from .build import download, exchanges, flow, link, scenario

ROUTE = "ip route replace 10.9.0.0/24 dev eth0 "
RTO_MIN20 = {"setup": {"server": [ROUTE + "rto_min 20ms"]}}
RTO_MIN20_SYSCTL = {"sysctl": {"server": {"net.ipv4.tcp_rto_min_us": 20_000}}}
# The floor that RFC 6298 (2.4) asks for.
RTO_MIN1000 = {"setup": {"server": [ROUTE + "rto_min 1s"]}}
NO_PROBE = {"sysctl": {"server": {"net.ipv4.tcp_early_retrans": 0}}}
QUICK_CLIENT = {"setup": {"client": [ROUTE + "quickack 1"]}}
SETTINGS = {
    "rtomin20": RTO_MIN20, "rtomin20_sysctl": RTO_MIN20_SYSCTL, "rtomin1000": RTO_MIN1000, "no_probe": NO_PROBE, "quickack_route": QUICK_CLIENT,
}  # fmt: skip
# The last of the seven frames of a reply, three times, each once.
LAST_OF_7 = {"data": "7,15,23"}
NO_HOLD = ["send_buffer_limited", "zero_window", "cork_hold"]


def losses():
    for name, setting in SETTINGS.items():
        yield scenario(f"{name}_loss2_rtt20", "loss_recovery", "server", [download(2_000_000)], link(20, down={"loss": 0.02}),
                       alternatives=["congestion_window_limited"], never=NO_HOLD, never_certain=["server_think"], **setting)  # fmt: skip
        yield scenario(f"{name}_tails_rtt7", "loss_recovery", "server", [exchanges(5, reply=[10_000])], link(7, down=LAST_OF_7),
                       never=["server_think", *NO_HOLD], **setting)  # fmt: skip
        # Each frame of a reply that nothing follows, and again when it comes the second time.
        yield scenario(f"{name}_only_twice_rtt15", "loss_recovery", "server", [exchanges(4)], link(15, down={"data": "2-3"}),
                       never=["cork_hold"], never_certain=["server_think"], **setting)  # fmt: skip


def delayed_acks():
    for name in ("rtomin20", "rtomin20_sysctl"):
        # The tail loss probe takes what Nagle's algorithm holds along, before the ACK comes: the program had written it long ago.
        yield scenario(f"{name}_nagle_rtt5", "nagle_delayed_ack", "server", [exchanges(20, reply=[200, 600])], link(5),
                       alternatives=["nagle_hold"], never=["app_limited", "server_think"], never_certain=["loss_recovery"], **SETTINGS[name])  # fmt: skip
    yield scenario("quickack_route_nagle_rtt7", "nagle_hold", "server", [exchanges(20, reply=[200, 600])], link(7),
                   never=["nagle_delayed_ack", "delayed_ack", "cork_hold", "loss_recovery"], **QUICK_CLIENT)  # fmt: skip
    yield scenario("quickack_route_window8k_rtt30", "receive_window_limited", "client", [download(500_000, client_options={"window_clamp": 8000})],
                   link(30), never=["delayed_ack", "send_buffer_limited", "loss_recovery"], **QUICK_CLIENT)  # fmt: skip
    yield scenario("quickack_server_sndbuf16k_rtt20", "send_buffer_limited", "server", [download(600_000, 16384, server_options={"sndbuf": 16384})],
                   link(20), never=["receive_window_limited", "loss_recovery", "zero_window"], **QUICK_CLIENT)  # fmt: skip


def idle_restarts():
    bursts = exchanges(4, reply=[400_000], idle_ms=1200)
    for name, setting in SETTINGS.items():
        # After one retransmission timeout of silence the window shrinks: sooner with a low floor.
        yield scenario(f"{name}_after_idle_rtt50", "slow_start_after_idle", "server", [bursts], link(50), alternatives=["slow_start"],
                       never=["loss_recovery", "send_buffer_limited", "zero_window"], **setting)  # fmt: skip
    short = exchanges(6, reply=[200_000], idle_ms=150)
    yield scenario("rtomin20_after_150ms_rtt50", "slow_start_after_idle", "server", [short], link(50),
                   alternatives=["slow_start", "client_idle"], never=["loss_recovery", "zero_window"], **RTO_MIN20)  # fmt: skip
    yield scenario("rtomin1000_after_800ms_rtt50", "slow_start", "server", [exchanges(5, reply=[200_000], idle_ms=800)], link(50),
                   alternatives=["client_idle", "none"], never=["slow_start_after_idle", "loss_recovery", "zero_window"], **RTO_MIN1000)  # fmt: skip


def controls():
    """Congestion control by name; those that a kernel lacks are left out by run.py."""
    for name in ("reno", "bbr", "vegas", "dctcp"):
        server, both = {"server_options": {"congestion": name}}, {}
        marks = {}
        if name == "dctcp":
            both, marks = {"sysctl": {"both": {"net.ipv4.tcp_ecn": 1}}}, {"mark_bytes": 30_000}
        # BBR does not slow down for one frame in a hundred: what a short download costs then is its start.
        model = ["bandwidth_limited", "none", "slow_start"] * (name == "bbr")
        yield scenario(f"{name}_loss1_rtt40", "loss_recovery", "server", [download(2_000_000, **server)], link(40, down={"loss": 0.01}),
                       alternatives=["congestion_window_limited", *model], never=NO_HOLD, never_certain=["server_think", "app_limited"], **both)  # fmt: skip
        yield scenario(f"{name}_tails_rtt7", "loss_recovery", "server", [exchanges(5, reply=[10_000], **server)], link(7, down=LAST_OF_7),
                       never=["server_think", *NO_HOLD], **both)  # fmt: skip
        # BBR keeps what it knows of the path; the others start anew (RFC 5681, 4.1).
        bursts = exchanges(4, reply=[400_000], idle_ms=1200, **server)
        yield scenario(f"{name}_after_idle_rtt50", "slow_start" if name == "bbr" else "slow_start_after_idle", "server", [bursts], link(50),
                       alternatives=["none", "congestion_window_limited", "client_idle"] if name == "bbr" else ["slow_start"],
                       never=["loss_recovery", "zero_window", *["slow_start_after_idle"] * (name == "bbr")],
                       never_certain=["bandwidth_limited", "send_buffer_limited"], **both)  # fmt: skip
        yield scenario(f"{name}_rate20_rtt40", "bandwidth_limited", "server", [download(8_000_000, **server)],
                       link(40, 20, 150_000, down=marks), alternatives=["congestion_window_limited", "loss_recovery"],
                       never=["send_buffer_limited", "receive_window_limited", "zero_window", "app_limited"], **both)  # fmt: skip
        yield scenario(f"{name}_nagle_rtt15", "nagle_delayed_ack", "server", [exchanges(15, reply=[200, 600], **server)], link(15),
                       never=["cork_hold", "loss_recovery"], **both)  # fmt: skip
        slow = flow([["write", 100], ["slow_read", 2_000_000, 100_000, 60]], [["read", 100], ["write", 2_000_000]],
                    client_options={"rcvbuf": 65536}, **server)  # fmt: skip
        yield scenario(f"{name}_slow_reader_rtt10", "zero_window", "client", [slow], link(10), alternatives=["receive_window_limited"],
                       never=["send_buffer_limited", "loss_recovery", "server_think"], **both)  # fmt: skip


def table():
    for family in (losses, delayed_acks, idle_restarts, controls):
        yield from family()
