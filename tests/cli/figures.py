#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py TCPWHY PCAPS: figures of servers, probes and UDP flows against captures made by hand, whose numbers are known, and
captures in the layouts of other tools against their rules."""
import json
import math
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
from tap import Tap  # noqa: E402

HEADER = struct.pack("<IHHiIII", pcapfile.MAGIC_NS, 2, 4, 0, 0, 65535, 1)
BEGIN_NS = 1_700_000_000 * 10**9
MS = 10**6
SYN, RST, PSH, ACK = 2, 4, 8, 16
MSS = bytes((2, 4, 5, 180))


def ip(source, target, protocol, payload, ttl=64, ident=0):
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), ident, 0x4000, ttl, protocol, 0, socket.inet_aton(source), socket.inet_aton(target))
    return bytes(12) + b"\x08\x00" + head + payload


def tcp(ports, seq, ack, flags, options=b""):
    return struct.pack(">HHIIBBHHH", *ports, seq, ack, (20 + len(options)) // 4 << 4, flags, 1024, 0, 0) + options


def udp(ports, payload):
    return struct.pack(">HHHH", *ports, 8 + len(payload), 0) + payload


def time_exceeded(router, prober, quoted):
    return ip(router, prober, 1, struct.pack(">BBHI", 11, 0, 0, 0) + quoted[14:14 + 28])


class Capture:
    def __init__(self):
        self.records = []

    def add(self, at_ms, frame):
        self.records.append(pcapfile.Record(BEGIN_NS + round(at_ms * MS), len(frame), frame))

    def write(self, path):
        path.write_bytes(pcapfile.write(HEADER, sorted(self.records)))
        return path


class Tool:
    def __init__(self, path):
        self.path = path

    def text(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=True).stdout

    def document(self, *arguments):
        return json.loads(self.text(*arguments))


def ping(capture, port, at_ms, rtt_ms, answer=SYN | ACK, options=b""):
    """A SYN with its own port, its answer, and the RST of a kernel that knows nothing of it."""
    ports = (port, 80)
    capture.add(at_ms, ip("10.0.0.1", "10.0.0.2", 6, tcp(ports, 7, 0, SYN, options)))
    if answer:
        capture.add(at_ms + rtt_ms, ip("10.0.0.2", "10.0.0.1", 6, tcp(ports[::-1], 9, 8, answer, MSS), ttl=63))
    if answer == SYN | ACK:
        capture.add(at_ms + rtt_ms + 0.02, ip("10.0.0.1", "10.0.0.2", 6, tcp(ports, 8, 0, RST)))


def check_probes(tap, tool, folder):
    capture = Capture()
    for i, rtt in enumerate((7.2, 7.3, 9.5)):
        ping(capture, 2000 + i, 1000 * i, rtt)
    ping(capture, 2003, 3000, 0, answer=0)
    capture.add(6000, ip("10.0.0.9", "10.0.0.8", 17, udp((1, 2), b"")))
    path = capture.write(folder / "ping.pcap")
    facts = {f["fact"]: f["text"] for f in tool.document("--json", path)["facts"]}
    tap.check("SYNs of a prober are told with their times, loss and TTL",
              [] if "4 SYN probes from 10.0.0.1 to 10.0.0.2:80: min/avg/max 7.2/8.0/9.5 ms, 25% lost, ttl 63" in facts.get("syn_probes", "") else str(facts))
    tap.check("they are neither a scan nor unanswered", [f for f in facts if f in ("half_open", "unanswered_syns")])
    one = tool.document("as", "hping3", "--json", path)["figures"]["targets"][0]
    tap.check("hping3's figures", [] if (one["sent"], one["open"], one["lost"], one["min_ms"], one["max_ms"]) == (4, 3, 1, 7.2, 9.5) and abs(one["mean_ms"] - 8) < 1e-6 else str(one))
    text = tool.text("as", "hping3", path)
    tap.check("hping3's layout", [x for x in ("4 packets transmitted, 3 packets received, 25% packet loss", "round-trip min/avg/max = 7.2/8.0/9.5 ms", "flags=SA seq=2") if x not in text])
    refused = Capture()
    for i in range(3):
        ping(refused, 2000 + i, 1000 * i, 5, answer=RST | ACK, options=MSS)
    facts = [f["fact"] for f in tool.document("--json", refused.write(folder / "refused.pcap"))["facts"]]
    tap.check("a refused connection is no probe", [f for f in facts if f == "syn_probes"])
    half = Capture()
    for i in range(20):
        ports = (3000 + i, 80)
        half.add(10 * i, ip("10.0.0.1", "10.0.0.2", 6, tcp(ports, 7, 0, SYN, MSS)))
        half.add(10 * i + 3, ip("10.0.0.2", "10.0.0.1", 6, tcp(ports[::-1], 9, 8, SYN | ACK, MSS)))
    facts = [f["fact"] for f in tool.document("--json", half.write(folder / "half.pcap"))["facts"]]
    tap.check("handshakes that nobody finishes are still told", [] if facts == ["half_open"] else str(facts))


def check_route(tap, tool, folder):
    capture = Capture()
    for ttl, router, rtt in ((1, "10.0.0.254", 1.5), (2, None, 0), (3, "10.0.3.254", 6.25), (4, "target", 8.5), (5, "target", 8.6)):
        for probe in range(3):
            ports, at = (4000 + 10 * ttl + probe, 80), 100 * ttl + 5 * probe
            syn = ip("10.0.0.1", "10.9.0.2", 6, tcp(ports, 7, 0, SYN, MSS), ttl=ttl)
            capture.add(at, syn)
            if router == "target":
                capture.add(at + rtt, ip("10.9.0.2", "10.0.0.1", 6, tcp(ports[::-1], 9, 8, SYN | ACK, MSS)))
                capture.add(at + rtt + 0.02, ip("10.0.0.1", "10.9.0.2", 6, tcp(ports, 8, 0, RST)))
            elif router:
                capture.add(at + rtt, time_exceeded(router, "10.0.0.1", syn))
    capture.add(5000, ip("10.0.0.9", "10.0.0.8", 17, udp((1, 2), b"")))
    path = capture.write(folder / "route.pcap")
    hops = tool.document("as", "traceroute", "--json", path)["figures"]["routes"][0]["hops"]
    found = [(h["ttl"], h["address"], h["target"], h["times_ms"]) for h in hops]
    want = [(1, "10.0.0.254", False, [1.5] * 3), (2, None, False, [None] * 3), (3, "10.0.3.254", False, [6.25] * 3), (4, "10.9.0.2", True, [8.5] * 3)]
    tap.check("the hops of a traceroute by TCP, up to its target", [] if found == want else str(found))
    facts = {f["fact"]: f["text"] for f in tool.document("--json", path)["facts"]}
    tap.check("they are told", [] if "1 10.0.0.254 1.5 ms, 2 no answer, 3 10.0.3.254 6.3 ms, 4 10.9.0.2 8.5 ms" in facts.get("tcp_route", "") else str(facts))
    tap.check("SYNs that end at a router are not unanswered", [f for f in facts if f in ("unanswered_syns", "half_open")])
    lines = tool.text("as", "traceroute", path).splitlines()
    tap.check("traceroute's layout", [] if lines[1:3] == [" 1  10.0.0.254  1.500 ms  1.500 ms  1.500 ms", " 2  * * *"] else str(lines))


def check_udp(tap, tool, folder):
    capture, sent = Capture(), 0
    for i in range(200):
        sent += 1
        if i in (50, 51, 120):
            continue
        late = 25 if i == 80 else 0
        payload = struct.pack(">III", 1_700_000_000, 10_000 * (i % 100), i + 1) + bytes(988)
        capture.add(10 * i + late + (i % 2), ip("10.0.0.1", "10.0.0.2", 17, udp((5000, 5201), payload), ident=0))
    for i in range(100):
        if i % 25 != 24:
            rtp = struct.pack(">BBHII", 0x80, 0, (65500 + i) % 65536, 160 * i, 0xabcdef) + bytes(160)
            capture.add(20 * i, ip("10.0.0.3", "10.0.0.4", 17, udp((6000, 6002), rtp), ident=0))
    for i in range(50):
        capture.add(20 * i, ip("10.0.0.5", "10.0.0.6", 17, udp((7000, 53), b"abc"), ident=100 + i + (i >= 20)))
    for i in range(50):
        capture.add(20 * i, ip("10.0.0.6", "10.0.0.5", 17, udp((53, 7000), b"abc"), ident=i * 7919 % 65536))
    path = capture.write(folder / "udp.pcap")
    flows = {f["from"]: f for f in tool.document("udp", "--json", path)["flows"]}
    one = flows["10.0.0.1:5000"]
    tap.check("loss and order by iperf3's count", [] if (one["number"], one["packets"], one["lost"], one["out_of_order"]) == ("iperf3", 197, 3, 1) else str(one))
    tap.check("rates of payload", [] if abs(one["packets_per_s"] - 197 / 1.991) < 0.2 and abs(one["bits_per_s"] - 197 * 8000 / 1.991) < 2e3 else str(one))
    rtp = flows["10.0.0.3:6000"]
    tap.check("RTP's sequence number, past its end", [] if (rtp["number"], rtp["packets"], rtp["lost"]) == ("rtp", 96, 3) else str(rtp))
    dns = flows["10.0.0.5:7000"]
    tap.check("the IP identification of who counts it", [] if (dns["number"], dns["lost"]) == ("ip_id", 1) else str(dns))
    tap.check("of who does not, nothing is known", [] if flows["10.0.0.6:53"]["number"] is None and "lost" not in flows["10.0.0.6:53"] else str(flows["10.0.0.6:53"]))
    text = tool.text(path)
    tap.check("a capture of UDP tells what it carries", [] if "UDP: 393 packets in 4 flows" in " ".join(text.split()) and "1.5% lost" in text else text)


def nearest(values, percent):
    return sorted(values)[max(math.ceil(len(values) * percent / 100), 1) - 1]


def corrected(latencies_us, interval_us):
    """wrk's correction for coordinated omission, from its description."""
    out = list(latencies_us)
    for value in latencies_us:
        if value >= 2 * interval_us:
            value -= interval_us
            while value > interval_us:
                out.append(value)
                value -= interval_us
    return out


