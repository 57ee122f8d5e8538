# SPDX-License-Identifier: MIT
"""Limits that meet: two buffers, buffers and a slow link, several flows on one link; segments of other sizes; ends without a close."""
from .build import download, exchanges, flow, link, scenario, upload

NODELAY = {"client_options": {"nodelay": 1}, "server_options": {"nodelay": 1}}
QUIET = ["nagle_hold", "nagle_delayed_ack", "delayed_ack", "cork_hold", "send_buffer_limited", "loss_recovery", "zero_window"]
LOSSY = ["loss_recovery", "congestion_window_limited"]


def off(*names):
    return {"both": {f"net.ipv4.{name}": 0 for name in names}}


def two_buffers():
    for snd, rcv, rtt in ((32, 200, 20), (16, 400, 100), (200, 32, 20), (400, 16, 5)):
        at, cause, other = (("server", "send_buffer_limited", "receive_window_limited") if snd < rcv else
                            ("client", "receive_window_limited", "send_buffer_limited"))  # fmt: skip
        yield scenario(f"sndbuf{snd}k_rcvbuf{rcv}k_rtt{rtt}", cause, at,
                       [download(int(min(snd, rcv) * 1024 * min(60, 3000 / rtt)), 16384,
                                 server_options={"sndbuf": snd * 1024}, client_options={"rcvbuf": rcv * 1024})],
                       link(rtt), never=[other, "loss_recovery"])  # fmt: skip
    # At 300 ms each flight comes after a silence that might be between two messages.
    yield scenario("sndbuf256k_rtt300", "send_buffer_limited", "server", [download(3_000_000, 16384, server_options={"sndbuf": 262144})],
                   link(300), alternatives=["slow_start"])  # fmt: skip
    yield scenario("rcvbuf256k_rtt300", "receive_window_limited", "client", [download(3_000_000, client_options={"rcvbuf": 262144})],
                   link(300), alternatives=["slow_start"], never=["send_buffer_limited"])  # fmt: skip


