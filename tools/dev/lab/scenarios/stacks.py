# SPDX-License-Identifier: MIT
"""Other TCPs at one end or both: gVisor's netstack, smoltcp, lwIP. stacks/build.sh builds their programs.

What they do that Linux does not, by their sources: gVisor acknowledges whatever comes at once, does not know Nagle's algorithm unless told, and
its timeouts have a floor of 200 ms; smoltcp acknowledges after 10 ms at the latest, has no congestion window unless told, nor a timeout below a second
(RFC 6298, 2.4); lwIP looks for ACKs that are due every 250 ms and counts its timeouts in ticks of 500 ms. Only gVisor starts anew after a pause.
"""
from .build import download, exchanges, flow, link, scenario, upload

SACK = {"sack": 1}
# The last of the seven frames of a reply of 10 000 bytes, three times.
LAST_OF_7 = {"data": "7,15,23"}
NO_WINDOW = ["receive_window_limited", "zero_window", "loss_recovery"]
PARTS = {"reply": [200, 600]}


def row(name, primary, at, flows, path, server=None, client=None, settings=None, **more):
    """A scenario with these stacks at its ends; the settings are for each of them."""
    stack = {side: s for side, s in (("server", server), ("client", client)) if s}
    settings = {side: settings or {} for side in stack}
    return scenario(name, primary, at, flows, path, stack=stack, stack_settings=settings, **more)


def nagle():
    """Two writes and a read, with each stack as the writer and as the reader."""
    for s in ("gvisor", "smoltcp", "lwip"):
        on, off = {"server_options": {"nodelay": 0}}, {"server_options": {"nodelay": 1}}
        for rtt in (7, 50):
            yield row(f"{s}_write_write_read_rtt{rtt}", "nagle_delayed_ack", "server", [exchanges(15, **PARTS, **on)], link(rtt), server=s,
                      never=["cork_hold", "loss_recovery", "server_think"])  # fmt: skip
        yield row(f"{s}_nodelay_rtt15", "none", None, [exchanges(15, **PARTS, **off)], link(15), server=s,
                  never=["nagle_hold", "nagle_delayed_ack", "delayed_ack", "loss_recovery", "server_think"])  # fmt: skip
        requests = exchanges(15, request=[60, 40], client_options={"nodelay": 0})
        yield row(f"{s}_requests_in_parts_rtt7", "nagle_delayed_ack", "client", [requests], link(7), client=s,
                  never=["cork_hold", "loss_recovery", "client_think"])  # fmt: skip
    # Linux writes, the others say when it may go on.
    linux = [exchanges(15, **PARTS)]
    yield row("gvisor_reads_parts_rtt15", "nagle_hold", "server", linux, link(15), client="gvisor",
              never=["nagle_delayed_ack", "delayed_ack", "cork_hold", "loss_recovery"])  # fmt: skip
    # 10 ms of a timer behind 7 ms or 50 ms of the way: the wait is a round trip and a short timer.
    for rtt in (7, 50):
        yield row(f"smoltcp_reads_parts_rtt{rtt}", "nagle_hold", "server", linux, link(rtt), client="smoltcp", alternatives=["nagle_delayed_ack"],
                  never=["cork_hold", "loss_recovery", "server_think"])  # fmt: skip
    late = [exchanges(15, **PARTS, client_options={"ack_delay_ms": 200})]
    yield row("smoltcp_acks_after_200ms_rtt7", "nagle_delayed_ack", "server", late, link(7), client="smoltcp",
              never=["cork_hold", "loss_recovery", "server_think"])  # fmt: skip
    for rtt in (7, 50):
        yield row(f"lwip_reads_parts_rtt{rtt}", "nagle_delayed_ack", "server", linux, link(rtt), client="lwip",
                  never=["cork_hold", "loss_recovery", "server_think"])  # fmt: skip
    yield row("smoltcp_to_gvisor_rtt15", "nagle_hold", "server", linux, link(15), server="smoltcp", client="gvisor",
              never=["nagle_delayed_ack", "delayed_ack", "cork_hold", "loss_recovery"])  # fmt: skip
    yield row("smoltcp_to_lwip_rtt15", "nagle_delayed_ack", "server", linux, link(15), server="smoltcp", client="lwip",
              never=["cork_hold", "loss_recovery"])  # fmt: skip