def check_read(tap, tool, sick, once, wrk):
    streams = {}
    for e in tool.document("exchanges", "--json", sick)["exchanges"]:
        if not e.get("of_session"):
            streams.setdefault(e["stream"], []).append(e)
    until = []
    for asked in streams.values():
        asked.sort(key=lambda e: e["start_ms"])
        for e, after in zip(asked, [*asked[1:], None]):
            if e["complete"] and e["total_ms"] is not None:
                until.append(max(e["total_ms"], after["start_ms"] - e["start_ms"]) if after else e["total_ms"])
    late = corrected([int(t * 1000) for t in until], int(wrk["interval_ms"] * 1000))
    tap.check("wrk reads an answer before it asks again", [f"p{p}" for p in (50, 99) if abs(wrk[f"until_next_p{p}_ms"] * 1000 - nearest(late, p)) > 1])
    said = "lies between"
    tap.check("both bounds are told", [] if said in " ".join(tool.text("as", "wrk", sick).split()) and wrk["until_next_p50_ms"] > wrk["p50_ms"] else str(wrk)[-300:])
    text = tool.text("as", "wrk", once)
    tap.check("of connections that ask once, nothing is known", [] if said not in text and "133 requests" in text else text)


def check_latency(tap, tool, sick, once):
    exchanges = [e for e in tool.document("exchanges", "--json", sick)["exchanges"] if e["complete"] and e["total_ms"] is not None]
    service = tool.document("latency", "--json", sick)["services"][0]
    row, totals = service["times"][0], [e["total_ms"] for e in exchanges]
    mean = sum(totals) / len(totals)
    deviation = math.sqrt(sum((t - mean)**2 for t in totals) / (len(totals) - 1))
    wrong = [name for name, want in (("mean_ms", mean), ("deviation_ms", deviation), *((f"p{p}_ms", nearest(totals, p)) for p in (50, 66, 75, 80, 90, 95, 98, 99)),
                                     ("p99_9_ms", nearest(totals, 99.9)), ("min_ms", min(totals)), ("max_ms", max(totals))) if abs(row[name] - want) > 1e-5]
    tap.check("mean, deviation and percentiles are those of the exchanges", wrong)
    within = sum(abs(t - mean) <= deviation for t in totals) / len(totals)
    tap.check("the share within a deviation", [] if abs(row["within"] - within) < 1e-6 else f"{row['within']}, not {within}")
    tap.check("bytes and requests", [] if service["answered"] == len(exchanges) and service["response_bytes"] == sum(e["response_bytes"] for e in exchanges) else str(service)[:300])
    busy = sum(totals) / (max(e["start_ms"] + e["total_ms"] for e in exchanges) - min(e["start_ms"] for e in exchanges))
    tap.check("requests under way on average (Little's law)", [] if abs(service["concurrency"] - busy) < 1e-3 else f"{service['concurrency']}, not {busy}")
    heat = service["over_time"]
    tap.check("the heat map holds every answer once", [] if sum(sum(i["counts"]) for i in heat["intervals"]) == len(exchanges) else "it does not")
    rows = tool.text("latency", "--csv", sick).splitlines()
    tap.check("as CSV a row an interval", [] if len(rows) == len(heat["intervals"]) + 1 else f"{len(rows)} rows")
    slow = tool.document("latency", "--slower", "45ms", "--json", sick)["services"][0]["slower"]
    unanswered = sum(1 for e in tool.document("exchanges", "--json", sick)["exchanges"] if e["response_frame"] is None)
    tap.check("--slower counts", [] if slow - unanswered <= sum(t >= 45 for t in totals) <= slow else f"{slow}")
    svg = tool.text("latency", "--svg", sick)
    tap.check("the heat map is a picture", [] if svg.startswith("<svg") or "<svg" in svg[:300] else svg[:100])
    wrk = tool.document("as", "wrk", "--json", sick)["figures"]
    added = corrected([int(t * 1000) for t in totals], int(wrk["interval_ms"] * 1000))
    wrong = [f"p{p}" for p in (50, 75, 90, 99) if abs(wrk[f"p{p}_ms"] * 1000 - nearest(added, p)) > 1]
    tap.check("wrk's correction for coordinated omission", wrong)
    check_read(tap, tool, sick, once, wrk)
    ab = tool.document("as", "ab", "--json", sick)["figures"]
    tap.check("ab's processing is the latency", [] if abs(ab["processing"]["mean_ms"] - mean) < 1e-3 and ab["waiting"]["max_ms"] <= ab["processing"]["max_ms"] else str(ab["processing"]))
    check_ab_closes(tap, tool, once)


