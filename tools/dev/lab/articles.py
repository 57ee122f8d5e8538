#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""articles.py OUT [EXPERIMENT...]: the experiments of docs/the-articles.md with the programs that the articles used.

Needs root, and of Debian: nginx, php8.2-fpm, wrk, apache2-utils, iperf3, hping3, traceroute, nftables, tcpdump, iproute2.
Each leaves OUT/EXPERIMENT/{client,server}.pcap and truth.json: the programs' own reports, the kernel's counters.
  --list   print the experiments
"""
import argparse
import contextlib
import fnmatch
import json
import os
import subprocess
import sys
import tempfile

import host
import run
import services
from scenarios import build

SERVER = host.SERVER["4"]
# A client's own clock counts how long it waits for a processor: these do not wait for one.
AT_ONCE = ("chrt", "--fifo", "1")
SMALL = {"both": {"net.ipv4.tcp_max_tw_buckets": 131072}}
# A synproxy answers for the server, and has no window scale unless it is told the server's.
SYNPROXY = """table inet lab {
  chain first { type filter hook prerouting priority -300; tcp dport 9000 tcp flags syn notrack; }
  chain in { type filter hook input priority 0; tcp dport 9000 ct state invalid,untracked synproxy mss 1460 sack-perm timestamp; ct state invalid drop; }
}"""
UNANSWERED = "table inet lab { chain in { type filter hook input priority 0; tcp dport 81 drop; }\n}\n"
LIMIT = "table inet lab {{ chain in {{ type filter hook input priority 0; tcp dport 80 ct state new ct count over {} drop; }}\n}}\n"


class Veth(host.Pair):
    """Hosts joined by a virtual cable: no delay, no limit, and no program that copies each frame."""

    def _start_link(self, stack):
        a, b = self.names.values()
        host.sh("ip", "link", "add", "eth0", "netns", a, "type", "veth", "peer", "name", "eth0", "netns", b)


class Routed(Veth):
    """Hosts with three routers between them, of which the second tells nobody that a packet's time is over."""

    def _start_link(self, stack):
        routers = [f"{self.names['client']}r{i}" for i in range(3)]
        for name in routers:
            host.sh("ip", "netns", "add", name)
            stack.callback(host.sh, "ip", "netns", "del", name)
            host.sh("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv4.ip_forward=1")
        way = [self.names["client"], *routers, self.names["server"]]
        for a, b in zip(way, way[1:]):
            host.sh("ip", "link", "add", "eth1" if a in routers else "eth0", "netns", a, "type", "veth",
                    "peer", "name", "eth0", "netns", b)  # fmt: skip
        for i, name in enumerate(routers):
            for number, peer in enumerate((host.CLIENT["4"], host.SERVER["4"])):
                host.sh("ip", "-n", name, "addr", "add", f"10.9.{i + 1}.{number + 1}/32", "dev", f"eth{number}")
                host.sh("ip", "-n", name, "link", "set", f"eth{number}", "up")
                near = i == (0, 2)[number]
                next_hop = [] if near else ["via", f"10.9.{i + 2 * number}.{2 - number}", "onlink"]
                host.sh("ip", "-n", name, "route", "add", peer, *next_hop, "dev", f"eth{number}")
        silent = "table inet lab { chain out { type filter hook output priority 0; icmp type time-exceeded drop; }\n}\n"
        subprocess.run(["ip", "netns", "exec", routers[1], "nft", "-f", "-"], input=silent, text=True, check=True, timeout=20)

    def _configure(self, side):
        super()._configure(side)
        peer, router = (host.SERVER["4"], "10.9.1.1") if side == "client" else (host.CLIENT["4"], "10.9.3.2")
        host.sh("ip", "-n", self.names[side], "route", "add", peer, "via", router, "dev", "eth0", "onlink")


