#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""names.py CASE OUT.pcap: curl, nginx and a resolver in two network namespaces, captured at the client. Prints what curl
measured. As root, with iproute2, tcpdump, curl, nginx, openssl and dnsmasq.

Cases: slow, dropfirst, drop, dropaaaa, servfail, missing, truncated, dnsmasq, https, arp_late, arp_never.
"""
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

CLIENT, SERVER = "tcpwhy-names-c", "tcpwhy-names-s"
HOST = "10.77.0.2"
TIMINGS = ("%{time_namelookup} %{time_connect} %{time_appconnect} %{time_pretransfer} %{time_starttransfer} "
           "%{time_total}")
NGINX = """daemon off; pid DIR/pid; error_log /dev/null; events {} http { access_log off; root DIR/www;
server { listen HOST:80; listen HOST:443 ssl; ssl_certificate DIR/cert; ssl_certificate_key DIR/key; } }"""


def sh(command, **keywords):
    return subprocess.run(command, shell=True, check=True, **keywords)


def inside(namespace, command, **keywords):
    return subprocess.run(f"ip netns exec {namespace} {command}", shell=True, **keywords)


class Resolver:
    """Answers A by HOST; what else it does the case says."""

    def __init__(self, case):
        self.case, self.asked = case, {}
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind((HOST, 53))
        self.tcp = socket.create_server((HOST, 53))

    def answer(self, query, tcp):
        """The answer, or None, and after how many seconds."""
        at, labels = 12, []
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]])
            at += 1 + query[at]
        kind, = struct.unpack_from(">H", query, at + 1)
        times = self.asked[labels[0], kind] = self.asked.get((labels[0], kind), 0) + 1
        if self.case == "drop" or (self.case == "dropfirst" and times == 1) or (self.case == "dropaaaa" and kind == 28):
            return None, 0
        code = 2 if self.case == "servfail" else 3 if self.case == "missing" else 0
        cut = 0x200 if self.case == "truncated" and not tcp else 0
        record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + socket.inet_aton(HOST) if kind == 1 and not code and not cut else b""
        head = query[:2] + struct.pack(">5H", 0x8180 | cut | code, 1, bool(record), 0, 0)
        return head + query[12:at + 5] + record, 0.4 if self.case == "slow" else 0

    def serve_tcp(self):
        while True:
            connection, _ = self.tcp.accept()
            connection.recv(2)
            message, _ = self.answer(connection.recv(4096), True)
            connection.sendall(struct.pack(">H", len(message)) + message)
            time.sleep(0.2)
            connection.close()

    def serve(self):
        threading.Thread(target=self.serve_tcp, daemon=True).start()
        while True:
            query, address = self.udp.recvfrom(4096)
            message, after = self.answer(query, False)
            if message:
                threading.Timer(after, self.udp.sendto, (message, address)).start()


def make_hosts(case):
    for name in (CLIENT, SERVER):
        sh(f"ip netns add {name}")
    sh(f"ip link add v0 netns {CLIENT} type veth peer name v0 netns {SERVER}")
    for name, last in ((CLIENT, 1), (SERVER, 2)):
        inside(name, f"ip addr add 10.77.0.{last}/24 dev v0", check=True)
        inside(name, "ip link set v0 up; ip link set lo up", check=True)
    etc = pathlib.Path("/etc/netns") / CLIENT
    etc.mkdir(parents=True, exist_ok=True)
    quick = case in ("dropfirst", "drop", "dropaaaa", "servfail")
    (etc / "resolv.conf").write_text(f"nameserver {HOST}\n" + "options timeout:1 attempts:2\n" * quick)


def start_servers(case, folder):
    (folder / "www").mkdir()
    (folder / "www" / "page").write_text("x" * 20000)
    sh(f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {folder}/key -out {folder}/cert -days 3 -subj /CN=www.test 2>/dev/null")
    (folder / "nginx.conf").write_text(NGINX.replace("DIR", str(folder)).replace("HOST", HOST))
    os.chmod(folder, 0o755)
    commands = [["nginx", "-c", f"{folder}/nginx.conf"]]
    if case in ("dnsmasq", "https", "arp_late"):
        commands.append(["dnsmasq", "-k", "--no-resolv", "--no-hosts", f"--address=/www.test/{HOST}", f"--listen-address={HOST}",
                         "--bind-interfaces"])
    elif case != "arp_never":
        commands.append([sys.executable, __file__, "--resolver", case])
    return [subprocess.Popen(["ip", "netns", "exec", SERVER, *command], stderr=subprocess.DEVNULL) for command in commands]


def fetch(case):
    url = {"https": "https://www.test/page", "missing": "http://missing.test/page", "arp_never": "http://10.77.0.9/page"}
    family = "" if case in ("drop", "dropaaaa") else "-4"
    return inside(CLIENT, f"curl {family} -sk -o /dev/null -w '{TIMINGS}' {url.get(case, 'http://www.test/page')}", stdout=subprocess.PIPE, text=True)


def capture(case, out):
    time.sleep(1.5)
    if not case.startswith("arp"):  # the neighbours know each other
        inside(CLIENT, f"curl -s -m 3 -o /dev/null http://{HOST}/page")
    dump = subprocess.Popen(["ip", "netns", "exec", CLIENT, "tcpdump", "-i", "v0", "-s", "400", "-U", "-w", out, "not ip6"],
                            stderr=subprocess.DEVNULL)
    time.sleep(1.2)
    if case == "arp_late":
        inside(SERVER, "sysctl -qw net.ipv4.conf.v0.arp_ignore=8", check=True)
        threading.Timer(1.4, inside, (SERVER, "sysctl -qw net.ipv4.conf.v0.arp_ignore=0")).start()
    print(fetch(case).stdout)
    time.sleep(2.5 if case in ("drop", "arp_never") else 1)
    dump.send_signal(signal.SIGINT)
    dump.wait()


def main():
    if sys.argv[1] == "--resolver":
        Resolver(sys.argv[2]).serve()
    case, out = sys.argv[1:3]
    servers = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            make_hosts(case)
            servers = start_servers(case, pathlib.Path(folder))
            capture(case, out)
    finally:
        for server in servers:
            server.terminate()
            server.wait()
        for name in (CLIENT, SERVER):
            subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