def check_ab_closes(tap, tool, once):
    asked, closed = {}, {}
    for line in tool.text("segments", "--ndjson", once).splitlines():
        s = json.loads(line)
        if s["direction"] == "client" and s["len"]:
            asked.setdefault(s["stream"], s["time_ms"])
        if s["direction"] == "client" and "FIN" in s["flags"] and s["stream"] in asked:
            closed.setdefault(s["stream"], s["time_ms"] - asked[s["stream"]])
    ab, latency = tool.document("as", "ab", "--json", once)["figures"]["processing"], tool.document("latency", "--json", once)["services"][0]["times"][0]
    wrong = [k for k, want in (("mean_ms", sum(closed.values()) / len(closed)), ("max_ms", max(closed.values())), ("p50_ms", nearest(closed.values(), 50))) if abs(ab[k] - want) > 0.002]
    tap.check("of connections that the server closes, it ends with the client's close", wrong or [] if ab["mean_ms"] > latency["mean_ms"] else f"{ab} {latency}")


def check_iperf3(tap, tool, lossy, held, filled):
    stream = tool.document("streams", "--json", lossy)["streams"][0]
    one = tool.document("as", "iperf3", "--json", lossy)["figures"]["streams"][0]
    rows = one["intervals"]
    tap.check("rows add up to the stream", [] if sum(r["retransmissions"] for r in rows) == one["retransmissions"] >= stream["repairs"]["fast"] and
              sum(r["bytes"] for r in rows) == one["bytes"] == max(stream["bytes_to_client"], stream["bytes_to_server"]) else str(one)[:300])
    tap.check("a row a second from the stream's begin", [] if all(r["from_ms"] == 1000 * i for i, r in enumerate(rows)) and all(r["to_ms"] == 1000 * (i + 1) for i, r in enumerate(rows[:-1])) else str(rows))
    tap.check("a congestion window each", [] if all(1448 <= r["cwnd_bytes"] <= 10**6 for r in rows) else str(rows))
    held = tool.document("as", "iperf3", "--json", held)["figures"]["streams"][0]["intervals"]
    tap.check("what a send buffer holds does not tell the window", [] if all(r["cwnd_is_floor"] for r in held) else str(held))
    filled = tool.document("as", "iperf3", "--json", filled)["figures"]["streams"][0]["intervals"]
    tap.check("a window that is filled is the kernel's, 35 segments", [] if (filled[-1]["cwnd_bytes"], filled[-1]["cwnd_is_floor"]) == (35 * 1448, False) else str(filled))
    halves = tool.document("as", "iperf3", "--interval", "0.5", "--json", lossy)["figures"]["streams"][0]["intervals"]
    tap.check("--interval", [] if abs(len(halves) - 2 * len(rows)) <= 1 else f"{len(halves)} rows")
    sockets = tool.document("as", "ss", "--json", lossy)["figures"]["sockets"]
    tap.check("ss shows the socket that is open", [] if [s["state"] for s in sockets] == ["ESTAB"] else str(sockets))