def said(pair, side, *command, seconds=60):
    """What a program prints at that host."""
    done = subprocess.run(pair.inside(side, *command), capture_output=True, text=True, timeout=seconds, check=False)
    return done.stdout + done.stderr


def wrk(pair, *options, port=80):
    return said(pair, "client", *AT_ONCE, "wrk", "--latency", *options, f"http://{SERVER}:{port}/")


def web_load(tools, **given):
    """An experiment at nginx: `tools(pair)` returns what the tools printed."""

    def experiment(pair, folder):
        with services.web(pair, folder, **given):
            reports = tools(pair)
            reports["ss -s"] = {side: said(pair, side, "ss", "-s") for side in pair.names}
        return reports | {"nginx": services.log_counts(folder)}

    return experiment


def sent(size, buffer, requests=1):
    """A program with that SO_SNDBUF sends `size` bytes, `requests` times on one connection."""
    ask = [["begin"], ["write", 100], ["read", size], ["end"]]
    give = [["read", 100], ["write_chunks", size, 16384]]
    flow = {"port": build.PORT, "client": [["repeat", requests, *ask]], "server": [["repeat", requests, *give], ["drain"]]}
    return flow | ({"server_options": {"sndbuf": buffer}} if buffer else {})


def program(*flows):
    def experiment(pair, folder):
        scenario = build.scenario("articles", "none", "none", list(flows), build.link(0), seconds=60)
        return {"connections": run.peers(pair, scenario, folder)}

    return experiment


def iperf(pair, _folder):
    with services.running(pair.inside("server", "iperf3", "-s", "-1", "-p", "10000")):
        services.await_port(pair, "server", 10000)
        return {"iperf3": said(pair, "client", "iperf3", "-c", SERVER, "-t", "4", "-P", "2", "-C", "cubic", "-p", "10000")}


def iperf_udp(pair, _folder):
    with services.running(pair.inside("server", "iperf3", "-s", "-1", "-p", "10000")):
        services.await_port(pair, "server", 10000)
        return {"iperf3": said(pair, "client", "iperf3", "-c", SERVER, "-u", "-b", "2M", "-l", "1000", "-t", "2", "-p", "10000")}


def route(pair):
    return {"traceroute": [said(pair, "client", "traceroute", "--tcp", "-p", port, "-n", "-m", "6", "-w", "1", SERVER)
                           for port in ("80", "81")]}  # fmt: skip


def probes(pair):
    return {
        "hping3": said(pair, "client", *AT_ONCE, "hping3", "-c", "3", "-S", "-p", "80", SERVER),
        "traceroute": said(pair, "client", "traceroute", "--tcp", "-p", "80", "-n", SERVER),
        "curl": said(pair, "client", "curl", "-s", "-o", "/dev/null", "-w", "%{time_total}", f"http://{SERVER}/"),
    }


def load(**options):
    return lambda pair: {"wrk": wrk(pair, *[x for k, v in options.items() for x in (f"-{k}", v)])}


def ab(*options):
    return lambda pair: {"ab": said(pair, "client", *AT_ONCE, "ab", *options, f"http://{SERVER}/")}


