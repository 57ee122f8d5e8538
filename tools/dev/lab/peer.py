#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One host of a scenario: peer.py client|server PLAN.json OUT.json, started inside its network namespace.

The plan is a list of flows; each side of a flow is a list of steps, [verb, argument...], which every connection
of the flow goes through. The verbs are the methods of Connection. No protocol stands between the sides: both know the plan.
"""
import contextlib
import json
import os
import random
import signal
import socket
import struct
import sys
import threading
import time

import tcpinfo

MARK_BEGIN, MARK_END = "begin", "end"


class Connection:
    """A connected socket and what one side may do with it."""

    def __init__(self, sock):
        self.sock = sock
        self.begun = None
        self.request_ms = []
        self.diary = []
        self.quick = False

    def run(self, steps):
        for verb, *arguments in steps:
            getattr(self, "do_" + verb)(*arguments)

    def do_repeat(self, count, *steps):
        for _ in range(count):
            self.run(steps)

    def do_both(self, *branches):
        """Run several step lists at once."""
        threads = [threading.Thread(target=self.run, args=(b,), daemon=True) for b in branches]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    @contextlib.contextmanager
    def noted(self, what, n=0):
        """Keep a diary of what the program is at: [what, from, until, bytes], times in nanoseconds since 1970."""
        entry = [what, time.time_ns(), None, n]
        self.diary.append(entry)
        try:
            yield
        finally:
            entry[2] = time.time_ns()

    def do_write(self, n, flags=0):
        with self.noted("write", n):
            self.sock.sendall(b"x" * n, flags)

    def do_say(self, text):
        """Write words that a protocol's dissector knows."""
        with self.noted("write", len(text)):
            self.sock.sendall(text.encode())

    def do_write_chunks(self, n, chunk):
        """The same as a program does it that copies from a file."""
        for at in range(0, n, chunk):
            self.do_write(min(chunk, n - at))

    def do_more(self, n):
        """Write and say that more comes (MSG_MORE)."""
        self.do_write(n, socket.MSG_MORE)

    def do_cork(self, on):
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, on)

    def do_nodelay(self, on):
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, on)

    def do_quickack(self, on):
        self.quick = bool(on)

    def do_read(self, n):
        with self.noted("read", n):
            self.read_all(n)

    def read_all(self, n):
        while n > 0:
            if self.quick:
                self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            got = len(self.sock.recv(min(n, 1 << 20)))
            if not got:
                raise EOFError(f"{n} bytes short")
            n -= got

    def do_slow_read(self, n, chunk, pause_ms):
        """Read `chunk` bytes, sleep, and so on."""
        while n > 0:
            part = min(chunk, n)
            self.do_read(part)
            n -= part
            self.do_sleep(pause_ms)

    def do_paced_write(self, n, period_ms, count):
        """Write `n` bytes at every multiple of the period, however long the writing takes."""
        start = time.monotonic()
        for i in range(count):
            self.do_sleep(max(0.0, i * period_ms - (time.monotonic() - start) * 1e3))
            self.do_write(n)

    def do_sleep(self, ms):
        with self.noted("sleep"):
            time.sleep(ms / 1e3)

    def do_sleep_random(self, low_ms, high_ms):
        self.do_sleep(random.uniform(low_ms, high_ms))

    def do_begin(self):
        self.begun = time.monotonic()

    def do_end(self):
        self.request_ms.append(round((time.monotonic() - self.begun) * 1e3, 3))

    def do_shutdown(self):
        self.sock.shutdown(socket.SHUT_WR)

    def do_drain(self):
        with self.noted("read"):
            while self.sock.recv(1 << 16):
                pass

    def do_set(self, options):
        """Change options on the way."""
        set_options(self.sock, options)

    def do_reset(self):
        """Make the close that follows an abortive one."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def set_options(sock, options):
    """SO_*, TCP_* by the names used in scenarios; before connect or listen, so that they shape the handshake."""
    level, tcp = socket.SOL_SOCKET, socket.IPPROTO_TCP
    known = {
        "sndbuf": (level, socket.SO_SNDBUF),
        "rcvbuf": (level, socket.SO_RCVBUF),
        "pacing": (level, 47),  # SO_MAX_PACING_RATE
        "keepalive": (level, socket.SO_KEEPALIVE),
        "keepidle": (tcp, socket.TCP_KEEPIDLE),
        "keepintvl": (tcp, socket.TCP_KEEPINTVL),
        "nodelay": (tcp, socket.TCP_NODELAY),
        "notsent_lowat": (tcp, socket.TCP_NOTSENT_LOWAT),
        "window_clamp": (tcp, socket.TCP_WINDOW_CLAMP),
        "maxseg": (tcp, socket.TCP_MAXSEG),
        "congestion": (tcp, socket.TCP_CONGESTION),
        "user_timeout": (tcp, socket.TCP_USER_TIMEOUT),
        "defer_accept": (tcp, socket.TCP_DEFER_ACCEPT),
        "fastopen": (tcp, socket.TCP_FASTOPEN),
        "fastopen_connect": (tcp, 30),  # TCP_FASTOPEN_CONNECT
    }
    for name, value in options.items():
        where = known[name]
        sock.setsockopt(*where, value.encode() if isinstance(value, str) else value)


# Set by option and not by sysctl: a namespace may not choose a default that the host has not allowed.
DEFAULTS = {"congestion": "cubic"}


def cookie(sock):
    """The kernel's own name for a socket, by which samples are found again."""
    return struct.unpack("=Q", sock.getsockopt(socket.SOL_SOCKET, 57, 8))[0]  # SO_COOKIE


