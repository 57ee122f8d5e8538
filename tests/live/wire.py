#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""wire.py TCPWHY: 'tcpwhy live -i' on a veth pair between two network namespaces, with nginx at the other end.

Runs itself again in its own namespace, which cleans up in any case.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

CLIENT, SERVER, PORT = "10.77.0.1", "10.77.0.2", 8080

# Header and body leave in two writes, Nagle on: the second waits for the ACK of the first.
NGINX = f"""
daemon off; user root; worker_processes 1; pid nginx.pid; error_log error.log;
events {{ worker_connections 64; }}
http {{
  access_log off; tcp_nodelay off; tcp_nopush off; sendfile on; keepalive_requests 100000;
  server {{ listen {SERVER}:{PORT}; root .; }}
}}
"""


def quietly(*command):
    subprocess.run([str(c) for c in command], check=True, capture_output=True, timeout=20)


class Server:
    """A namespace at the other end of a veth pair, with nginx in it."""

    def __init__(self, folder):
        self.folder = folder
        # pylint: disable=consider-using-with
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "120"])
        self.nginx = None

    def __enter__(self):
        pid = str(self.holder.pid)
        wait_until(lambda: os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net"))
        quietly("ip", "link", "set", "lo", "up")
        quietly("ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1", "netns", pid)
        quietly("ip", "address", "add", f"{CLIENT}/24", "dev", "v0")
        quietly("ip", "link", "set", "v0", "up")
        for command in (("address", "add", f"{SERVER}/24", "dev", "v1"), ("link", "set", "v1", "up"), ("link", "set", "lo", "up")):
            quietly("nsenter", "-t", pid, "-n", "ip", *command)
        (self.folder / "nginx.conf").write_text(NGINX)
        (self.folder / "small.html").write_text("x" * 400)
        (self.folder / "large.bin").write_bytes(bytes(40_000_000))
        # pylint: disable=consider-using-with
        self.nginx = subprocess.Popen(["nsenter", "-t", pid, "-n", "nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")],
                                      stderr=subprocess.DEVNULL)
        wait_until(lambda: connect().close() or True)
        return self

    def __exit__(self, *what):
        for process in (self.nginx, self.holder):
            if process:
                process.terminate()
                process.wait(10)


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise TimeoutError("it did not come to pass")


def connect():
    return socket.create_connection((SERVER, PORT), timeout=5)


def ask(connection, name):
    connection.sendall(f"GET /{name} HTTP/1.1\r\nHost: {SERVER}\r\n\r\n".encode())


def nagle(seconds):
    """Requests one after the other on one connection, with nothing but the socket's defaults."""
    end = time.monotonic() + seconds
    with connect() as c:
        while time.monotonic() < end:
            ask(c, "small.html")
            got = b""
            while got.count(b"x") < 400:
                got += c.recv(65536)


def slow_reader(seconds):
    with connect() as c:
        ask(c, "large.bin")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.4)
            c.recv(300_000)


class Live:
    """tcpwhy live, running; its lines as they come."""

    def __init__(self, tool, *options, stderr=subprocess.PIPE):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([tool, "live", *options], stdout=subprocess.PIPE, stderr=stderr, text=True)
        time.sleep(0.5)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.process.kill()
        self.process.wait()

    def end(self, *signals):
        """(what was written, what was said, exit code)"""
        for s in signals:
            self.process.send_signal(s)
        out, err = self.process.communicate(timeout=30)
        return out, err, self.process.returncode


def events(text, kind):
    return [e for e in map(json.loads, text.splitlines()) if e["event"] == kind]


def check_finding(tap, tool, load, cause, seconds):
    with Live(tool, "-i", "v0", "-f", f"port {PORT}", "--ndjson") as live:
        load(seconds)
        first = json.loads(live.process.stdout.readline())  # waits, if need be, and does so before the signal
        rest, err, code = live.end(signal.SIGINT)
    told = [first, *events(rest, "finding")] if first["event"] == "finding" else []
    causes = [e["finding"]["cause"] for e in told]
    tap.check(f"{cause} is told while it happens", [] if cause in causes else f"{causes} {err}")
    tap.check(f"{cause} is told once, or when it became worse", [] if len([e for e in told if e["finding"]["cause"] == cause and not e["worse"]]) == 1 else str(told))
    summaries = events(rest, "summary")
    verdict = summaries[-1]["document"]["verdict"] if summaries else {}
    tap.check(f"Ctrl-C gives the diagnosis: {cause}", [] if code == 0 and len(summaries) == 1 and verdict["cause"] == cause else f"exit {code}: {verdict} {err}")
    tap.check(f"the interface was never down: {cause}", [] if not events(rest, "interface") and summaries[-1]["interface_downs"] == 0 else rest[:400])
    tap.check(f"every packet of {cause} was received, none was dropped",
              [] if summaries and summaries[0]["received"] >= summaries[0]["document"]["capture"]["frames"] > 50 and summaries[0]["dropped"] == 0 else str(summaries)[:300])


