# SPDX-License-Identifier: MIT
"""The pair of hosts: network namespaces, the cable between them, captures at both ends. All of it ends with the `with` block."""
import contextlib
import json
import os
import signal
import subprocess

CLIENT, SERVER = {"4": "10.9.0.1", "6": "fd09::1"}, {"4": "10.9.0.2", "6": "fd09::2"}
# Room for sockets in a host's own table; what follows from the room in the whole machine's is set below.
SOCKETS = 4096
# Default settings of every host: a plain Linux without memory of earlier connections.
SYSCTLS = {
    "net.ipv4.tcp_no_metrics_save": 1,
    "net.ipv4.tcp_max_syn_backlog": 2048,
    "net.ipv4.tcp_max_tw_buckets": 131072,
    "net.ipv6.conf.all.router_solicitations": 0,
    "net.ipv6.conf.default.accept_dad": 0,
    "net.ipv6.conf.all.accept_dad": 0,
}


def sh(*command):
    subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL, timeout=20)


def stop(process, number=signal.SIGTERM, patience_s=10):
    """End a process that we started, by its id, and return what it printed."""
    if process.poll() is None:
        process.send_signal(number)
    try:
        return process.communicate(timeout=patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()


class Pair:
    """Two hosts, `client` and `server`, joined by the link program."""

    def __init__(self, tag, link_program, folder, scenario):
        self.names = {"client": f"lab{tag}a", "server": f"lab{tag}b"}
        self.link_program, self.folder, self.scenario = link_program, folder, scenario
        self.link_counts = {}
        self.capture_drops = 0
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._add_hosts(stack)
            self._start_link(stack)
            for side in self.names:
                self._configure(side)
            for side in self.names:
                self._capture(stack, side)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _add_hosts(self, stack):
        """Each with a small table of its own for its sockets, where the kernel has that, so that it can be read often."""
        small = next(iter(self.names.values()))[:-1] + "m"
        with contextlib.ExitStack() as until_added:
            sh("ip", "netns", "add", small)
            until_added.callback(sh, "ip", "netns", "del", small)
            subprocess.run(["ip", "netns", "exec", small, "sysctl", "-qw", f"net.ipv4.tcp_child_ehash_entries={SOCKETS}"],
                           stderr=subprocess.DEVNULL, timeout=20)  # fmt: skip
            for name in self.names.values():
                sh("nsenter", f"--net=/run/netns/{small}", "ip", "netns", "add", name)
                stack.callback(sh, "ip", "netns", "del", name)

    def inside(self, side, *command):
        return ["ip", "netns", "exec", self.names[side], *[str(c) for c in command]]

    def _start_link(self, stack):
        s = self.scenario
        command = [self.link_program, s["seconds"] + 10, int(s["offload"]), *self.names.values()]
        for way in ("a2b", "b2a"):
            command += [way, *[f"{k}={v}" for k, v in s["link"][way].items()]]
        link = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, text=True)
        stack.callback(self._end_link, link)
        if link.stdout.readline().strip() != "ready":
            raise RuntimeError("the link did not start")

    def _end_link(self, link):
        said = stop(link)[0]
        if link.returncode:
            raise RuntimeError(f"the link ended with {link.returncode}")
        self.link_counts = json.loads(said)

    def _configure(self, side):
        family = self.scenario["family"]
        prefix = f"{(CLIENT if side == 'client' else SERVER)[family]}/{24 if family == '4' else 64}"
        values = SYSCTLS | self.scenario["sysctl"].get("both", {}) | self.scenario["sysctl"].get(side, {})
        commands = [f"sysctl -qw {k}='{v}'" for k, v in values.items()]
        commands += ["ip link set lo up", f"ip link set eth0 mtu {self.scenario['mtu']} up"]
        if side not in self.scenario["stack"]:
            commands += [f"ip addr add {prefix} dev eth0" + (" nodad" if family == "6" else "")]
        commands += self.scenario["setup"].get(side, [])
        sh(*self.inside(side, "sh", "-e", "-c", "\n".join(commands)))

    def _capture(self, stack, side):
        path = os.path.join(self.folder, f"{side}.pcap")
        snap = self.scenario["snap"].get(side, 0)
        command = self.inside(
            side, "tcpdump", "-i", self.scenario.get("on", {}).get(side, "eth0"), "-n", "-s", snap, "-B", 32768, "--immediate-mode", "--time-stamp-precision=nano",
            "-Z", "root", "-U", "-w", path, self.scenario.get("filter", "tcp or icmp or icmp6"),
        )  # fmt: skip
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        stack.callback(self._end_capture, process)
        while "listening" not in (line := process.stderr.readline()):
            if not line:
                raise RuntimeError("tcpdump did not start")

    def _end_capture(self, process):
        for line in stop(process, signal.SIGINT)[1].splitlines():
            if "dropped by kernel" in line:
                self.capture_drops += int(line.split()[0])

    def counters(self, side):
        """The host's nstat counters that are not zero."""
        out = subprocess.run(self.inside(side, "nstat", "-asj"), capture_output=True, text=True, timeout=20, check=True)
        return json.loads(out.stdout)["kernel"]