def describe(role, sock, connection, **more):
    entry = {"role": role, "local": list(sock.getsockname()[:2]), "cookie": cookie(sock)}
    try:
        entry["peer"] = list(sock.getpeername()[:2])
    except OSError:
        pass
    entry["info"] = tcpinfo.read(sock)
    entry["diary"] = connection.diary
    return entry | more | ({"request_ms": connection.request_ms} if role == "client" else {})


def live(role, sock, steps, log, **more):
    """Go through the steps, then note what the kernel says, then close."""
    connection = Connection(sock)
    sock.settimeout(12)
    try:
        connection.run(steps)
    except (OSError, EOFError) as problem:
        more["error"] = str(problem)
    log.append(describe(role, sock, connection, **more))
    sock.close()


def client(flow, family, address, log, open_sockets):
    sock = socket.socket(family)
    open_sockets.append(sock)
    set_options(sock, DEFAULTS | flow.get("client_options", {}))
    if "client_port" in flow:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("", flow["client_port"]))
    sock.settimeout(flow.get("connect_timeout", 30))
    start = time.monotonic()
    try:
        sock.connect((address, flow["port"]))
    except OSError as problem:
        log.append({"role": "client", "local": list(sock.getsockname()[:2]), "cookie": cookie(sock), "error": str(problem)})
        return
    live("client", sock, flow["client"], log, connect_ms=round((time.monotonic() - start) * 1e3, 3))


def shut_down_after(ms, open_sockets):
    """Whatever they still have to say."""
    time.sleep(ms / 1e3)
    for sock in open_sockets:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def run_client(plan, log):
    family = socket.AF_INET6 if ":" in plan["address"] else socket.AF_INET
    threads, open_sockets = [], []
    start = time.monotonic()
    if plan.get("until_ms"):
        threading.Thread(target=shut_down_after, args=(plan["until_ms"], open_sockets), daemon=True).start()
    for flow in plan["flows"]:
        for i in range(flow.get("connections", 1)):
            at = start + (flow.get("start_ms", 0) + i * flow.get("stagger_ms", 0)) / 1e3
            threads.append((at, threading.Thread(target=client, args=(flow, family, plan["address"], log, open_sockets), daemon=True)))
    for at, thread in sorted(threads, key=lambda pair: pair[0]):
        time.sleep(max(0.0, at - time.monotonic()))
        thread.start()
        if plan.get("one_by_one"):
            thread.join()
    for _, thread in threads:
        thread.join()


def serve(listener, flow, log):
    time.sleep(flow.get("accept_after_ms", 0) / 1e3)
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=live, args=("server", sock, flow["server"], log), daemon=True).start()
        time.sleep(flow.get("accept_every_ms", 0) / 1e3)


def run_server(plan, log):
    """Listen on every flow's port until SIGTERM."""
    done = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: done.set())
    family = socket.AF_INET6 if ":" in plan["address"] else socket.AF_INET
    for flow in plan["flows"]:
        if flow.get("refused"):
            continue
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        set_options(listener, DEFAULTS | flow.get("server_options", {}))
        listener.bind(("", flow["port"]))
        listener.listen(flow.get("backlog", 1024))
        threading.Thread(target=serve, args=(listener, flow, log), daemon=True).start()
    print("ready", flush=True)
    done.wait(plan["seconds"])


def be_prompt():
    """Pauses in the capture shall be the plan's own, not those of a busy machine."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def main():
    be_prompt()
    role, plan_path, out_path = sys.argv[1:]
    with open(plan_path) as f:
        plan = json.load(f)
    log = []
    (run_client if role == "client" else run_server)(plan, log)
    with open(out_path, "w") as f:
        json.dump(log, f)


if __name__ == "__main__":
    main()
