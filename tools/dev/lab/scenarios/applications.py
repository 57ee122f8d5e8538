# SPDX-License-Identifier: MIT
"""Time that the programs take: thinking, idling, writing late, and the writes that only resemble Nagle, cork or a full buffer."""
from .build import download, exchanges, flow, link, name_ms, scenario, upload

NO_TIMER = ["nagle_hold", "nagle_delayed_ack", "delayed_ack", "cork_hold", "loss_recovery", "send_buffer_limited"]
NODELAY = {"client_options": {"nodelay": 1}, "server_options": {"nodelay": 1}}


def thinking():
    for think in (1, 5, 20, 40, 45, 100, 200, 205, 250, 1000):
        for rtt in (0.3, 7, 50):
            count = 4 if think == 1000 else 15
            others = ["none"] if think <= 5 and rtt >= 7 or think == 1 else []
            yield scenario(f"think{think}_rtt{name_ms(rtt)}", "server_think", "server", [exchanges(count, think_ms=think)], link(rtt),
                           alternatives=others, never=NO_TIMER)  # fmt: skip
    yield scenario("think40_big_reply", "server_think", "server", [exchanges(15, reply=[9000], think_ms=40)], link(7), never=NO_TIMER)
    # In step with the ticks of delayed ACKs, as a cork is with those of its own timer.
    yield scenario("think220_nagle_rtt1", "server_think", "server", [exchanges(12, reply=[200, 600], think_ms=220)], link(1),
                   contains=["nagle_delayed_ack"], never=["cork_hold"])  # fmt: skip
    # A beat that is nearly a whole number of ticks.
    both = flow([["repeat", 8, ["write", 70], ["read", 1200], ["sleep", 60]]], [["repeat", 8, ["read", 70], ["sleep", 220], ["write", 1200]]])
    yield scenario("think220_idle60_rtt9", "server_think", "server", [both], link(9), never=NO_TIMER)
    # Its second half comes some milliseconds behind the delayed ACK of the first.
    late = flow([["repeat", 8, ["write", 700], ["sleep", 160], ["write", 700], ["read", 500]]], [["repeat", 8, ["read", 1400], ["write", 500]]],
                client_options={"nodelay": 1}, server_options={"nodelay": 1})  # fmt: skip
    yield scenario("question_in_two160_rtt110", "client_think", "client", [late], link(110), alternatives=["app_limited", "client_idle"],
                   never=NO_TIMER)  # fmt: skip
    yield scenario("think40_ipv6", "server_think", "server", [exchanges(15, think_ms=40)], link(7), family="6", never=NO_TIMER)
    yield scenario("think40_no_timestamps", "server_think", "server", [exchanges(15, think_ms=40)], link(7),
                   sysctl={"both": {"net.ipv4.tcp_timestamps": 0}}, never=NO_TIMER)  # fmt: skip
    pipelined = flow([["repeat", 5, ["begin"], *[["write", 100]] * 5, ["read", 5000], ["end"]]],
                     [["repeat", 25, ["read", 100], ["sleep", 20], ["write", 1000]]], **NODELAY)  # fmt: skip
    yield scenario("pipelined_think20", "server_think", "server", [pipelined], link(7), alternatives=["app_limited"], never=NO_TIMER)
    greeting = flow([["read", 80], *exchanges(5)["client"]], [["sleep", 600], ["write", 80], *exchanges(5)["server"][:-1]])
    yield scenario("late_greeting", "server_think", "server", [greeting], link(7), alternatives=["app_limited"], never=NO_TIMER)


def events(count, every_ms):
    """A page that is told of what happens (server-sent events)."""
    ask = "GET /events HTTP/1.1\r\nHost: news.example\r\nAccept: text/event-stream\r\n\r\n"
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    event = "a\r\ndata: {}\n\n\r\n"
    return flow([["say", ask], ["read", len(head) + count * len(event)]],
                [["read", len(ask)], ["say", head], ["repeat", count, ["sleep", every_ms], ["say", event]]])  # fmt: skip


def idling():
    for idle in (5, 40, 200, 1000):
        for rtt in (0.3, 15):
            others = ["client_think", "none"] if idle <= 40 else ["client_think"]
            yield scenario(f"client_idle{idle}_rtt{name_ms(rtt)}", "client_idle", "client",
                           [exchanges(4 if idle == 1000 else 15, idle_ms=idle)], link(rtt),
                           alternatives=others, never=NO_TIMER)  # fmt: skip
    yield scenario("server_sent_events", "client_idle", "client", [events(5, 500)], link(7),
                   snap={"client": 256, "server": 256}, never=[*NO_TIMER, "server_think", "app_limited"])  # fmt: skip
    alive = {"keepalive": 1, "keepidle": 1, "keepintvl": 1}
    for side in ("client", "server"):
        quiet = exchanges(2, idle_ms=4500, **{f"{side}_options": alive})
        yield scenario(f"keepalive_{side}", "client_idle", "client", [quiet], link(7),
                       alternatives=["none", "client_think"], never=[*NO_TIMER, "zero_window"])  # fmt: skip


