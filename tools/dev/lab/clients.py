#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clients.py TCPWHY: what h2load and curl measured themselves beside `tcpwhy exchanges`, in clear and in TLS with keys.

Needs root, and of Debian: nginx, nghttp2-client, curl, openssl, tcpdump, iproute2, util-linux. Counts agree within 1 %, percentiles within 3 %.
"""
import json
import os
import subprocess
import sys
import tempfile

import host
import run
import services
from scenarios import build

HTTP2_PORT, TLS_PORT = 8080, 8443
RTT_MS, RATE_MBIT = 20, 50  # so slow that the programs' own time is a small part
FILES = {"small": 400, "large": 200_000}
CURL_REQUESTS = 50
SNAP = 2000  # whole frames; with a longer one tcpdump has room for few
MOST_COUNT, MOST_TIME = 0.01, 0.03
TLS = ("listen {port} http2; listen {tls} ssl http2; ssl_certificate {folder}/cert; ssl_certificate_key {folder}/key; "
       "keepalive_requests 1000000;")  # fmt: skip
# A client's clock stops when it has read. A program that waits for a processor reads late, which no capture can know.
AT_ONCE = ["chrt", "--fifo", "50"]
TRIES = 3  # The kernel, too, hands over late on a busy machine.


def at(values, share):
    """The nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * round(share * 1000) // 1000) - 1)]


def h2load(pair, folder, name, url, *options):
    """Milliseconds that each request took, by h2load's own log."""
    log = os.path.join(folder, f"{name}.log")
    keys = os.path.join(folder, "keys")
    command = [*AT_ONCE, "env", f"SSLKEYLOGFILE={keys}", "h2load", f"--log-file={log}", *options, url]
    subprocess.run(pair.inside("client", *command), check=True, stdout=subprocess.DEVNULL, timeout=120)
    with open(log, encoding="utf-8") as f:
        return [int(line.split("\t")[2]) / 1e3 for line in f]


def curl(pair, folder, url, *options, processes=1):
    """Milliseconds from the request to the last byte, of requests one after the other."""
    form = "%{time_pretransfer} %{time_total}\\n"
    command = [*AT_ONCE, "env", f"SSLKEYLOGFILE={folder}/keys", "curl", "-sSk", *options, "-w", form]
    command += ["-o", "/dev/null", url] * (CURL_REQUESTS // processes)
    said = "".join(subprocess.run(pair.inside("client", *command), check=True, stdout=subprocess.PIPE, text=True, timeout=120).stdout
                   for _ in range(processes))  # fmt: skip
    return [(float(total) - float(before)) * 1e3 for before, total in map(str.split, said.splitlines())]


def clear(path):
    return f"http://{host.SERVER['4']}:{HTTP2_PORT}/{path}"


def sealed(path):
    return f"https://{host.SERVER['4']}:{TLS_PORT}/{path}"


MEASURED = {
    "h2load, one stream, clear": lambda p, f: h2load(p, f, "one", clear("small"), "-n1000", "-c4", "-m1"),
    "h2load, 10 streams, clear": lambda p, f: h2load(p, f, "ten", clear("large"), "-n200", "-c2", "-m10"),
    "h2load, one stream, TLS": lambda p, f: h2load(p, f, "tls", sealed("small"), "-n1000", "-c4", "-m1"),
    "h2load, 10 streams, TLS": lambda p, f: h2load(p, f, "tls10", sealed("large"), "-n200", "-c2", "-m10"),
    "curl, HTTP/2, clear": lambda p, f: curl(p, f, clear("large"), "--http2-prior-knowledge", processes=CURL_REQUESTS),
    "curl, HTTP/2, TLS": lambda p, f: curl(p, f, sealed("large"), "--http2"),
}  # fmt: skip


def requests(tcpwhy, capture, keys):
    options = ["--keys", keys] if os.path.exists(keys) else []
    out = subprocess.run([tcpwhy, "exchanges", "--json", "--protocol", "http2", *options, capture], capture_output=True, check=True).stdout
    return [e["total_ms"] for e in json.loads(out)["exchanges"] if e["total_ms"] is not None]


def measure(tcpwhy, link, number, tools):
    cable = build.link(RTT_MS, RATE_MBIT)
    scenario = build.scenario("clients", "none", "none", [{"port": HTTP2_PORT}], cable, snap={"client": SNAP, "server": SNAP}, seconds=60)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/key", "-out", f"{folder}/cert",
                        "-days", "3", "-subj", "/CN=www.test"], check=True, stderr=subprocess.DEVNULL)  # fmt: skip
        os.makedirs(f"{folder}/www")
        for file, size in FILES.items():
            services.write(f"{folder}/www/{file}", "x" * size)
        with host.Pair(f"cli{os.getpid() % 10000}x{number}", link, folder, scenario) as pair:
            with services.web(pair, folder, server=TLS.format(port=HTTP2_PORT, tls=TLS_PORT, folder=folder)):
                theirs = tools(pair, folder)
        if pair.capture_drops:
            sys.exit(f"clients.py: the capture lacks {pair.capture_drops} frames")
        return theirs, requests(tcpwhy, f"{folder}/client.pcap", f"{folder}/keys")


def differences(theirs, mine):
    """How far each figure of tcpwhy is from the client's."""
    yield "count", len(mine) / len(theirs) - 1, MOST_COUNT
    for share, name in ((0.5, "p50"), (0.9, "p90"), (0.99, "p99")):
        here, there = at(mine, share), at(theirs, share)
        yield name, here / there - 1, MOST_TIME


def tell(name, theirs, mine):
    """Print a row of the table."""
    cells = [f"{len(theirs):,}", f"{len(mine):,}"]
    for share in (0.5, 0.9, 0.99):
        cells += [f"{at(theirs, share):.2f}", f"{at(mine, share):.2f}" if mine else "-"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def faults(theirs, mine):
    """The figures that are too far off."""
    return [f"{what} {off:+.1%}" for what, off, most in differences(theirs, mine) if abs(off) > most] if mine else ["no requests"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if os.geteuid() != 0:
        sys.exit("clients.py: network namespaces need root; try sudo")
    failed = False
    print("| client | requests | tcpwhy | p50 ms | tcpwhy | p90 ms | tcpwhy | p99 ms | tcpwhy |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        link = run.build("link", folder)
        for number, (name, tools) in enumerate(MEASURED.items()):
            for attempt in range(TRIES):
                theirs, mine = measure(sys.argv[1], link, len(MEASURED) * attempt + number, tools)
                tell(name, theirs, mine)
                wrong = faults(theirs, mine)
                if not wrong:
                    break
                print(f"  {name}: {', '.join(wrong)}", file=sys.stderr)
            failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