def check_open(tap, tool, limited, later):
    open_at = [i["open"] for i in tool.document("traffic", "--interval", "0.1", "--json", limited)["traffic"]["intervals"]]
    tap.check("connections open at the end of each interval reach a limit of 64, and never more", [] if max(open_at) == 64 else str(open_at))
    rows = tool.document("traffic", "-f", "tcp[13] & 2 == 0", "--json", later)["traffic"]["intervals"]
    tap.check("what was open before the capture is open from its begin", [] if rows[0]["open"] == 1 and rows[0]["opened"] == 0 else str(rows[:1]))


def check_sockets(tap, tool, limited, closes):
    """`limited`: wrk -c 150, of which a limit of 64 left the rest without an answer to their SYNs; `closes`: 20, and one that asks nothing."""
    wrong = [f"{tool_name} {path}: {line}" for tool_name, path, line in (("wrk", limited, "  150 connections"), ("ab", limited, "Concurrency Level:      150"),
                                                                         ("wrk", closes, "  20 connections")) if line not in tool.text("as", tool_name, path)]
    asked = tool.document("exchanges", "--json", limited)["exchanges"]
    until = max(e["start_ms"] for e in asked)
    read = sum(e["complete"] and e["start_ms"] + e["total_ms"] <= until for e in asked if e["total_ms"] is not None)
    text = tool.text("as", "wrk", limited)
    tap.check("what is answered after the last request is not in wrk's run",
              [] if f"  {read} requests in" in text and "Answers after the last request: 1." in text and 0 < read < len(asked) else text)
    tap.check("a generator's connections are those that wait for an answer to their SYN, too", wrong)


