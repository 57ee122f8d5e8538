#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kinds.py OUT [CASE...]: what breaks a connection, and what only looks like it, by real programs: client, router, a cable of 10 ms each
way, router, server, captured at both ends. The cases are those of pcaps/ with the same names.

Needs root, and of Debian: nginx, redis-server, curl, openssl, nftables, libc-bin, iproute2, tcpdump, util-linux. A few seconds a case.
"""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

import host
import run
import services

CLIENT, SERVER = "10.44.1.10", "10.44.2.20"
ADDRESSES = {
    "client": {"eth0": (CLIENT, "10.44.1.1")},
    "near": {"in0": ("10.44.1.1", None), "eth0": ("10.44.9.1", "10.44.9.2")},
    "far": {"in0": ("10.44.2.1", None), "eth0": ("10.44.9.2", "10.44.9.1")},
    "server": {"eth0": (SERVER, "10.44.2.1")},
}
WAY_US = 10_000
HTTP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "odd_http.py")
NGINX = """daemon off; worker_processes 2; user root; pid {f}/pid; error_log {f}/error.log; events {{}}
http {{ access_log off; root {f}; client_body_temp_path {f}/b; proxy_temp_path {f}/p; fastcgi_temp_path {f}/f; uwsgi_temp_path {f}/u;
scgi_temp_path {f}/s; {conf} }}"""


class Net:
    """Two hosts and their two routers; use it as a `with` block."""

    def __init__(self, tag, link, folder):
        self.names = {who: f"kinds{tag}{who[0]}" for who in ADDRESSES}
        self.link, self.folder, self.stack = link, folder, contextlib.ExitStack()

    def __enter__(self):
        for name in self.names.values():
            host.sh("ip", "netns", "add", name)
            self.stack.callback(host.sh, "ip", "netns", "del", name)
        delay = f"delay_us={WAY_US}"
        self.start([self.link, "120", "0", self.names["near"], self.names["far"], "a2b", delay, "b2a", delay])
        time.sleep(0.5)
        for end, router in (("client", "near"), ("server", "far")):
            host.sh("ip", "-n", self.names[end], "link", "add", "eth0", "type", "veth", "peer", "name", "in0", "netns", self.names[router])
        for who, devices in ADDRESSES.items():
            self.configure(who, devices)
        for end in ("client", "server"):
            self.start(self.inside(end, "tcpdump", "-i", "eth0", "-n", "-U", "--immediate-mode", "--time-stamp-precision=nano", "-Z", "root",
                                   "-w", f"{self.folder}/{end}.pcap", "not icmp6"), signal.SIGINT)  # fmt: skip
        time.sleep(1)
        return self

    def __exit__(self, *_):
        time.sleep(0.6)
        self.stack.close()

    def configure(self, who, devices):
        lines = ["sysctl -qw net.ipv4.ip_forward=1 net.ipv4.tcp_no_metrics_save=1 net.ipv4.icmp_ratelimit=0", "ip link set lo up"]
        for device, (address, gateway) in devices.items():
            lines += [f"ip link set {device} up", f"ip addr add {address}/24 dev {device}"]
            lines += [f"ip route add default via {gateway}"] if gateway else []
        self.do(who, "\n".join(lines))

    def inside(self, who, *command):
        return ["ip", "netns", "exec", self.names[who], *command]

    def do(self, who, text, seconds=60):
        return subprocess.run(self.inside(who, "sh", "-c", text), capture_output=True, text=True, timeout=seconds, check=False)

    def start(self, command, number=signal.SIGTERM):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(host.stop, process, number, 4)
        return process

    def program(self, who, *command):
        return self.start(self.inside(who, *command))

    def serve(self, port, *command):
        process = self.program("server", *command)
        services.await_port(self, "server", port)
        return process

    def web(self, port=8081):
        return self.serve(port, sys.executable, HTTP, "serve", str(port))

    def ask(self, *steps, port=8081, address=SERVER):
        """Start a client: get:/PATH, ask:/PATH (and read nothing), sleep:SECONDS, open, close, bind:PORT."""
        return self.program("client", sys.executable, HTTP, "ask", address, str(port), *steps)

    def nginx(self, conf, port=8180):
        services.write(f"{self.folder}/index.html", "x" * 200)
        services.write(f"{self.folder}/nginx.conf", NGINX.format(f=self.folder, conf=conf))
        return self.serve(port, "nginx", "-e", f"{self.folder}/error.log", "-c", f"{self.folder}/nginx.conf")

    def tls(self, versions="TLSv1.2 TLSv1.3"):
        self.do("server", f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {self.folder}/key -out {self.folder}/cert -days 3 "
                          "-subj /CN=till.example -addext subjectAltName=DNS:till.example")  # fmt: skip
        self.nginx(f"ssl_certificate {self.folder}/cert; ssl_certificate_key {self.folder}/key; ssl_protocols {versions}; "
                   "server { listen 8180; listen 8443 ssl; }")  # fmt: skip

    def filter(self, who, *rules, hook="forward"):
        text = "\n".join(["table ip t {", f"chain f {{ type filter hook {hook} priority 0;", *rules, "}", "}"])
        subprocess.run(self.inside(who, "nft", "-f", "-"), input=text, text=True, check=True, timeout=10)

    def unfilter(self, who):
        host.sh(*self.inside(who, "nft", "delete", "table", "ip", "t"))


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def wait(*processes):
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(12)


DROPS = ("tcp dport 8081 drop", "tcp sport 8081 drop")
DRIP = f"http://{SERVER}:8081/drip/40000"
TILL = f"-s -o /dev/null --resolve till.example:8443:{SERVER} https://till.example:8443/"


@case
def keep_alive_race(n):
    n.nginx("keepalive_timeout 4s; server { listen 8180; }")
    wait(*[n.ask("get:/", f"sleep:{3.975 + 0.006 * i:.3f}", "get:/", "sleep:0.5", "close", port=8180) for i in range(10)])


@case
def keep_alive_closed_negative(n):
    n.nginx("keepalive_timeout 2s; server { listen 8180; }")
    wait(n.ask("get:/", "sleep:2.5", "close", "get:/", "sleep:0.2", "get:/", "sleep:2.2", "close", port=8180))


@case
def closed_connection_reused(n):
    n.web()
    wait(n.ask("bind:33413", "get:/nolength/0", "sleep:1.2", "get:/", "close"))


def download(n, then):
    n.web()
    curl = n.program("client", "curl", "-s", "-o", "/dev/null", DRIP)
    time.sleep(1.6)
    then(curl)
    time.sleep(0.5)


@case
def transfer_reset_by_box(n):
    def reset(curl):
        n.filter("far", "tcp sport 8081 reject with tcp reset")
        time.sleep(2)
        host.stop(curl)

    download(n, reset)


@case
def transfer_reset_by_server(n):
    download(n, lambda curl: n.do("server", "ss -K sport = :8081"))


@case
def client_left_midway(n):
    download(n, lambda curl: host.stop(curl, signal.SIGKILL))


@case
def dark_path_negative(n):
    def darken(curl):
        n.filter("far", *DROPS)
        time.sleep(2.5)
        n.unfilter("far")
        wait(curl)

    download(n, darken)


@case
def client_gave_up(n):
    n.web()
    for seconds in ("6", "2.2"):
        n.do("client", f"curl -s -m 2.5 -o /dev/null http://{SERVER}:8081/slow/{seconds}")


@case
def request_reset_by_box(n):
    n.web()
    n.filter("near", "tcp dport 8081 tcp flags & (psh|syn) == psh reject with tcp reset")
    wait(n.ask("get:/"))


@case
def refused_by_box(n):
    n.web()
    n.filter("near", "tcp dport 8099 reject with tcp reset")
    wait(n.ask("get:/", "close", "get:/", "close"))
    wait(n.ask("open", port=8099), n.ask("open", port=8098))


@case
def refused_by_icmp(n):
    n.web()
    n.filter("far", "tcp dport 8099 reject with icmp type admin-prohibited")
    wait(n.ask("get:/", "close"), n.ask("open", port=8099))


@case
def routing_loop(n):
    n.do("near", "ip route add 10.44.3.0/24 via 10.44.9.2")
    n.do("far", "ip route add 10.44.3.0/24 via 10.44.9.1")
    n.web()
    wait(n.ask("get:/", "close"), n.ask("open", address="10.44.3.5"))


@case
def answer_cut_short(n):
    n.web(8082)
    n.nginx("server { listen 8180; location / { proxy_http_version 1.1; proxy_buffering off; proxy_pass http://127.0.0.1:8082/; } }")
    for path in ("short/0.4", "chunks/0.7"):
        n.do("client", f"curl -s -o /dev/null http://{SERVER}:8180/{path}")


@case
def answer_whole_negative(n):
    n.web()
    n.nginx("server { listen 8180; }")
    plain, close = f"http://{SERVER}:8081/", f"-H 'Connection: close' http://{SERVER}:8180/"
    later = "-H 'If-Modified-Since: Wed, 01 Jan 2031 00:00:00 GMT'"
    n.do("client", f"curl -sI {plain}; curl -s {plain}allchunks -o /dev/null; curl -sI {close}; curl -s {later} {close}; curl -s {close}")


@case
def server_restarted(n):
    redis = ("redis-server", "--port", "6390", "--save", "", "--bind", "0.0.0.0", "--protected-mode", "no", "--enable-debug-command", "yes")
    first = n.serve(6390, *redis)
    clients = [n.program("client", sys.executable, HTTP, "redis", SERVER, "6390", str(i)) for i in range(3)]
    time.sleep(1.5)
    first.kill()
    first.wait()
    time.sleep(0.8)
    n.serve(6390, *redis)
    wait(*clients)


@case
def worker_died_negative(n):
    n.web(8082)
    nginx = n.nginx("server { listen 8180; location / { return 200 'ok'; } location /w { proxy_pass http://127.0.0.1:8082/slow/6; } }")
    clients = [n.ask("get:/", "sleep:0.2", "get:/w", port=8180), n.ask(*["get:/", "close", "sleep:0.4"] * 6, port=8180)]
    time.sleep(1.6)
    busy = n.do("server", "ss -Htnp dport = :8082").stdout
    workers = subprocess.run(["pgrep", "-P", str(nginx.pid)], capture_output=True, text=True, check=False).stdout.split()
    for worker in workers:
        if f"pid={worker}," in busy:
            os.kill(int(worker), signal.SIGKILL)
    wait(*clients)


@case
def host_gone(n):
    n.web()
    client = n.ask("get:/", "sleep:1.2", "get:/slow/1")
    time.sleep(0.9)
    n.do("far", "ip link set in0 down; ip link set in0 up; ip addr add 10.44.2.1/24 dev in0; ip neigh flush dev in0")
    n.do("server", "ip link set eth0 arp off")
    time.sleep(9)
    host.stop(client)


@case
def syn_ack_ignored(n):
    n.web()
    n.filter("client", "tcp sport 8081 drop", hook="input")
    wait(n.ask("open"))


@case
def syn_ack_lost(n):
    n.web()
    n.filter("near", "tcp sport 8081 drop")
    wait(n.ask("open"))


@case
def ecn_not_wanted_negative(n):
    n.do("client", "sysctl -qw net.ipv4.tcp_ecn=1")
    n.do("server", "sysctl -qw net.ipv4.tcp_ecn=0")
    n.web()
    wait(n.ask(*["get:/", "close"] * 3))


@case
def ipv6_refused_negative(n):
    n.web()
    n.do("client", "ip -6 addr add fd44:1::10/64 dev eth0 nodad; ip -6 route add default via fd44:1::1")
    n.do("near", "ip -6 addr add fd44:1::1/64 dev in0 nodad")
    n.do("client", f"curl -s -o /dev/null --resolve shop.example:8081:[fd44:1::1],{SERVER} http://shop.example:8081/")


@case
def older_connection(n):
    n.web()
    old = n.ask("bind:33412", "get:/", "sleep:30")
    time.sleep(1)
    n.filter("near", "tcp dport 8081 drop")
    host.stop(old, signal.SIGKILL)
    n.do("client", "ss -K dport = :8081")
    time.sleep(0.3)
    n.unfilter("near")
    wait(n.ask("bind:33412", "get:/", "sleep:0.3", "close"))


@case
def names_dead_without_tcp(n):
    n.filter("far", "udp dport 53 drop")
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as conf:
        conf.write(f"nameserver {SERVER}\noptions timeout:1 attempts:3\n")
        conf.flush()
        n.do("client", f"mount --bind {conf.name} /etc/resolv.conf && getent ahosts shop.example")


@case
def tls_alert_version(n):
    n.tls("TLSv1.2")
    n.do("client", f"curl -k --tlsv1.3 {TILL}")


@case
def tls_alert_untrusted(n):
    n.tls()
    n.do("client", f"curl --tls-max 1.2 {TILL}")


@case
def tls_not_trusted(n):
    n.tls("TLSv1.3")
    n.do("client", f"curl {TILL}")


@case
def tls_left_negative(n):
    n.tls()
    n.do("client", f"curl -k {TILL}; curl --cacert {n.folder}/cert --tls-max 1.2 {TILL}; "
                   f"openssl s_client -connect {SERVER}:8443 -servername till.example </dev/null")  # fmt: skip


@case
def not_tls(n):
    n.tls()
    n.do("client", f"curl -sk https://{SERVER}:8180/; curl -s http://{SERVER}:8443/")


@case
def dismissed_by_redis(n):
    n.serve(6391, "redis-server", "--port", "6391", "--save", "", "--bind", "0.0.0.0", "--protected-mode", "no", "--maxclients", "1")
    first = n.program("client", sys.executable, HTTP, "redis", SERVER, "6391", "1")
    time.sleep(0.6)
    n.do("client", f"{sys.executable} {HTTP} redis {SERVER} 6391 9")
    wait(first)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    if os.geteuid() != 0:
        sys.exit("kinds.py: network namespaces need root; try sudo")
    unknown = set(sys.argv[2:]) - CASES.keys()
    if unknown:
        sys.exit(f"kinds.py: no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    with tempfile.TemporaryDirectory() as programs:
        link = run.build("link", programs)
        for number, name in enumerate(sys.argv[2:] or CASES):
            folder = os.path.join(os.path.abspath(sys.argv[1]), name)
            os.makedirs(folder, exist_ok=True)
            with Net(f"{os.getpid() % 1000}x{number}", link, folder) as net:
                CASES[name](net)
            print(name, flush=True)


if __name__ == "__main__":
    main()
