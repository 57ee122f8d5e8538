# SPDX-License-Identifier: MIT
"""Twins: the same scenario with its one trouble mended, so that what an estimate foretells can be measured.

A twin is called NAME_repaired, or NAME_nearer where the way is half as long. What limits it instead is of no concern; the mended cause must be gone.
"""
import copy
import fnmatch

# Limits of a connection without problems.
USUAL = ["slow_start", "bandwidth_limited", "congestion_window_limited", "app_limited", "server_think", "loss_recovery",
         "round_trips", "path_latency"]  # fmt: skip


def with_nodelay(row):
    for f in row["flows"]:
        for side in ("client", "server"):
            f[f"{side}_options"] = f.get(f"{side}_options", {}) | {"nodelay": 1}


def with_large_buffers(row):
    """The kernel's own sizes, which grow as they must."""
    for f in row["flows"]:
        for side in ("client", "server"):
            options = f.get(f"{side}_options", {})
            f[f"{side}_options"] = {k: v for k, v in options.items() if k not in ("rcvbuf", "sndbuf", "window_clamp")}
    for keys in row["sysctl"].values():
        keys.pop("net.ipv4.tcp_window_scaling", None)


def without_loss(row):
    for way in row["link"].values():
        way.pop("loss", None)


def steps_of(steps, change):
    """The steps, loops within them too, each replaced by what `change` makes of it; None: left out."""
    for step in steps:
        if step[0] == "repeat":
            yield [*step[:2], *steps_of(step[2:], change)]
        elif changed := change(step):
            yield changed


def promptly(step):
    if step[0] == "slow_read":
        return ["read", step[1]]
    return None if step[0] == "sleep" else step


def with_prompt_readers(row):
    with_large_buffers(row)
    for f in row["flows"]:
        for side in ("client", "server"):
            f[side] = list(steps_of(f[side], promptly))


def uncorked(step):
    return None if step[0] == "cork" else ["write", *step[1:]] if step[0] == "more" else step


def without_cork(row):
    with_nodelay(row)
    for f in row["flows"]:
        for side in ("client", "server"):
            f[side] = list(steps_of(f[side], uncorked))


def without_remembered_threshold(row):
    row["setup"] = {}


def with_large_initial_window(row):
    """As large as a Linux receiver's first window takes."""
    for host in ("client", "server"):
        row["setup"][host] = ["ip route replace 10.9.0.0/24 dev eth0 initcwnd 45"]


def without_restart(row):
    for host in ("client", "server"):
        row["sysctl"].setdefault(host, {})["net.ipv4.tcp_slow_start_after_idle"] = 0


def half_as_far(row):
    for way in row["link"].values():
        way["delay_us"] //= 2


# Names, how their trouble is mended, and causes that are gone then.
MENDED = (
    (["nagle_client_rtt*", "nagle_server_*", "nagle_hold_client_rtt*", "nagle_hold_server_rtt*"], with_nodelay, ["nagle_delayed_ack", "nagle_hold"]),
    (["rcvbuf*k_rtt*", "rcvbuf64k_*", "rcvbuf*k_*mbit_rtt*", "no_scaling_*", "mss*_rcvbuf32k", "clamp*_rtt*", "sndbuf*k_rtt*", "sndbuf*k_upload_*",
      "sndbuf*k_*mbit_rtt*", "sndbuf32k_reno", "sndbuf32k_ipv6"], with_large_buffers, ["send_buffer_limited"]),
    (["loss3_rtt*", "loss1_rtt*", "loss5_rtt*", "loss2_reno", "loss2_upload", "loss2_no_timestamps"], without_loss, ["loss_recovery"]),
    (["reader_sleeps*", "reader_*_every*", "reader_slow_upload"], with_prompt_readers, ["zero_window"]),
    (["cork_tail_rtt*", "more_request_rtt*", "more_whole_reply_rtt*"], without_cork, ["cork_hold"]),
    (["slow_start_*_rtt*", "initcwnd2_rtt50", "lowat*k_rtt50", "more_bulk_rtt30"], with_large_initial_window, []),
    (["after_idle1_rtt50", "reno_after_idle_rtt50", "no_probe_after_idle_rtt50"], without_restart, ["slow_start_after_idle"]),
    (["trips*_rtt*"], half_as_far, []),
    (["ssthresh*_rtt*"], without_remembered_threshold, ["early_slow_start_exit"]),
)  # fmt: skip


def twin(row, mend, gone):
    new = copy.deepcopy(row)
    mend(new)
    usual = [cause for cause in USUAL + ["receive_window_limited"] if cause not in gone]
    new["scenario"] += "_nearer" if mend is half_as_far else "_repaired"
    new["expected"] = {"primary": "none", "endpoint": row["expected"]["endpoint"], "alternatives": usual, "never": gone}
    return new


def of(rows):
    """The twins of those scenarios that one change mends; two troubles at once (a loss beside a small buffer) have none."""
    for row in rows:
        name = row["scenario"]
        for patterns, mend, gone in MENDED:
            if any(fnmatch.fnmatch(name, p) for p in patterns) and (mend is without_loss or "loss" not in name):
                yield twin(row, mend, gone)
                break