def at_port(packet, old, new):
    """The packet with that server's port changed (Ethernet, IPv4), and its checksum with it (RFC 1624)."""
    if packet[12:14] != b"\x08\x00" or packet[23] != 6:
        return b""
    tcp = 14 + 4 * (packet[14] & 15)
    at = tcp if struct.unpack_from(">H", packet, tcp)[0] == old else tcp + 2
    total = (~struct.unpack_from(">H", packet, tcp + 16)[0] & 0xFFFF) + (~old & 0xFFFF) + new
    total = (total & 0xFFFF) + (total >> 16)
    changed = bytearray(packet)
    struct.pack_into(">H", changed, at, new)
    struct.pack_into(">H", changed, tcp + 16, ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF)
    return bytes(changed)


def check_many_queues(tap, tool, pcaps, folder):
    """Of 24 listeners with a full accept queue none has a twentieth of all waiting."""
    header, records = pcapfile.read(pcaps / "syn_drop_backlog/client.pcap")
    one = tool.document("--json", pcaps / "syn_drop_backlog/client.pcap")["findings"][0]
    many = [r._replace(ns=r.ns + 1000 * i, packet=p) for i in range(24) for r in records if (p := at_port(r.packet, 9000, 9100 + i))]
    path = folder / "queues.pcap"
    path.write_bytes(pcapfile.write(header, sorted(many, key=lambda r: r.ns)))
    found = [f for f in tool.document("--json", path)["findings"] if f["cause"] == "connect_retry"]
    want = {"kind": "listen backlog", "endpoints": 24, "full_queues": 24} | {name: 24 * one["detail"][name] for name in ("syns", "unanswered_syns", "accept_overflows")}
    good = len(found) == 1 and found[0]["detail"] == want and "backlog" in found[0]["remedy"] and found[0]["remedy"].startswith("Have the application at 10.9.0.2 accept faster") and "These are sums over 24 listeners." in found[0]["summary"]
    tap.check("full accept queues of many listeners are one finding, with their sums and what to do", [] if good else str(found)[:600])


