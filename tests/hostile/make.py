#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py KIND N FILE: generate a capture of N frames with worst-case cost for an analyser.

Without arguments: list the kinds. A kind looks the same for every N, so that the times for N and for 4 N can be
compared. The output is reproducible.
"""
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapngfile  # noqa: E402

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101)  # raw IP
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16

CLIENT, SERVER = 0x0A000001, 0x0A000002
YEAR_US = 365 * 86400 * 1000000


def ipv4(payload, source, destination, protocol=6, ident=0, field=0x4000):
    return struct.pack(">BBHHHBBHII", 0x45, 0, 20 + len(payload), ident, field, 64, protocol, 0, source, destination) + payload


def sack(blocks):
    return b"\x01\x01" + struct.pack(">BB", 5, 2 + 8 * len(blocks)) + b"".join(struct.pack(">II", a & 0xFFFFFFFF, b & 0xFFFFFFFF) for a, b in blocks)


def tcp(sport, dport, seq, ack, flags, payload=b"", window=65535, options=b""):
    return struct.pack(">HHIIBBHHH", sport, dport, seq & 0xFFFFFFFF, ack & 0xFFFFFFFF, (20 + len(options)) << 2 & 0xF0, flags, window, 0, 0) + options + payload


def up(seq, ack, flags=ACK, payload=b"", **more):
    """From the client of the one connection that most kinds are about."""
    return ipv4(tcp(40000, 80, seq, ack, flags, payload, **more), CLIENT, SERVER)


def down(seq, ack, flags=ACK, payload=b"", **more):
    return ipv4(tcp(80, 40000, seq, ack, flags, payload, **more), SERVER, CLIENT)


def handshake(at=0, step=10000):
    """Ends with both sides at sequence number 1."""
    yield at, up(0, 0, SYN, options=b"\x02\x04\x05\xb4")
    yield at + step, down(0, 1, SYN | ACK, options=b"\x02\x04\x05\xb4")
    yield at + 2 * step, up(1, 1)


def syn_flood(n):
    """Five-tuples that are seen once."""
    for i in range(n):
        yield i, ipv4(tcp(1024 + i % 60000, 80, i, 0, SYN), 0x0B000000 + i // 60000, SERVER)


def syn_flood_everywhere(n):
    """Each SYN goes to another server, and is repeated."""
    for i in range(n // 2):
        yield i, ipv4(tcp(40000, 80, i, 0, SYN), CLIENT, 0x0C000000 + i)
    for i in range(n // 2):
        yield 3000000 + i, ipv4(tcp(40000, 80, i, 0, SYN), CLIENT, 0x0C000000 + i)


def refused_everywhere(n):
    """Each SYN goes to another server, and is refused in no time."""
    for i in range(n // 2):
        yield 0, ipv4(tcp(40000, 80, i, 0, SYN), CLIENT, 0x0C000000 + i)
        yield 0, ipv4(tcp(80, 40000, 0, i + 1, RST | ACK), 0x0C000000 + i, CLIENT)


def filtered_ports(n):
    """A server that lives answers at one port, and at none of the others, where each SYN is repeated."""
    yield 0, ipv4(tcp(50000, 1, 0, 0, SYN), CLIENT, SERVER)
    yield 0, ipv4(tcp(1, 50000, 0, 1, SYN | ACK), SERVER, CLIENT)
    for again in range(2):
        for i in range((n - 2) // 2):
            yield 1000000 * again + i + 1, ipv4(tcp(40000 + (i >> 15), 2 + (i & 32767), i, 0, SYN), CLIENT, SERVER)


def similar_servers(n):
    """IPv6 servers whose addresses a plain hash (33 h + byte) cannot tell apart."""
    for i in range(n):
        steps = [i >> 3 * k & 7 for k in range(7)]
        server = bytes(2) + b"".join(bytes((step, 231 - 33 * step)) for step in steps)
        yield i, struct.pack(">IHBB16s16s", 0x60000000, 20, 6, 64, b"\xfd" + bytes(14) + b"\1", server) + tcp(40000, 80, i, 0, SYN)


def ports_reused(n):
    """One five-tuple, opened anew with every frame."""
    for i in range(n):
        yield i, up(i * 1000, 0, SYN)


def holes(n):
    """Every other byte is missing, and none ever comes."""
    yield from handshake()
    for i in range(n):
        yield 30000 + i, up(2 + 2 * i, 1, PSH | ACK, b"x")


def holes_filled(n):
    """Segments of one window after the other in a random order."""
    shuffle = random.Random(1)
    yield from handshake()
    at, window = 30000, 4000
    for base in range(0, n, window):
        order = list(range(base, min(base + window, n)))
        shuffle.shuffle(order)
        for i in order:
            at += 1
            yield at, up(1 + 10 * i, 1, ACK, b"0123456789")
        at += 1
        yield at, down(1, 1 + 10 * min(base + window, n))


def duplicate_acks(n):
    """What is reported as arrived changes with each of them."""
    yield from handshake()
    for i in range(64):
        yield 30000 + i, up(1 + 1000 * i, 1, ACK, bytes(1000))
    for i in range(n):
        blocks = [(1001 + 1000 * (i + k) % 60000, 2001 + 1000 * (i + k) % 60000) for k in (0, 7, 14)]
        yield 40000 + i, down(1, 1, ACK, options=sack(blocks))


def never_acknowledged(n):
    """One segment, again and again."""
    yield from handshake()
    for i in range(n):
        yield 30000 + 300000 * i, up(1, 1, PSH | ACK, bytes(100))


def forged_acks(n):
    """ACKs of connections that nobody opened, each from another address, for bytes that nobody sent."""
    pick = random.Random(3)
    for i in range(n):
        yield i, ipv4(tcp(pick.randrange(1024, 65536), 80, pick.getrandbits(32), pick.getrandbits(32), ACK), pick.getrandbits(32), SERVER)


def acknowledged_late(n):
    """All of the data, then an ACK for each segment of it."""
    yield from handshake()
    for i in range(n // 2):
        yield 30000 + i, up(1 + 100 * i, 1, ACK, bytes(100))
    for i in range(n // 2):
        yield 9000000 + i, down(1, 101 + 100 * i)


def lost_in_reverse(n):
    """After the last segment all that were lost before it, the last ones first, with timestamps."""
    yield from handshake()
    for i in range(n):
        at = 30000 + 1000 * i
        stamps = b"\x01\x01" + struct.pack(">BBII", 8, 10, at // 1000, 1)
        yield at, up(1 + 100 * (n - i), 1, ACK, bytes(100), options=stamps)


def resets(n):
    """RST and FIN, without an end."""
    yield from handshake()
    for i in range(n):
        yield 30000 + 1000 * i, up(1 + i, 1, RST if i % 2 else FIN | ACK)


def comes_again(n):
    """A connection that is reset, and goes on when it was told as over, again and again."""
    yield from handshake()
    question, answer = b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 204 No Content\r\n\r\n"
    for i in range(n // 4):
        at, seq, ack = 200000000 * (i + 1), 1 + i * len(question), 1 + i * len(answer)
        yield at, up(seq, ack, ACK | PSH, question)
        yield at + 1000, down(ack, seq + len(question), ACK | PSH, answer)
        yield at + 2000, up(seq + len(question), ack + len(answer), RST | ACK)
        yield at + 100000000, ipv4(tcp(50000, 80, i, 0, SYN), CLIENT + 1, SERVER)


def keep_alives(n):
    """A connection that is asked every second whether it lives."""
    yield from handshake()
    for i in range(n // 2):
        yield 1000000 * (i + 1), up(0, 1)
        yield 1000000 * (i + 1) + 1000, down(1, 1)


def each_repeated(n):
    """Every segment is sent twice, and none is acknowledged."""
    yield from handshake()
    for i in range(n // 2):
        yield 30000 + 2000 * i, up(1 + 100 * i, 1, PSH | ACK, bytes(100))
        yield 31000 + 2000 * i, up(1 + 100 * (i // 2), 1, PSH | ACK, bytes(100))


def black_hole(n):
    """Full-size segments are repeated, each three times after a timeout, while the other side talks."""
    yield from handshake()
    at, acked = 30000, 1
    for i in range(n // 6):
        for _ in range(5):
            at += 250000
            yield at, up(acked, 1 + i, ACK, bytes(1460))
        acked += 1460
        at += 1000
        yield at, down(1 + i, acked, PSH | ACK, b"x")


def sequence_jumps(n):
    """Forged numbers, far from those in use."""
    yield from handshake()
    for i in range(n):
        yield 30000 + i, up(1 + i % 3 * 0x30000000 + i, 1 + i % 5 * 0x20000000, PSH | ACK, b"x")


def clock_back(n):
    """The clock jumps back and forth by decades."""
    for i, (_, packet) in enumerate(handshake()):
        yield i, packet
    for i in range(n // 2):
        at = (i * 37 % 100) * YEAR_US + i
        yield at, up(1 + 10 * i, 1 + 10 * i, PSH | ACK, b"0123456789")
        yield at + 40000, down(1 + 10 * i, 11 + 10 * i, PSH | ACK, b"0123456789")


def clock_stopped(n):
    """Questions and answers in no time."""
    yield from handshake()
    for i in range(n // 2):
        yield 30000, up(1 + i, 1 + i, PSH | ACK, b"?")
        yield 30000, down(1 + i, 2 + i, PSH | ACK, b"!")


def beyond_window(n):
    """A window of which nobody can have heard is overrun again and again, by no bytes that were sent before."""
    yield from handshake(step=1000000)
    yield 3000000, up(1, 1, PSH | ACK, b"question", window=100)
    yield 4000000, down(1, 9, PSH | ACK, bytes(200))
    for i in range(n // 2):
        yield 4000001, up(9, 1, window=100 - i % 2)
        yield 4000001, down(201 + 10 * i, 9, PSH | ACK, b"0123456789")


def one_sided(n):
    """Small segments at one moment, of a sender whom nobody answers."""
    for i in range(n):
        yield 1000, up(1 + 3 * i, 1, PSH | ACK, b"abc")


def acks_ahead(n):
    """One side writes in drops; the other's ACKs lie just beyond what it can have heard."""
    yield from handshake(step=1000000)
    yield 2000001, down(1, 1, window=65535)
    for i in range(n):
        if i % 2:
            yield 3000000 + i, down(1, 1 + 3 * i)
        else:
            yield 3000000 + i, up(1 + 3 * i, 1, PSH | ACK, b"abcdef")


