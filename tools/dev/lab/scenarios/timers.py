# SPDX-License-Identifier: MIT
"""Nagle, delayed ACKs and cork: the holds of 40 and 200 ms, from either side."""
from .build import exchanges, flow, link, name_ms, scenario


def quick(side, made):
    """The flow with one side acknowledging at once."""
    return made | {side: [["quickack", 1], *made[side]]}


def nagle_delayed():
    for rtt in (0.3, 2, 7, 15, 50, 120):
        others = ["nagle_hold"] if rtt >= 120 else []
        count = 20 if rtt < 50 else 12
        yield scenario(f"nagle_server_rtt{name_ms(rtt)}", "nagle_delayed_ack", "server", [exchanges(count, reply=[200, 600])], link(rtt),
                       alternatives=others, never=["cork_hold", "loss_recovery"])  # fmt: skip
        yield scenario(f"nagle_client_rtt{name_ms(rtt)}", "nagle_delayed_ack", "client", [exchanges(count, request=[60, 40])], link(rtt),
                       alternatives=others, never=["cork_hold", "loss_recovery"])  # fmt: skip
    yield scenario("nagle_server_3_writes", "nagle_delayed_ack", "server", [exchanges(20, reply=[100, 100, 100])], link(2))
    # Two full segments before the tail make the client acknowledge at once: the hold is a round trip, not a timer.
    yield scenario("nagle_server_big_tail", "nagle_hold", "server", [exchanges(20, reply=[200, 4000])], link(2),
                   alternatives=["none"], never=["nagle_delayed_ack", "send_buffer_limited"])  # fmt: skip
    yield scenario("nagle_server_ipv6", "nagle_delayed_ack", "server", [exchanges(20, reply=[200, 600])], link(7), family="6")
    yield scenario("nagle_server_no_timestamps", "nagle_delayed_ack", "server", [exchanges(20, reply=[200, 600])], link(7),
                   sysctl={"both": {"net.ipv4.tcp_timestamps": 0}})  # fmt: skip
    yield scenario("nagle_server_with_think20", "nagle_delayed_ack", "server", [exchanges(20, reply=[200, 600], think_ms=10)], link(2),
                   contains=["server_think"])  # fmt: skip
    yield scenario("nagle_server_10_connections", "nagle_delayed_ack", "server", [exchanges(10, reply=[200, 600], connections=10)], link(2))


def nagle_quick():
    for rtt in (7, 15, 50, 120):
        yield scenario(f"nagle_hold_server_rtt{rtt}", "nagle_hold", "server", [quick("client", exchanges(15, reply=[200, 600]))], link(rtt),
                       never=["cork_hold", "delayed_ack", "loss_recovery"])  # fmt: skip
        yield scenario(f"nagle_hold_client_rtt{rtt}", "nagle_hold", "client", [quick("server", exchanges(15, request=[60, 40]))], link(rtt),
                       never=["cork_hold", "delayed_ack", "loss_recovery"])  # fmt: skip


def corks():
    never = ["nagle_delayed_ack", "delayed_ack", "loss_recovery"]
    for rtt in (0.3, 7, 50):
        more = flow([["repeat", 8, ["begin"], ["write", 100], ["read", 700], ["end"]]],
                    [["repeat", 8, ["read", 100], ["more", 700]]])  # fmt: skip
        yield scenario(f"more_whole_reply_rtt{name_ms(rtt)}", "cork_hold", "server", [more], link(rtt), alternatives=["server_think"], never=never)
        ask = [["repeat", 8, ["begin"], ["write", 100], ["read", 5000], ["end"]]]
        tail = flow(ask, [["cork", 1], ["repeat", 8, ["read", 100], ["write", 5000]]])
        yield scenario(f"cork_tail_rtt{name_ms(rtt)}", "cork_hold", "server", [tail], link(rtt), alternatives=["app_limited"], never=never)
        # MSG_MORE holds by the call and not by the socket: the next ACK pushes the rest out.
        tail = flow(ask, [["repeat", 8, ["read", 100], ["more", 5000]]])
        yield scenario(f"more_tail_rtt{name_ms(rtt)}", "nagle_hold", "server", [tail], link(rtt),
                       alternatives=["cork_hold", "app_limited"] + ["none"] * (rtt < 1), never=[*never, "slow_start"])  # fmt: skip
    left_on = flow([["repeat", 8, ["begin"], ["write", 100], ["read", 900], ["end"]]],
                   [["cork", 1], ["repeat", 8, ["read", 100], ["write", 900]]])  # fmt: skip
    yield scenario("cork_left_on", "cork_hold", "server", [left_on], link(7), alternatives=["server_think"], never=never)
    used_well = flow([["repeat", 20, ["begin"], ["write", 100], ["read", 900], ["end"]]],
                     [["repeat", 20, ["read", 100], ["cork", 1], ["write", 300], ["write", 600], ["cork", 0]]])  # fmt: skip
    yield scenario("cork_used_well", "none", None, [used_well], link(7), never=["cork_hold", *never])
    for rtt in (0.3, 7, 50, 180):
        client = flow([["repeat", 8, ["begin"], ["more", 100], ["read", 900], ["end"]]], [["repeat", 8, ["read", 100], ["write", 900]]])
        yield scenario(f"more_request_rtt{name_ms(rtt)}", "client_idle", "client", [client], link(rtt),
                       alternatives=["cork_hold", "client_think"], never=never)  # fmt: skip
    client = flow([["cork", 1], ["repeat", 8, ["write", 40], ["write", 60], ["read", 900], ["sleep_random", 20, 90]]],
                  [["repeat", 8, ["read", 100], ["sleep", 5], ["write", 900]]])  # fmt: skip
    yield scenario("cork_request_thinks", "client_idle", "client", [client], link(20), alternatives=["cork_hold", "client_think"], never=never,
                   never_certain=["client_idle"])  # fmt: skip
    # Beats of a program's own clock are no timer of the kernel's.
    for period in (220, 250):
        beat = flow([["both", [["paced_write", 100, period, 10]], [["read", 9000]]]], [["repeat", 10, ["read", 100], ["write", 900]]])
        yield scenario(f"beat{period}_rtt5", "client_idle", "client", [beat], link(5), alternatives=["none"], never=["cork_hold", *never])


def table():
    for family in (nagle_delayed, nagle_quick, corks):
        yield from family()