def exchanges(rtt_ms, n):
    """A handshake, and requests of 20 bytes that are each answered after a round trip, at the client."""
    client, server, capture = ("10.7.0.1", "10.7.0.2", 6), ("10.7.0.2", "10.7.0.1", 6), Capture()
    capture.add(0, ip(*client, tcp((40000, 9000), 99, 0, SYN, MSS)))
    capture.add(rtt_ms, ip(*server, tcp((9000, 40000), 499, 100, SYN | ACK, MSS)))
    capture.add(rtt_ms + 0.02, ip(*client, tcp((40000, 9000), 100, 500, ACK)))
    for i in range(n):
        at = (i + 1) * (rtt_ms + 1)
        capture.add(at, ip(*client, tcp((40000, 9000), 100 + 20 * i, 500 + 50 * i, ACK | PSH) + bytes(20)))
        capture.add(at + rtt_ms, ip(*server, tcp((9000, 40000), 500 + 50 * i, 120 + 20 * i, ACK | PSH) + bytes(50)))
    return capture


def check_distance(tap, tool, folder):
    for rtt_ms, said in ((150, True), (30, False)):
        path = folder / f"rtt{rtt_ms}.pcap"
        exchanges(rtt_ms, 8).write(path)
        screen = " ".join(tool.text(path).split())
        words = "But the path took 1.35 of 1.36 s of waiting (99%)" in screen if said else "the path took" not in screen
        tap.check(f"8 requests over {rtt_ms} ms are no problem, and {'a matter' if said else 'none'} of the path",
                  [] if words and "No problem found: 1 connection" in screen else screen)


def syn_acks(capture, n, asked):
    """SYN/ACKs of so many servers, each repeated twice, to a client that sent the SYNs or did not."""
    for i in range(n):
        client, server = ("10.7.0.9", f"10.8.0.{i + 1}", 6), (f"10.8.0.{i + 1}", "10.7.0.9", 6)
        if asked:
            capture.add(100 * i, ip(*client, tcp((40000 + i, 80), 99, 0, SYN, MSS)))
        for at in (20, 1020, 3020):
            capture.add(100 * i + at, ip(*server, tcp((80, 40000 + i), 499, 100, SYN | ACK, MSS)))


def check_backscatter(tap, tool, folder):
    for asked in (False, True):
        path, capture = folder / f"syn_acks_{asked}.pcap", Capture()
        syn_acks(capture, 5, asked)
        capture.write(path)
        screen = " ".join(tool.text(path).split())
        told = "SYN/ACKs without a SYN (5 connections) answer SYNs that others sent from this address (backscatter)" in screen
        tap.check("SYN/ACKs are " + ("not backscatter where the SYNs are there" if asked else "backscatter, and no unexplained time, where nobody sent a SYN"),
                  [] if told != asked and "cannot be explained" not in screen else screen)


def flood(capture, n, come_back):
    """SYNs of so many clients whose SYN/ACKs are repeated in vain; the captured end has fewer of them."""
    for i in range(n):
        client, server = (f"10.8.{i}.1", "10.7.0.2", 6), ("10.7.0.2", f"10.8.{i}.1", 6)
        capture.add(100 * i, ip(*client, tcp((40000, 80), 99, 0, SYN, MSS)))
        for at in (0.1, 1000, 3000, 7000):
            if 100 * i + at < 4000:
                capture.add(100 * i + at, ip(*server, tcp((80, 40000), 499, 100, SYN | ACK, MSS)))
        if come_back:
            capture.add(100 * i + 1001, ip(*client, tcp(((40000, 80) if come_back == "again" else (40001, 80)), 99, 0, SYN, MSS)))