def pipelined(n):
    """Tiny HTTP requests without an end, then all of their answers."""
    question, answer = b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    yield from handshake()
    for i in range(n // 2):
        yield 30000 + i, up(1 + len(question) * i, 1, PSH | ACK, question)
    for i in range(n // 2):
        yield 9000000 + i, down(1 + len(answer) * i, 1 + len(question) * (n // 2), PSH | ACK, answer)


def chunked(n):
    """One response in chunks of a byte."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    question = b"GET / HTTP/1.1\r\n\r\n"
    yield from handshake()
    yield 30000, up(1, 1, PSH | ACK, question)
    yield 40000, down(1, 1 + len(question), PSH | ACK, head)
    for i in range(n):
        yield 40001 + i, down(1 + len(head) + 6 * i, 1 + len(question), PSH | ACK, b"1\r\nx\r\n")


def long_line(n):
    """A request line that never ends."""
    yield from handshake()
    yield 30000, up(1, 1, PSH | ACK, b"GET /")
    for i in range(n):
        yield 30001 + i, up(6 + 8 * i, 1, PSH | ACK, b"aaaaaaaa")


def late_words(n):
    """One side speaks twice a second, and then the other, who has heard nothing of it."""
    yield from handshake()
    yield 30000, up(1, 1, ACK | PSH, b"question")
    for i in range(n):
        yield 500000 * (i + 1), down(1 + 4 * i, 9, ACK | PSH, b"word")
    yield 500000 * (n + 1), up(9, 1, ACK | PSH, b"question")


def pieces_unheard(n):
    """An answer in pieces, of which none is acknowledged."""
    yield from handshake()
    yield 30000, up(1, 1, ACK | PSH, b"question")
    yield 40000, down(1, 9)
    for i in range(n):
        yield 50000 * (i + 1), down(1 + 5 * i, 9, ACK | PSH, b"piece")


def one_exchange_each(n):
    """Connections of ten frames, one behind the other, none from the port of another."""
    steps = ((True, 0, 0, SYN, b""), (False, 0, 1, SYN | ACK, b""), (True, 1, 1, ACK, b""), (True, 1, 1, PSH | ACK, bytes(100)),
             (False, 1, 101, ACK, b""), (False, 1, 101, PSH | ACK, bytes(400)), (True, 101, 401, ACK, b""), (True, 101, 401, FIN | ACK, b""),
             (False, 401, 102, FIN | ACK, b""), (True, 102, 402, ACK, b""))
    for i in range(n):
        client, port = CLIENT + 1 + i // 600000, 1024 + i // 10 % 60000
        from_client, seq, ack, flags, payload = steps[i % 10]
        ends = ((port, 80), (client, SERVER)) if from_client else ((80, port), (SERVER, client))
        yield 10 * i, ipv4(tcp(*ends[0], seq, ack, flags, payload), *ends[1])


def held_back(n):
    """Requests whose begin is missing, each of another client: 1400 bytes wait for the hole to fill."""
    for i in range(n):
        sport, client = 1024 + i // 4 % 60000, CLIENT + 1 + i // 240000
        if i % 4 == 0:
            yield i, ipv4(tcp(sport, 80, 0, 0, SYN), client, SERVER)
        else:
            yield i, ipv4(tcp(sport, 80, 2 + 1400 * (i % 4), 1, ACK, bytes(1400)), client, SERVER)


def zero_window(n):
    """The window opens and closes."""
    yield from handshake()
    for i in range(n // 3):
        yield 30000 + 3000 * i, down(1, 1 + 10 * i, window=0)
        yield 31000 + 3000 * i, down(1, 1 + 10 * i, window=1000)
        yield 32000 + 3000 * i, up(1 + 10 * i, 1, PSH | ACK, b"0123456789")


def icmp_errors(n):
    """Every second frame says that the other one was too big."""
    yield from handshake()
    for i in range(n // 2):
        packet = up(1 + i % 9 * 1460, 1, ACK, bytes(1460))
        yield 30000 + 2 * i, packet
        yield 30001 + 2 * i, ipv4(struct.pack(">BBHHH", 3, 4, 0, 0, 1400) + packet[:28], 0x0A000009, CLIENT, 1)


def fragments(n):
    """First pieces of datagrams whose rest never comes."""
    for i in range(n):
        yield i, ipv4(tcp(40000, 80, i, 0, ACK), CLIENT, SERVER + i // 65536, ident=i % 65536, field=0x2000)


def tiny_fragments(n):
    """The largest datagrams in pieces of 8 bytes, from the end to the beginning."""
    for i in range(n):
        part = 8189 - i % 8190
        body = tcp(40000, 80, 65000 * (i // 8190), 0, ACK)[8 * part:8 * part + 8] if part < 3 else b""
        field = part if part == 8189 else 0x2000 | part
        yield i, ipv4(body.ljust(8, b"x"), CLIENT, SERVER, ident=i // 8190 % 65536, field=field)


def nested_tunnels(n):
    """IP in IP in IP ..."""
    packet = up(1, 1, PSH | ACK, b"x")
    for _ in range(60):
        packet = ipv4(packet, CLIENT, SERVER, 4)
    for i in range(n):
        yield i, packet


def soup(n):
    """One connection of random flags and numbers."""
    pick = random.Random(2)
    for i in range(n):
        way = up if pick.random() < 0.5 else down
        flags = pick.choice((ACK, ACK, ACK, PSH | ACK, PSH | ACK, SYN, SYN | ACK, FIN | ACK, RST))
        seq, ack = (pick.randrange(0, 1 << 20) for _ in range(2))
        blocks = [(pick.randrange(0, 1 << 20), pick.randrange(0, 1 << 20)) for _ in range(pick.randrange(0, 4))]
        yield pick.randrange(0, 50) + 50 * i, way(seq, ack, flags, bytes(pick.randrange(0, 60)), window=pick.choice((0, 1, 1000, 65535)),
                                                  options=sack(blocks) if blocks else b"")


def said(words):
    """What both sides say in turn, a frame each: (from the client, bytes)."""
    yield from handshake()
    seq = {True: 1, False: 1}
    for i, (client, word) in enumerate(words):
        yield 30000 + i, (up if client else down)(seq[client], seq[not client], PSH | ACK, word)
        seq[client] += len(word)


def smb_compounds(n):
    """Compounds of 16 requests of SMB 2, of which none is answered, and all have one number."""
    one = b"\xfeSMB" + struct.pack("<HHIHHIIQ", 64, 0, 0, 8, 1, 0, 64, 7) + bytes(32)
    last = b"\xfeSMB" + struct.pack("<HHIHHIIQ", 64, 0, 0, 8, 1, 0, 0, 7) + bytes(32)
    yield from said((True, struct.pack(">I", 1024) + 15 * one + last) for _ in range(n // 4))


def rpc_reversed(n):
    """Calls of NFS, and then the replies, the last one first."""
    half = n // 3
    calls = ((True, struct.pack(">I10I", 0x80000028, i, 0, 2, 100003, 3, 6, 0, 0, 0, 0)) for i in range(half))
    replies = ((False, struct.pack(">I6I", 0x80000018, half - 1 - i, 1, 0, 0, 0, 0)) for i in range(half))
    yield from said((*calls, *replies, *(((True, b"more"),) * half)))


def ldap_filters(n):
    """Searches whose filters are one in the other, deeper than anybody looks."""
    inner = b""
    for _ in range(60):
        inner = bytes((0xA0, len(inner))) + inner
    search = b"\4\0\x0a\1\2\x0a\1\0\2\1\0\2\1\0\1\1\0" + inner
    message = b"\x02\x01\x05\x63\x81" + bytes((len(search),)) + search
    yield from said((True, b"\x30\x81" + bytes((len(message),)) + message) for _ in range(n))


def imap_tags(n):
    """Commands of IMAP whose answers have the tags of others."""
    yield from said((i % 2 == 0, b"a1 NOOP\r\n" if i % 2 == 0 else b"* x\r\nb1 OK\r\n") for i in range(n))


def ftp_endless(n):
    """A reply of FTP whose last line never comes."""
    yield from said(((False, b"220 hi\r\n"), (True, b"STAT\r\n"), *(((False, b"211-x\r\n"),) * n)))


def websocket_messages(n):
    """Messages of a byte behind an upgrade, and frames of 2^62 bytes."""
    opening = ((True, b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"), (False, b"HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n\r\n"))
    yield from said((*opening, *(((False, b"\x81\x01a" * 9),) * n), (True, b"\x82\xff\x40" + bytes(11)), (True, b"x")))


def talk(words):
    """Data of both sides in turn: (side, bytes), 0 is the client."""
    yield from handshake()
    at, ends = 30000, [1, 1]
    for side, data in words:
        way = down if side else up
        yield at, way(ends[side], ends[not side], PSH | ACK, data)
        ends[side] += len(data)
        at += 10


def identifiers(n):
    """Requests of Kafka with a correlation id each, 20 in a frame, and no response."""
    def request(i):
        return struct.pack(">IHHIH", 14, 18, 0, i * 0x9E3779B1 & 0xFFFFFFFF, 4) + b"test"
    return talk((0, b"".join(request(20 * i + k) for k in range(20))) for i in range(n))


def endless_pipeline(n):
    """Statements of PostgreSQL in a pipeline without Sync, of which the first one fails."""
    bound = struct.pack(">cI", b"B", 12) + bytes(8) + struct.pack(">cI", b"E", 9) + bytes(5)
    yield from talk([(0, struct.pack(">II", 17, 3 << 16) + b"user\0me\0\0"), (1, b"R\0\0\0\x08\0\0\0\0Z\0\0\0\5I")] +
                    [(1, b"E\0\0\0\x0eC42P01\0\0\0\0") if i == 2 else (0, bound * 20) for i in range(n)])


def prepared_statements(n):
    """Statements of PostgreSQL, each with a name of its own."""
    return talk([(0, struct.pack(">II", 17, 3 << 16) + b"user\0me\0\0"), (1, b"R\0\0\0\x08\0\0\0\0Z\0\0\0\5I")] +
                [(0, b"".join(struct.pack(">cI8s", b"P", 24, b"%07d\0" % (20 * i + k)) + b"select %d\0\0\0" % (k % 10) for k in range(20))) for i in range(n)])


def nested_values(n):
    """A value of Redis that begins arrays in arrays, and never ends."""
    return talk([(0, b"*1\r\n$4\r\nPING\r\n")] + [(1, b"*2\r\n" * 40)] * n)


def long_messages(n):
    """Messages of MongoDB that announce 48 MB, of which a byte comes at a time."""
    return talk([(0, struct.pack("<IIIIIB", 48000000, 1, 0, 2013, 0, 0))] + [(0, b"x")] * n)


def confirmations(n):
    """AMQP's server confirms all publishings up to a number, which grows, as often as one is made."""
    publish = b"\1\0\1\0\0\0\x09\0\x3c\0\x28\0\0\0\0\0\xce"
    return talk([(0, b"AMQP\0\0\x09\1"), (0, b"\1\0\1\0\0\0\5\0\x55\0\x0a\0\xce")] +
                [(1, struct.pack(">BHIIQBB", 1, 1, 13, 60 << 16 | 80, i, 1, 0xCE)) if i % 2 else (0, publish * 10) for i in range(n)])


def deep_elements(n):
    """Messages of LDAP whose lengths have lengths, of 2^31 bytes and more, with whole ones between them."""
    bad = (b"\x30\x84\xff\xff\xff\xff\x02\x01\1", b"\x30\x88" + bytes(8), b"\x30\x80\x02\x01\1", b"\x30\x07\x02\x84\x7f\xff\xff\xff\1",
           b"\x30\x0a\x02\x05\1\1\1\1\1\x42\0\0", b"\x3f\xff\xff\xff\xff\x7f\0")
    for i in range(n // 4):
        words = ((SYN, b""), (ACK | PSH, b"\x30\x05\x02\x01\1\x42\0"), (ACK | PSH, bad[i % len(bad)]), (ACK | PSH, bad[i // 7 % len(bad)]))
        seq = 0
        for k, (flags, data) in enumerate(words):
            yield 4 * i + k, ipv4(tcp(1024 + i % 60000, 389, seq, 1, flags, data), CLIENT + i // 60000, SERVER)
            seq += len(data) + (k == 0)


# What each side of a protocol says: how it begins, and what is said again and again. In turn: client, server.
TLS_APPLICATION = b"\x17\3\3\0\1x" * 20
DIALOGUES = {
    # A greeting, a login, statements that are prepared and never closed; results of the largest length.
    3306: (b"\x3c\0\0\1\x05\xa2" + bytes(58), b"J\0\0\0\x0a8.0.36\0" + bytes(66), b"\x0f\0\0\0\x16select 1234567" * 8,
           b"\x0c\0\0\1\0%08d\0\0\0\xff\xff\xff\2"),
    # Values of 1 GiB, and a value that has no end.
    11211: (b"get key\r\n", b"VALUE key 0 1073741824\r\n", b"set k 0 0 1073741824\r\nx", b"x" * 20),
    11212: (b"\x80\x0d\0\3\0\0\0\0\0\0\0\3" + bytes(12) + b"key", b"", (b"\x80\x0d\0\3\0\0\0\0\0\0\0\3" + bytes(12) + b"key") * 9, b""),
    # Publishings with identifiers of their own, and none is confirmed.
    1883: (b"\x10\x0c\0\4MQTT\4\2\0\0\0\0", b"\x20\2\0\0", b"".join(b"\x32\6\0\1t\0%cx" % k for k in range(20)), b"\xd0\0" * 9),
    1433: (b"\x12\1\0\x14\0\0\1\0\0\0\6\0\6\xff\x0f\0\0\0\0\0", b"\4\1\0\x10\0\0\1\0" + bytes(8), b"\1\0\0\x09\0\0\1\0x" * 9, b"\4\0\0\x09\0\0\1\0x"),
    1521: (b"\0\x3a\0\0\1\0\0\0\1\x3e\1\x2c" + bytes(46), b"\0\x0c\0\0\2\0\0\0\1\x3e\0\0", b"\0\x0b\0\0\x0c\0\0\0\1\0\2" * 9,
           b"\0\x0b\0\0\x0c\0\0\0\1\0\2" * 9),
    25: (b"EHLO me\r\n", b"220 hi ESMTP\r\n", b"DATA\r\n" * 9, b"354-go\r\n" * 9),
    110: (b"CAPA\r\n", b"+OK ready\r\n", b"RETR 1\r\n" * 9, b"+OK\r\n..\r\n" * 9),
    22: (b"SSH-2.0-a\r\n", b"SSH-2.0-b\r\n", b"\0\0\0\x0c\x0a\x14" + bytes(10), b"\x7f\xff\xff\xff" + bytes(12)),
    443: (b"\x16\3\1\0\5\1\0\0\1\0", b"\x16\3\3\x40\0\2\xff\xff\xff", TLS_APPLICATION, b"\x14\3\3\0\1\1\x16\3\3\0\1x" * 9),
}


def endless_dialogues(n):
    """MySQL, memcached, MQTT, TDS, TNS, SMTP, POP3, SSH and TLS, a connection each: what is never answered, never ends, or is far too long."""
    ports = list(DIALOGUES)
    ends = {port: [0, 0] for port in ports}
    for i in range(n):
        port = ports[i % len(ports)]
        turn, end = i // len(ports), ends[port]
        server = turn % 2
        first, second = (1, 0) if port in (3306, 25, 110) else (0, 1)
        data, flags = b"", SYN | ACK * server
        if turn >= 2:
            server = (first, second)[turn % 2]
            data, flags = DIALOGUES[port][server + 2 * (turn >= 4)], PSH | ACK
        data = data % turn if b"%08d" in data else data
        segment = tcp(*((port, 40000) if server else (40000, port)), end[server], end[not server] if flags & ACK else 0, flags, data)
        yield 10 * i, ipv4(segment, *((SERVER, CLIENT) if server else (CLIENT, SERVER)))
        end[server] += len(data) + (turn < 2)


def lookups(n):
    """DNS queries for names that a plain hash (33 h + c) cannot tell apart: "az" counts as "c8" does."""
    for i in range(n):
        name = b"".join(b"c8" if i >> bit & 1 else b"az" for bit in range(20))
        query = struct.pack(">HHHHHH", i & 0xFFFF, 0x100, 1, 0, 0, 0) + bytes((len(name),)) + name + b"\0\0\1\0\1"
        yield 1000 * i, ipv4(struct.pack(">HHHH", 40000, 53, 8 + len(query), 0) + query, CLIENT, SERVER, protocol=17)


def h2(kind, flags, stream, payload=b""):
    """A frame of HTTP/2."""
    return struct.pack(">I", len(payload) << 8 | kind) + struct.pack(">BI", flags, stream) + payload


H2_OPENING = ((0, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + h2(4, 0, 0)), (1, h2(4, 0, 0)))


def http2_streams(n):
    """Requests of HTTP/2 without a response, of which some are reset; header tables that change, and windows that overflow."""
    update, change = struct.pack(">I", 0x7FFFFFFF), struct.pack(">HI", 4, 0x7FFFFFFF)

    def block(i, k):
        fields = b"".join(b"\x40\x06%06d\x01x" % (i * 4 + j) for j in range(4)) if k == 0 else b""
        return (b"\x3f\xe1\x1f" if i % 2 else b"\x3f\x61") + b"\x82\x84\x86" + fields

    def requests(i):
        ids = (2 * (10 * i + k) + 1 for k in range(10))
        return b"".join(h2(1, 5, stream, block(i, k)) + (h2(3, 0, stream, update) if k % 2 else b"") for k, stream in enumerate(ids))

    return talk([*H2_OPENING, (0, requests(0)), (1, h2(1, 4, 1, b"\x88")),
                 *((i % 3 == 0, h2(0, 0, 1) * 20) if i % 3 == 0 else (0, (h2(8, 0, 0, update) + h2(8, 0, 1, update) + h2(4, 0, 0, change)) * 3 if i % 3 == 1 else requests(i))
                   for i in range(1, n))])


def http2_tables(n):
    """Header tables of HTTP/2 that grow: 2^32 bytes are allowed, an entry of 750 bytes in each block, named 100 times, sizes of 2^31; all is answered."""
    allowed = h2(4, 0, 0, struct.pack(">HI", 1, 0xFFFFFFFF))
    resized, beyond = b"\x3f\xe1\xff\x03", b"\x3f\xe1\xff\xff\xff\x07"

    def request(i):
        block = resized * (i == 0) + b"\x82\x84\x86\x40\x01x\x7f\xef\x04" + (b"%06d" % i) * 125 + b"\xbe" * 100
        return b"".join((h2(1, 5, 20 * i + 1, block), *(h2(1, 5, 20 * i + 2 * k + 1, b"\x82\x84\x86") for k in range(1, 10))))

    def response(i):
        return b"".join(h2(1, 5, 20 * i + 2 * k + 1, beyond * (i % 1000 == 999) + b"\x88") for k in range(10))

    return talk([*H2_OPENING, (0, allowed), (1, allowed), *((i % 2, response(i // 2) if i % 2 else request(i // 2)) for i in range(n))])


def long_block(n):
    """pcapng: one packet with a comment for each frame that others have."""
    comments = n * pcapngfile.option("<", pcapngfile.COMMENT, bytes(1000))
    return pcapngfile.section("<") + pcapngfile.interface("<", 101) + pcapngfile.enhanced("<", 1, up(0, 0, SYN), options=comments)


KINDS = {kind.__name__: kind for kind in (
    syn_flood, syn_flood_everywhere, refused_everywhere, filtered_ports, similar_servers, ports_reused, holes, holes_filled, lost_in_reverse, duplicate_acks, forged_acks,
    acknowledged_late, never_acknowledged, each_repeated, black_hole, sequence_jumps, clock_back, clock_stopped, beyond_window, one_sided, acks_ahead,
    late_words, pieces_unheard, one_exchange_each, held_back, pipelined, chunked, long_line, zero_window, icmp_errors, resets, comes_again,
    keep_alives, fragments, tiny_fragments, nested_tunnels, soup, smb_compounds, rpc_reversed, ldap_filters, imap_tags, ftp_endless,
    websocket_messages, identifiers, endless_pipeline, prepared_statements, nested_values, long_messages, confirmations,
    deep_elements, endless_dialogues, lookups,
    http2_streams, http2_tables, long_block)}


def write(kind, n, file):
    if kind == long_block.__name__:
        file.write(long_block(n))
        return
    file.write(HEADER)
    for at, packet in KINDS[kind](n):
        file.write(struct.pack("<IIII", at // 1000000 & 0xFFFFFFFF, at % 1000000, len(packet), len(packet)) + packet)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        print(__doc__)
        for name, kind in KINDS.items():
            print(f"  {name:22}{kind.__doc__}")
        return 2
    with open(sys.argv[3], "wb") as file:
        write(sys.argv[1], int(sys.argv[2]), file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