def buffers_on_slow_links():
    for rate, size, rtt in ((20, 64, 60), (50, 32, 20), (100, 256, 40), (20, 200, 20), (5, 128, 20)):
        full = size * 1024 > rate * 125 * rtt
        yield scenario(f"rcvbuf{size}k_{rate}mbit_rtt{rtt}", "bandwidth_limited" if full else "receive_window_limited",
                       "server" if full else "client",
                       [download(int(min(rate * 125_000, size * 1.024e6 / rtt) * 3), client_options={"rcvbuf": size * 1024})],
                       link(rtt, rate, 1_000_000), alternatives=["receive_window_limited"] if full else [],
                       never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    for rate, size, rtt in ((20, 32, 60), (100, 128, 40), (20, 200, 20)):
        full = size * 1024 > rate * 125 * rtt
        yield scenario(f"sndbuf{size}k_{rate}mbit_rtt{rtt}", "bandwidth_limited" if full else "send_buffer_limited", "server",
                       [download(int(min(rate * 125_000, size * 1.024e6 / rtt) * 3), 16384, server_options={"sndbuf": size * 1024})],
                       link(rtt, rate, 1_000_000), alternatives=["send_buffer_limited"] if full else [],
                       never=["receive_window_limited", "loss_recovery"])  # fmt: skip


def segments():
    for mss in (256, 536):
        yield scenario(f"mss{mss}_rcvbuf32k", "receive_window_limited", "client",
                       [download(800_000, client_options={"rcvbuf": 32768, "maxseg": mss})], link(30), never=["send_buffer_limited"])  # fmt: skip
    yield scenario("jumbo_rcvbuf64k", "receive_window_limited", "client", [download(2_000_000, client_options={"rcvbuf": 65536})],
                   link(30), mtu=9000, never=["send_buffer_limited"])  # fmt: skip
    yield scenario("offload_rcvbuf128k", "receive_window_limited", "client", [download(6_000_000, client_options={"rcvbuf": 131072})],
                   link(30), offload=True, never=["send_buffer_limited"])  # fmt: skip
    yield scenario("offload_sndbuf128k", "send_buffer_limited", "server", [download(6_000_000, 16384, server_options={"sndbuf": 131072})],
                   link(30), offload=True)  # fmt: skip
    yield scenario("offload_loss3", "loss_recovery", "server", [download(4_000_000)], link(20, down={"loss": 0.03}), offload=True,
                   alternatives=LOSSY, never=["send_buffer_limited", "zero_window"])  # fmt: skip
    yield scenario("loss2_without_options", "loss_recovery", "server", [download(1_500_000)], link(20, down={"loss": 0.02}),
                   sysctl=off("tcp_sack", "tcp_timestamps", "tcp_window_scaling"), alternatives=LOSSY,
                   never=["send_buffer_limited", "zero_window"])  # fmt: skip


def short_messages_on_slow_links():
    """Each message is one flight, and most of its time it stands in the link's queue."""
    for rate, size, rtt in ((2, 40_000, 20), (1, 12_000, 20), (5, 60_000, 50)):
        yield scenario(f"replies{size // 1000}k_{rate}mbit_rtt{rtt}", "bandwidth_limited", "server", [exchanges(10, reply=[size])],
                       link(rtt, rate, 400_000), alternatives=["none"], never=[*QUIET, "client_idle"])  # fmt: skip
        yield scenario(f"requests{size // 1000}k_{rate}mbit_rtt{rtt}", "bandwidth_limited", "client",
                       [exchanges(10, request=[size], reply=[100])], link(rtt, rate, 400_000), alternatives=["none"],
                       never=[*QUIET, "server_think", "client_idle"])  # fmt: skip
    yield scenario("requests40k_2mbit_think150", "bandwidth_limited", "client", [exchanges(8, request=[40_000], reply=[100], think_ms=150)],
                   link(20, 2, 400_000), alternatives=["server_think"], contains=["server_think", "bandwidth_limited"], never=QUIET)  # fmt: skip
    # A delay of only some of the segments is no queue.
    yield scenario("replies9k_reordered", "none", None, [exchanges(40, reply=[9000])], link(20, down={"reorder": 0.1, "reorder_us": 3000}),
                   never=["send_buffer_limited", "zero_window", "nagle_hold", "server_think"])  # fmt: skip
    yield scenario("replies9k_jitter", "none", None, [exchanges(40, reply=[9000])], link(20, down={"jitter_us": 8000}, up={"jitter_us": 8000}),
                   alternatives=["slow_start", "bandwidth_limited"], never=["send_buffer_limited", "zero_window", "nagle_hold"])  # fmt: skip


def shared_links():
    yield scenario("two_downloads_20mbit", "bandwidth_limited", "10.9.0.2", [download(5_000_000), download(3_000_000, port=9001, start_ms=700)],
                   link(20, 20, 300_000), alternatives=LOSSY)  # fmt: skip
    yield scenario("download_and_upload_asymmetric", "bandwidth_limited", None, [upload(2_500_000), download(2_000_000, port=9001, start_ms=300)],
                   link(20, down={"rate_bps": 20e6, "queue_bytes": 200_000}, up={"rate_bps": 5e6, "queue_bytes": 200_000}),
                   alternatives=[*LOSSY, "slow_start"], never=["send_buffer_limited"])  # fmt: skip


    # Requests of one connection wait behind the others' replies.
    yield scenario("four_clients_replies30k_10mbit", "bandwidth_limited", "server", [exchanges(8, reply=[30_000], connections=4)],
                   link(20, 10, 400_000), never=[*QUIET, "server_think"])  # fmt: skip
    yield scenario("small_replies_behind_a_download", "bandwidth_limited", "10.9.0.2",
                   [download(3_000_000), exchanges(30, reply=[400], port=9001, start_ms=400)], link(20, 10, 150_000),
                   alternatives=["slow_start", *LOSSY])  # fmt: skip
    # The same where no clock of the server's tells how long its replies stood in the queue; one that thinks still does.
    for clients, size in ((4, 30_000), (8, 3000)):
        yield scenario(f"{clients}_clients_replies{size // 1000}k_5mbit_no_timestamps", "bandwidth_limited", "server",
                       [exchanges(12, reply=[size], connections=clients)], link(20, 5, 400_000), sysctl=off("tcp_timestamps"),
                       alternatives=["none"], never_certain=["server_think"])  # fmt: skip
    yield scenario("think400_4_clients_5mbit_no_timestamps", "server_think", "server",
                   [exchanges(6, reply=[30_000], think_ms=400, connections=4)], link(20, 5, 400_000),
                   sysctl=off("tcp_timestamps"))  # fmt: skip


def ends():
    small = {"client_options": {"rcvbuf": 65536}}
    never_reads = flow([["write", 100], ["sleep", 2500]], [["read", 100], ["write", 3_000_000]], **small)
    yield scenario("reader_never_reads", "zero_window", "client", [never_reads], link(7), alternatives=["reset"], never=["send_buffer_limited"])
    yield scenario("fin_lost", "none", None, [exchanges(4)], link(15, up={"fin": "1-2"}, down={"fin": "1"}), linger_ms=1500,
                   alternatives=["close"], blind={"server": ["loss_recovery"]})  # fmt: skip
    half = flow([["begin"], ["write", 5000], ["shutdown"], ["read", 9000], ["end"]], [["read", 5000], ["sleep", 700], ["write", 9000]])
    yield scenario("half_closed_think700", "server_think", "server", [half], link(15), never=QUIET)
    stream = flow([["begin"], ["write", 100], ["shutdown"], ["read", 60_000], ["end"]], [["read", 100], ["paced_write", 3000, 70, 20]], **NODELAY)
    yield scenario("half_closed_stream", "app_limited", "server", [stream], link(15), alternatives=["server_think"], never=QUIET)
    abort = flow([["repeat", 5, ["write", 100], ["read", 1000]], ["reset"]], [["repeat", 5, ["read", 100], ["write", 1000]]])
    yield scenario("aborted_after_replies", "none", None, [abort], link(15), alternatives=["reset"], never=QUIET)
    late = {"server": [["repeat", 10, ["read", 100], ["write", 1000]], ["sleep", 19]]}
    both = flow([["repeat", 10, ["write", 100], ["read", 1000]], ["sleep", 20]], []) | late
    yield scenario("simultaneous_close", "none", None, [both], link(60), never=QUIET)


def beginnings():
    fast_open = {"client_options": {"fastopen_connect": 1}, "server_options": {"fastopen": 16}}
    allowed = {"both": {"net.ipv4.tcp_fastopen": 3}}
    yield scenario("fast_open", "none", None, [exchanges(1, connections=6, **fast_open)], link(50), one_by_one=True, sysctl=allowed, never=QUIET)
    yield scenario("fast_open_think150", "server_think", "server", [exchanges(1, think_ms=150, connections=4, **fast_open)], link(50),
                   one_by_one=True, sysctl=allowed, never=QUIET)  # fmt: skip
    yield scenario("syn_cookies", "none", None, [exchanges(1, connections=20, stagger_ms=10)], link(15),
                   sysctl={"server": {"net.ipv4.tcp_syncookies": 2}}, never=QUIET)  # fmt: skip
    waits = flow([["sleep", 700], *exchanges(5)["client"]], exchanges(5)["server"][:-1], server_options={"defer_accept": 5})
    yield scenario("defer_accept_idle700", "client_idle", "client", [waits], link(15), alternatives=["client_think", "none"], never=QUIET)
    yield scenario("queue_full_reset", "connect_refused", "server", [exchanges(1, connections=20, stagger_ms=20, backlog=3, accept_after_ms=2000)],
                   link(15), sysctl={"server": {"net.ipv4.tcp_abort_on_overflow": 1}}, alternatives=["reset", "server_think", "connect_retry"])  # fmt: skip


def small_writes():
    # The first of them leaves alone, the rest in full segments: what is left waits for the first one's ACK.
    writes = flow([["repeat", 10, ["begin"], ["write", 100], ["read", 4000], ["end"]]], [["repeat", 10, ["read", 100], ["write_chunks", 4000, 50]]])
    yield scenario("small_writes_4k", "nagle_hold", "server", [writes], link(15), alternatives=["none"],
                   never=["cork_hold", "loss_recovery", "send_buffer_limited"])  # fmt: skip
    yield scenario("small_writes_sndbuf16k", "send_buffer_limited", "server", [download(600_000, 700, server_options={"sndbuf": 16384})],
                   link(30), never=["receive_window_limited", "cork_hold"])  # fmt: skip
    yield scenario("pieces_after_think", "server_think", "server", [exchanges(8, reply=[3000] * 3, think_ms=120, gap_ms=25, **NODELAY)],
                   link(15), contains=["app_limited"], never=QUIET)  # fmt: skip


def table():
    for family in (two_buffers, buffers_on_slow_links, segments, short_messages_on_slow_links, shared_links, ends, beginnings, small_writes):
        yield from family()