def check_flood(tap, tool, folder):
    for come_back, n in (("", 35), ("again", 35), ("anew", 35), ("", 9)):
        path, capture = folder / f"flood_{come_back}{n}.pcap", Capture()
        flood(capture, n, come_back)
        capture.write(path)
        found = [f["cause"] for f in tool.document("--json", path)["findings"]]
        screen = " ".join(tool.text(path).split())
        told = "SYN flood from invented addresses" in screen and "No lost time found, but handshakes were left unfinished" in screen
        want = not come_back and n > 9
        tap.check(f"{n} clients that send one SYN each{' and come back ' + come_back if come_back else ''} are {'a' if want else 'no'} SYN flood",
                  [] if told == want and (found == []) == want else str(found) + screen)


def check_csv(tap, tool, sick):
    for command, key in (("streams", "streams"), ("exchanges", "exchanges")):
        rows = [line.split(",") for line in tool.text(command, "--csv", sick).splitlines()]
        objects = tool.document(command, "--json", sick)[key]
        wrong = [r for r in rows if len(r) != len(rows[0])] + ([] if len(rows) == len(objects) + 1 else [f"{len(rows)} rows"])
        tap.check(f"{command} as CSV has a row for each, and a cell for each name", wrong[:3])
    hostile = tool.text("streams", "--csv", sick)
    tap.check("names of columns are those of JSON", [] if hostile.startswith("stream,client,server,") else hostile[:80])
    rates = [line.split(",") for line in tool.text("graph", "throughput", "-s", "1-4", "--csv", sick).splitlines()[1:]]
    total = sum(int(r[2]) for r in rates if r[0] == "sum")
    tap.check("the sum of several streams", [] if total == sum(int(r[2]) for r in rates if r[0] != "sum") > 0 and len({r[0] for r in rates}) == 5 else str(rates[:3]))


def check_selected(tap, tool, database):
    """Each form shows the requests that were asked for, and says so when none is."""
    logins = tool.document("exchanges", "--waterfall", "--json", "--operation", "login", database)
    tap.check("phases of the requests that were asked for", [] if [r["request"] for r in logins["waterfall"]] == ["login"] else str(logins)[:300])
    for form in ((), ("--waterfall",), ("--operations",)):
        last = tool.text("exchanges", *form, "--protocol", "redis", database).splitlines()[-1]
        tap.check(f"{' '.join(form) or 'the list'} says that none is", [] if last == "None of 84 requests is what was asked for." else last)
    wide = [line for line in tool.text("exchanges", "--waterfall", "--width", "80", database).splitlines() if len(line) > 80]
    tap.check("phases fit into 80 columns, each whole", wide or ([] if "receive    total" in tool.text("exchanges", "--waterfall", "--width", "80", database) else "columns are cut"))
    comment = tool.document("exchanges", "--har", database)["log"]["comment"]
    tap.check("an HTTP Archive counts what it leaves out", [] if comment.startswith("84 requests of other protocols") else comment)


def main():
    tool, pcaps = Tool(str(pathlib.Path(sys.argv[1]).resolve())), pathlib.Path(sys.argv[2]).resolve()
    sick, lossy = pcaps / "nginx_nagle_delack/client.pcap", pcaps / "random_loss_1pct/client.pcap"
    with tempfile.TemporaryDirectory() as name, Tap() as tap:
        folder = pathlib.Path(name)
        check_probes(tap, tool, folder)
        check_route(tap, tool, folder)
        check_udp(tap, tool, folder)
        check_latency(tap, tool, sick, pcaps / "ab_short_connections/client.pcap")
        check_iperf3(tap, tool, lossy, pcaps / "sndbuf_16k_20ms/server.pcap", pcaps / "rto_tail_loss/server.pcap")
        check_open(tap, tool, pcaps / "connection_limit_64/client.pcap", pcaps / "keepalive_idle/client.pcap")
        check_sockets(tap, tool, pcaps / "connection_limit_64/client.pcap", sick)
        check_many_queues(tap, tool, pcaps, folder)
        check_distance(tap, tool, folder)
        check_backscatter(tap, tool, folder)
        check_flood(tap, tool, folder)
        check_csv(tap, tool, sick)
        check_selected(tap, tool, pcaps / "round_trips_psql_50ms/client.pcap")


if __name__ == "__main__":
    main()