PHP = {"backlog": 511, "children": 16, "ms": 0}
LINE = build.link(20, 100, queue=500000)
FEW_PORTS = {"server": {"net.ipv4.ip_local_port_range": "20000 20050"}}
# name: (experiment, what differs from two hosts on a virtual cable)
EXPERIMENTS = {
    "nagle": (web_load(load(c=100, d=4, t=2), http="sendfile on; tcp_nodelay off;"), {"link": build.link(7)}),
    "probes": (web_load(probes), {"link": build.link(7)}),
    "route": (web_load(route), {"routed": True, "nft": {"server": UNANSWERED}}),
    "ports_used_up": (web_load(load(c=100, d=3), php=PHP), {"sysctl": FEW_PORTS, "on": {"server": "any"}}),
    "ports_free_again": (web_load(ab("-c", "100", "-n", "23000")), {}),
    "accept_queues": (web_load(load(c=1000, d=8, t=2), backlog=10, php={"backlog": 10, "children": 4, "ms": 2}),
                      {"sysctl": {"server": {"net.core.somaxconn": 10}}, "on": {"server": "any"}}),
    "conntrack_full": (web_load(load(c=1000, d=8, t=2), server="keepalive_requests 20;"), {"nft": {"server": LIMIT.format(200)}}),
    "conntrack_small": (web_load(load(c=150, d=5, t=2), php={"backlog": 511, "children": 64, "ms": 400}, server="keepalive_requests 2;"),
                        {"nft": {"server": LIMIT.format(64)}}),
    "time_wait": (web_load(ab("-c", "50", "-n", "5000")), {}),
    "window_scale_lost": (program(sent(4_000_000, 0)), {"link": build.link(35, 200), "nft": {"server": SYNPROXY},
                          "sysctl": {"server": {"net.netfilter.nf_conntrack_tcp_loose": 0}}}),
    "sndbuf_16k": (program(sent(4_000_000, 16384)), {"link": LINE}),
    "sndbuf_130k": (program(sent(22_000_000, 65536)), {"link": LINE}),
    "sndbuf_256k": (program(sent(22_000_000, 131072)), {"link": LINE}),
    "sndbuf_auto": (program(sent(22_000_000, 0)), {"link": LINE}),
    "reused_connection": (program(sent(2_000_000, 0, requests=3)), {"link": LINE}),
    "iperf3": (iperf, {"link": build.link(10, 100, queue=250000)}),
    "iperf3_udp": (iperf_udp, {"link": build.link(10, up={"rate_bps": 1_900_000, "queue_bytes": 9000}), "filter": "tcp or udp or icmp"}),
    "ab": (web_load(ab("-c", "100", "-n", "3000")), {"link": build.link(5)}),
}  # fmt: skip


def settings(more):
    base = build.scenario("articles", "none", "none", [{"port": 80}], build.link(0), snap={"client": 96, "server": 96}, seconds=60)
    return base | {"sysctl": SMALL} | more


def rules(pair, more):
    for side, text in more.get("nft", {}).items():
        subprocess.run(pair.inside(side, "nft", "-f", "-"), input=text, text=True, check=True, timeout=20)


def run_one(name, number, out, link):
    experiment, more = EXPERIMENTS[name]
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    kind = host.Pair if "link" in more else Routed if "routed" in more else Veth
    tag = f"art{os.getpid() % 10000}x{number}"
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        pair = stack.enter_context(kind(tag, link, folder, settings(more)))
        rules(pair, more)
        truth = experiment(pair, work) | {"nstat": {side: pair.counters(side) for side in pair.names}}
    with open(os.path.join(folder, "truth.json"), "w", encoding="utf-8") as f:
        json.dump(truth | {"capture_drops": pair.capture_drops}, f, indent=1)
    print(f"{name}" + f" ({pair.capture_drops} frames not captured)" * bool(pair.capture_drops), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", metavar="OUT", nargs="?")
    arguments.add_argument("experiment", metavar="EXPERIMENT", nargs="*")
    arguments.add_argument("--list", action="store_true")
    given = arguments.parse_args()
    if given.list:
        print("\n".join(EXPERIMENTS))
        return
    if not given.out:
        arguments.error("OUT: the folder for the captures")
    if os.geteuid() != 0:
        sys.exit("articles.py: network namespaces need root; try sudo")
    chosen = [n for n in EXPERIMENTS if not given.experiment or any(fnmatch.fnmatch(n, p) for p in given.experiment)]
    if not chosen:
        sys.exit("articles.py: no such experiment; see --list")
    with tempfile.TemporaryDirectory() as folder:
        link = run.build("link", folder)
        for number, name in enumerate(chosen):
            run_one(name, number, os.path.abspath(given.out), link)


if __name__ == "__main__":
    main()