def buffers():
    for s in ("gvisor", "smoltcp"):
        small = {"server_options": {"sndbuf": 16384}}
        yield row(f"{s}_sndbuf16k_rtt20", "send_buffer_limited", "server", [download(600_000, 8192, **small)], link(20), server=s, never=NO_WINDOW)
        yield row(f"{s}_sndbuf16k_upload_rtt20", "send_buffer_limited", "client", [upload(600_000, 8192, client_options={"sndbuf": 16384})], link(20),
                  client=s, never=NO_WINDOW)  # fmt: skip
        tight = {"client_options": {"rcvbuf": 16384}}
        yield row(f"{s}_rcvbuf16k_rtt20", "receive_window_limited", "client", [download(600_000, **tight)], link(20), client=s,
                  alternatives=["delayed_ack"] * (s == "smoltcp"), never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    # The buffers of lwIP are fixed: 64 KiB to send from and to receive into.
    yield row("lwip_sndbuf64k_rtt100", "send_buffer_limited", "server", [download(2_500_000)], link(100), server="lwip", never=NO_WINDOW)
    yield row("lwip_rcvbuf64k_rtt50", "receive_window_limited", "client", [download(2_500_000)], link(50), client="lwip",
              never=["send_buffer_limited", "loss_recovery"])  # fmt: skip
    for s in ("gvisor", "smoltcp", "lwip"):
        options = {} if s == "lwip" else {"client_options": {"rcvbuf": 32768}}
        sleeper = flow([["write", 100], ["repeat", 3, ["sleep", 1000], ["read", 300_000]]], [["read", 100], ["write", 900_000]], **options)
        # lwIP drops what comes while its program's mailbox is full.
        never = ["send_buffer_limited", "server_think", *["loss_recovery"] * (s != "lwip")]
        yield row(f"{s}_sleeps1s_rtt15", "zero_window", "client", [sleeper], link(15), client=s, alternatives=["receive_window_limited"],
                  never=never)  # fmt: skip
        slow = flow([["write", 100], ["slow_read", 600_000, 16384, 60]], [["read", 100], ["write", 600_000]], **options)
        yield row(f"{s}_reads_slowly_rtt15", "receive_window_limited", "client", [slow], link(15), client=s, alternatives=["zero_window"],
                  never=never)  # fmt: skip
        # The same with the stack as the one that has to wait and to probe.
        sleeper = sleeper | {"client_options": {"rcvbuf": 16384}}
        yield row(f"{s}_waits_for_sleeper_rtt15", "zero_window", "client", [sleeper], link(15), server=s, alternatives=["receive_window_limited"],
                  never=["send_buffer_limited", "server_think"], never_certain=["loss_recovery"])  # fmt: skip


def losses():
    for s, settings, name in (("gvisor", {}, ""), ("gvisor", SACK, "_sack"), ("smoltcp", {}, ""), ("smoltcp", {"congestion": "reno"}, "_reno"),
                              ("lwip", {}, "")):  # fmt: skip
        yield row(f"{s}{name}_loss1_rtt20", "loss_recovery", "server", [download(700_000)], link(20, down={"loss": 0.01}), server=s, settings=settings,
                  alternatives=["congestion_window_limited"], never=["zero_window", "server_think", "app_limited"])  # fmt: skip
        # smoltcp has neither timestamps nor numbers of packets, by which the client's end could tell what was lost on the way to it.
        unseen = {"blind": {"client": ["app_limited"]}} if s == "smoltcp" else {}
        yield row(f"{s}{name}_tails_rtt7", "loss_recovery", "server", [exchanges(5, reply=[10_000])], link(7, down=LAST_OF_7), server=s,
                  settings=settings, never=["server_think", "cork_hold", "zero_window"], **unseen)  # fmt: skip
        yield row(f"{s}{name}_requests_lost_rtt15", "loss_recovery", "client", [exchanges(8)], link(15, up={"data": "3,7"}), client=s,
                  settings=settings, blind={"server": ["none", "client_idle", "client_think"]}, never=["server_think", "zero_window"])  # fmt: skip
    for s in ("gvisor", "smoltcp", "lwip"):
        yield row(f"{s}_receives_loss2_rtt20", "loss_recovery", "server", [download(1_000_000)], link(20, down={"loss": 0.02}), client=s,
                  alternatives=["congestion_window_limited"], never=["zero_window", "server_think", "app_limited"])  # fmt: skip


def late_acks():
    """Linux sends again what the other end has and acknowledges later than the timeout: nothing was lost, and nobody waited for it."""
    kind = {"never": ["send_buffer_limited", "zero_window", "cork_hold"], "never_certain": ["loss_recovery"]}
    small = exchanges(8, reply=[400], idle_ms=500)
    yield row("lwip_acks_late_idle500_rtt5", "client_idle", "client", [small], link(5), client="lwip", alternatives=["none"], **kind)
    yield row("lwip_acks_late_think400_rtt5", "server_think", "server", [exchanges(8, think_ms=400)], link(5), server="lwip", **kind)
    floor = ["ip route replace 10.9.0.0/24 dev eth0 rto_min 20ms"]
    reader = small | {"client_options": {"ack_delay_ms": 150}}
    thinker = exchanges(8, think_ms=300, server_options={"ack_delay_ms": 150})
    for name, more in (("", {}), ("_no_sack", {"sysctl": {"both": {"net.ipv4.tcp_sack": 0}}})):
        yield row(f"smoltcp_acks_late{name}_idle500_rtt5", "client_idle", "client", [reader], link(5), client="smoltcp", alternatives=["none"],
                  setup={"server": floor}, **kind, **more)  # fmt: skip
        yield row(f"smoltcp_acks_late{name}_think300_rtt5", "server_think", "server", [thinker], link(5), server="smoltcp",
                  setup={"client": floor}, **kind, **more)  # fmt: skip


def pauses():
    no_restart = ["slow_start_after_idle", "loss_recovery", "zero_window"]
    bursts = [exchanges(4, reply=[200_000], idle_ms=1500)]
    yield row("gvisor_after_idle_rtt50", "slow_start_after_idle", "server", bursts, link(50), server="gvisor", alternatives=["slow_start"],
              never=["loss_recovery", "zero_window"])  # fmt: skip
    yield row("lwip_after_idle_rtt50", "slow_start", "server", bursts, link(50), server="lwip",
              alternatives=["client_idle", "send_buffer_limited", "none"], never=no_restart)  # fmt: skip
    yield row("smoltcp_reno_after_idle_rtt50", "slow_start", "server", bursts, link(50), server="smoltcp", settings={"congestion": "reno"},
              alternatives=["client_idle", "send_buffer_limited", "none"], never=no_restart)  # fmt: skip
    # Without a congestion window all of it leaves at once: 34 full segments. A byte more waits for their ACKs, as Nagle's algorithm was first told
    # (RFC 896); Linux holds only what follows a segment that was not full either.
    for n, cause, at in ((49_640, "none", None), (50_000, "nagle_hold", "server")):
        yield row(f"smoltcp_sends_{n}_rtt50", cause, at, [exchanges(4, reply=[n], idle_ms=300)], link(50), server="smoltcp",
                  alternatives=["client_idle"] * (not at), never=["slow_start", "congestion_window_limited", *no_restart])  # fmt: skip
    yield row("lwip_tail_held_rtt50", "nagle_hold", "server", [exchanges(10, reply=[3500])], link(50), server="lwip",
              never=["nagle_delayed_ack", "slow_start", *no_restart])  # fmt: skip
    for s in ("gvisor", "smoltcp", "lwip"):
        yield row(f"{s}_think200_rtt20", "server_think", "server", [exchanges(8, reply=[5000], think_ms=200)], link(20), server=s,
                  contains=["nagle_hold"] * (s != "gvisor"), never=["nagle_delayed_ack", "loss_recovery", "zero_window"])  # fmt: skip
        yield row(f"{s}_idle300_rtt20", "client_idle", "client", [exchanges(8, idle_ms=300)], link(20), client=s, alternatives=["none"],
                  never=["nagle_hold", "nagle_delayed_ack", "loss_recovery", "server_think"])  # fmt: skip


def bulk():
    yield row("gvisor_slow_start_rtt80", "slow_start", "server", [download(500_000)], link(80), server="gvisor",
              never=["send_buffer_limited", "loss_recovery", "zero_window"])  # fmt: skip
    yield row("gvisor_rate20_rtt30", "bandwidth_limited", "server", [download(6_000_000)], link(30, 20, 200_000), server="gvisor", settings=SACK,
              alternatives=["loss_recovery", "congestion_window_limited"], never=["send_buffer_limited", "zero_window", "app_limited"])  # fmt: skip
    # 64 KiB are twice what the path holds.
    for s in ("smoltcp", "lwip"):
        yield row(f"{s}_rate10_rtt20", "bandwidth_limited", "server", [download(2_500_000)], link(20, 10, 100_000), server=s,
                  never=["loss_recovery", "zero_window", "app_limited"], never_certain=["send_buffer_limited"])  # fmt: skip
    for s in ("gvisor", "smoltcp", "lwip"):
        yield row(f"{s}_receives_rate10_rtt10", "bandwidth_limited", "server", [download(2_500_000)], link(10, 10, 100_000), client=s,
                  alternatives=["loss_recovery", "congestion_window_limited"],
                  never=["send_buffer_limited", "zero_window", "app_limited"], never_certain=["receive_window_limited"])  # fmt: skip


def table():
    for family in (nagle, buffers, losses, late_acks, pauses, bulk):
        yield from family()