def split_replies():
    """Replies in pieces with TCP_NODELAY: the pauses are the server program's own."""
    for gap in (1, 10, 40, 200):
        for count, rtt in ((2, 0.3), (2, 7), (3, 50), (5, 7)):
            others = ["server_think"] + ["none"] * (gap == 1 or gap == 10 and rtt == 50)
            yield scenario(f"split{count}_gap{gap}_rtt{name_ms(rtt)}", "app_limited", "server",
                           [exchanges(10, reply=[300] * count, gap_ms=gap, **NODELAY)], link(rtt), alternatives=others, never=NO_TIMER)  # fmt: skip
    # About as long as the client delays its ACKs, and the way takes.
    yield scenario("split2_gap80_rtt28", "app_limited", "server", [exchanges(12, reply=[200, 800], gap_ms=80, **NODELAY)],
                   link(28), alternatives=["server_think"], never_certain=["nagle_delayed_ack", "nagle_hold"],
                   blind={"client": ["nagle_delayed_ack"]})  # fmt: skip
    yield scenario("split_request_gap40", "app_limited", "client", [exchanges(15, request=[100, 100], request_gap_ms=40, **NODELAY)],
                   link(7), alternatives=["client_think", "client_idle"], never=NO_TIMER)  # fmt: skip
    yield scenario("split2_gap40_big", "app_limited", "server", [exchanges(10, reply=[4000, 4000], gap_ms=40, **NODELAY)],
                   link(7), alternatives=["server_think"], never=NO_TIMER)  # fmt: skip
    yield scenario("split2_gap0_nodelay", "none", None, [exchanges(30, reply=[200, 600], **NODELAY)], link(7), never=NO_TIMER)
    yield scenario("split2_gap40_nagle_on", "app_limited", "server", [exchanges(10, reply=[300, 300], gap_ms=40)],
                   link(7), alternatives=["server_think", "nagle_delayed_ack"], never=["cork_hold", "loss_recovery"])  # fmt: skip


def steady_writers():
    """The application sets the pace. A flat number of bytes in flight is not a full send buffer."""
    for size, period in ((16384, 21), (65536, 50), (4096, 3), (1000, 10), (32768, 40)):
        for rtt in (0.3, 7, 20, 50):
            count = min(400, int(3500 / period))
            steady = flow([["write", 10], ["read", size * count]], [["read", 10], ["paced_write", size, period, count]], **NODELAY)
            yield scenario(f"app{size // 1024}k_every{period}_rtt{name_ms(rtt)}", "app_limited", "server", [steady], link(rtt),
                           alternatives=["server_think", "none"] if period <= 3 else ["server_think"],
                           never=["send_buffer_limited", "nagle_hold", "nagle_delayed_ack", "cork_hold", "loss_recovery", "zero_window"])  # fmt: skip
    up = flow([["paced_write", 16384, 21, 150], ["read", 10]], [["read", 16384 * 150], ["write", 10]])
    yield scenario("app16k_every21_upload", "app_limited", "client", [up], link(20), alternatives=["client_think"],
                   never=["send_buffer_limited", "nagle_delayed_ack", "cork_hold", "loss_recovery"])  # fmt: skip
    for rate_kb, rtt in ((500, 20), (2000, 20), (2000, 50)):
        yield scenario(f"pacing{rate_kb}k_rtt{rtt}", "pacing", "server",
                       [download(rate_kb * 3000, server_options={"pacing": rate_kb * 1000})], link(rtt),
                       alternatives=["app_limited", "bandwidth_limited", "none", "congestion_window_limited", "slow_start", "unknown"],
                       never=["send_buffer_limited", "loss_recovery", "nagle_hold", "receive_window_limited", "zero_window"])  # fmt: skip


def both_ways():
    steps = [["both", [["write", 5_000_000]], [["read", 5_000_000]]]]
    yield scenario("both_ways_20mbit", "bandwidth_limited", None, [flow(steps, steps)], link(20, 20, 200_000),
                   alternatives=["loss_recovery", "congestion_window_limited"], never=["send_buffer_limited", "zero_window"])  # fmt: skip
    yield scenario("upload_then_think", "server_think", "server",
                   [flow([["begin"], ["write", 200_000], ["read", 10], ["end"]], [["read", 200_000], ["sleep", 900], ["write", 10]])],
                   link(7), never=NO_TIMER)  # fmt: skip
    yield scenario("upload_wait_reply_lan", "none", None, [upload(100_000)], link(0.3), alternatives=["slow_start"], never=NO_TIMER)


def table():
    for family in (thinking, idling, split_replies, steady_writers, both_ways):
        yield from family()