def identity(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines if line.startswith(("Uid", "Gid", "Groups", "CapEff", "CapPrm"))}


def check_privileges(tap, tool):
    for options, environment, uid in ((["--user", "daemon"], {}, "1"), ([], {}, "65534"), ([], {"SUDO_UID": "12345", "SUDO_GID": "12345"}, "12345")):
        os.environ.update(environment)
        with Live(tool, "-i", "v0", *options) as live:
            found = identity(live.process.pid)
            _, err, _ = live.end(signal.SIGTERM)
        plain = found["Uid:"] == [uid] * 4 and "0" not in found["Gid:"] and found["Groups:"] == [] and set(found["CapEff:"] + found["CapPrm:"]) == {"0" * 16}
        tap.check(f"root's rights are given up ({' '.join(options) or ' '.join(environment) or 'nobody'})", [] if plain else f"{found} {err}")


def check_ends(tap, tool):
    started = time.monotonic()
    with Live(tool, "-i", "v0", "--duration", "1.5", "--every", "0.5") as live:
        out, err, code = live.end()
    lasted = time.monotonic() - started
    tap.check("--duration ends it, --every tells in between", [] if code == 0 and 1 < lasted < 6 and out.count("packets received") >= 3 else f"{lasted} s: {out} {err}")
    with Live(tool, "-i", "v0", "--count", "20", "--ndjson") as live:
        nagle(1)
        out, err, code = live.end()
    tap.check("--count ends it", [] if code == 0 and events(out, "summary")[0]["document"]["capture"]["frames"] == 20 else f"exit {code}: {out} {err}")
    with Live(tool, "-i", "v0", "--duration", "2", "--fail-on", "nagle_delayed_ack:100") as live:
        nagle(1)
        out, err, code = live.end()
    tap.check("--fail-on makes a check of it", [] if code == 3 else f"exit {code}: {out} {err}")


def set_link(link, state):
    """The kernel tells that a cable is gone, or back, up to a second after it is (linkwatch)."""
    quietly(*link, state)
    until = time.monotonic() + 5
    while time.monotonic() < until:
        shown = subprocess.run(["ip", "-json", "link", "show", "v0"], capture_output=True, text=True, check=False).stdout
        if (json.loads(shown)[0]["operstate"] == "UP") == (state == "up"):
            return
        time.sleep(0.05)


def check_link(tap, tool, far):
    """v1 is the cable of v0."""
    for what, link in (("goes down", ["ip", "link", "set", "v0"]), ("loses its link", ["nsenter", "-t", str(far), "-n", "ip", "link", "set", "v1"])):
        with Live(tool, "-i", "v0", "--ndjson") as live:
            set_link(link, "down")
            time.sleep(0.6)
            set_link(link, "up")
            time.sleep(0.4)
            nagle(0.5)
            out, err, code = live.end(signal.SIGINT)
        states = [e["state"] for e in events(out, "interface")]
        tap.check(f"an interface that {what} and comes back is told", [] if code == 0 and states == ["down", "up"] else f"exit {code}: {out[:400]} {err}")
        told = (events(out, "summary") or [{}])[0]
        downs, lasted = told.get("interface_downs"), told.get("down_ms", 0)
        tap.check(f"how long it {what}, and what came then, is in the summary",
                  [] if downs == 1 and 300 < lasted < 3000 and told["document"]["capture"]["tcp_frames"] > 10 else f"{downs} times, {lasted} ms: {out[:400]}")
    with Live(tool, "-i", "v0") as live:
        quietly("ip", "link", "set", "v0", "down")
        time.sleep(0.3)
        out, err, code = live.end(signal.SIGINT)
        quietly("ip", "link", "set", "v0", "up")
    tap.check("one that stays down is told, and gives a summary", [] if "v0 is down" in out and "; down once, for 0." in out else f"exit {code}: {out} {err}")


def inside(tool):
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        with Server(pathlib.Path(folder)) as server:
            check_finding(tap, tool, nagle, "nagle_delayed_ack", 3)
            check_finding(tap, tool, slow_reader, "zero_window", 4)
            check_privileges(tap, tool)
            check_ends(tap, tool)
            check_link(tap, tool, server.holder.pid)


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] == ["inside"]:
        return inside(tool)
    missing = [p for p in ("ip", "unshare", "nsenter", "nginx") if not shutil.which(p)]
    if missing or os.geteuid() != 0:
        skip_all(f"no {missing[0]} here" if missing else "not root: no network namespaces")
    with tempfile.TemporaryFile() as log:
        probe = subprocess.run(["unshare", "--net", "ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1"], stderr=log, check=False)
    if probe.returncode:
        skip_all("network namespaces are not permitted here")
    sys.exit(subprocess.run(["unshare", "--net", sys.executable, __file__, tool, "inside"], check=False, timeout=120).returncode)


if __name__ == "__main__":
    main()
