# SPDX-License-Identifier: MIT
"""Conversations of databases and brokers: for each dissector a few, as (side, bytes) in their order; 0 is the client."""
import struct


def pg(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


def mysql(number, body):
    return len(body).to_bytes(3, "little") + bytes((number,)) + body


def mongo(number, answers, document, flags=0):
    document = struct.pack("<I", len(document) + 5) + document + b"\0"
    return struct.pack("<IIIII", 21 + len(document), number, answers, 2013, flags) + b"\0" + document


def kafka(api, version, number, body=b""):
    body = struct.pack(">HHI", api, version, number) + b"\0\4test" + body
    return struct.pack(">I", len(body)) + body


def amqp(kind, body, channel=1):
    return struct.pack(">BHI", kind, channel, len(body)) + body + b"\xce"


def memcached(magic, opcode, key=b"", extras=b"", value=b"", status=0):
    body = extras + key + value
    return struct.pack(">BBHBBHI", magic, opcode, len(key), len(extras), 0, status, len(body)) + bytes(12) + body


def tds(kind, body, status=1):
    return struct.pack(">BBHHBB", kind, status, len(body) + 8, 0, 1, 0) + body


def tns(kind, body):
    return struct.pack(">HHBBH", len(body) + 8, 0, kind, 0, 0) + body


STARTUP = struct.pack(">II", 17, 3 << 16) + b"user\0me\0\0"
READY, DONE, ROW = pg(b"Z", b"I"), pg(b"C", b"SELECT 1\0"), pg(b"D", b"\0\1\0\0\0\1x")
PARSE, BIND, EXECUTE, SYNC = pg(b"P", b"s\0select 'a'\0\0\0"), pg(b"B", b"\0s\0\0\0\0\0\0\0"), pg(b"E", bytes(5)), pg(b"S")
FAILED = pg(b"E", b"SERROR\0C42P01\0\0")
HEADERS = struct.pack("<IIHQI", 22, 18, 2, 0, 1)
SQL = "select 'a', 1".encode("utf-16-le")
TALKS = {
    "pgsql": {
        "simple": [(0, STARTUP), (1, pg(b"R", bytes(4)) + READY), (0, pg(b"Q", b"select $$a$$, 'b'\0")), (1, pg(b"T", b"\0\1a\0" + bytes(18)) + ROW * 3 + DONE + READY),
                   (0, pg(b"Q", b"copy t from stdin\0")), (1, pg(b"G", bytes(3))), (0, pg(b"d", b"1\n") * 3 + pg(b"c")), (1, DONE + READY + pg(b"A", b"\0\0\0\1ch\0\0")), (0, pg(b"X"))],
        "pipeline": [(0, PARSE + (BIND + EXECUTE) * 3 + SYNC), (1, pg(b"1") + pg(b"2") + ROW + DONE + FAILED + READY), (0, BIND + EXECUTE + pg(b"H")), (1, pg(b"2") + DONE), (0, SYNC), (1, READY)],
        "tls": [(0, struct.pack(">II", 8, 0x04d2162f)), (1, b"N"), (0, STARTUP), (1, pg(b"R", struct.pack(">I", 10) + b"SCRAM\0\0")), (0, pg(b"p", b"x")), (1, FAILED)],
    },
    "mysql": {
        "prepared": [(1, mysql(0, b"\x0a8.0.36\0" + bytes(66))), (0, mysql(1, b"\x05\xa2\0\0" + bytes(50))), (1, mysql(2, bytes(7))), (0, mysql(0, b"\x16select \"a\", ?")),
                     (1, mysql(1, b"\0\7\0\0\0" + bytes(7))), (0, mysql(0, b"\x17\7\0\0\0\0\1\0\0\0")), (1, mysql(1, b"\xff\x7a\4#42S02no")), (0, mysql(0, b"\x19\7\0\0\0") + mysql(0, b"\1"))],
    },
    "redis": {
        "resp": [(0, b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n" * 3), (1, b"$3\r\na\nb\r\n-WRONGTYPE x\r\n%1\r\n+a\r\n*2\r\n:1\r\n,1.5\r\n"), (0, b"*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\nPING\r\n")],
        "push": [(0, b"*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n"), (1, b">3\r\n+subscribe\r\n+a\r\n:1\r\n>2\r\n+message\r\n+x\r\n|1\r\n+a\r\n+b\r\n:1\r\n"), (0, b"*1\r\n$4\r\nSYNC\r\n"), (1, b"+FULLRESYNC\r\n")],
    },
    "memcached": {
        "text": [(0, b"set a 0 60 3\r\na\nb\r\nget a b\r\ngets a\r\n"), (1, b"STORED\r\nVALUE a 0 3\r\na\nb\r\nEND\r\nEND\r\n"), (0, b"ms a 2 T0\r\nab\r\nincr a 1 noreply\r\nstats\r\n"), (1, b"HD\r\nSTAT a 1\r\nEND\r\n")],
    },
    "memcached_binary": {
        "quiet": [(0, memcached(128, 0, b"a") + memcached(128, 1, b"a", bytes(8), b"x")), (1, memcached(129, 0, b"", bytes(4), b"x") + memcached(129, 1, status=3)),
                  (0, memcached(128, 13, b"a") * 2 + memcached(128, 10)), (1, memcached(129, 13, b"a", bytes(4), b"x") + memcached(129, 10)),
                  (0, memcached(128, 17, b"a", bytes(8), b"x") + memcached(128, 16)), (1, memcached(129, 17, status=130) + memcached(129, 16, b"pid", b"", b"1") + memcached(129, 16))],
    },
    "mongodb": {
        "msg": [(0, mongo(1, 0, b"\2find\0\6\0\0\0users\0") + mongo(2, 0, b"\x12getMore\0" + bytes(8) + b"\2collection\0\2\0\0\0u\0\x10maxTimeMS\0\1\0\0\0")),
                (1, mongo(3, 1, b"\1ok\0" + bytes(8) + b"\x10code\0\x1a\0\0\0") + mongo(4, 9, b"\1ok\0" + bytes(8)))],
        "old": [(0, struct.pack("<IIIII", 46, 1, 0, 2004, 0) + b"admin.$cmd\0" + bytes(8) + b"\7\0\0\0\x0a\0\0"), (1, struct.pack("<IIII", 36, 1, 1, 1) + bytes(20))],
    },
    "kafka": {
        "ids": [(0, kafka(18, 3, 1) + kafka(0, 2, 2, bytes(6)) + kafka(0, 9, 3, b"\0\0\0\0") + kafka(1, 4, 4)), (1, struct.pack(">III", 8, 4, 0) + struct.pack(">II", 4, 1) + struct.pack(">II", 4, 7))],
    },
    "amqp": {
        "confirms": [(0, b"AMQP\0\0\x09\1"), (1, amqp(1, b"\0\x0a\0\x0a", 0)), (0, amqp(1, b"\0\x55\0\x0a\0") + (amqp(1, b"\0\x3c\0\x28\0\0\2ex\1k\0") + amqp(2, b"\0\x3c" + bytes(12)) + amqp(3, b"abc")) * 3),
                     (1, amqp(1, b"\0\x55\0\x0b") + amqp(1, b"\0\x3c\0\x50" + bytes(7) + b"\3\1")), (1, amqp(1, b"\0\x14\0\x28\1\x94\2no\0\0\0\0"))],
        "deliver": [(0, amqp(1, b"\0\x3c\0\x46\0\0\1q\0")), (1, amqp(1, b"\0\x3c\0\x47" + bytes(12)) + amqp(2, b"\0\x3c" + bytes(12)) + amqp(3, b"x") + amqp(1, b"\0\x3c\0\x3c\1x") + amqp(8, b"", 0)), (0, amqp(8, b"", 0))],
    },
    "mqtt": {
        "acks": [(0, b"\x10\x0d\0\4MQTT\5\2\0\x3c\0\1x"), (1, b"\x20\3\0\x87\0"), (0, b"\x30\6\0\3a/bx\x32\x08\0\3a/b\0\1x\x34\x08\0\3a/b\0\2x\x82\6\0\3\0\1a\1\xc0\0"), (1, b"\x40\2\0\1\x50\3\0\2\x91\x90\3\0\3\x80\x32\x08\0\3a/b\0\1x\xd0\0"), (0, b"\xe0\0")],
    },
    "tds": {
        "batch": [(0, tds(18, b"\0\0\6\0\6\xff" + bytes(6))), (1, tds(4, bytes(8))), (0, tds(1, HEADERS + SQL)), (1, tds(4, bytes(8), 0) + tds(4, b"\xaa\x20\0\xd0\0\0\0\1\x10")),
                  (0, tds(3, HEADERS + b"\xff\xff\x0a\0\0\0\0\0\xe7\x40\x1f" + bytes(5) + struct.pack("<H", len(SQL)) + SQL) + tds(6, b"")), (1, tds(4, bytes(8))), (0, tds(3, HEADERS + b"\2\0a\0b\0\0\0"))],
    },
    "tns": {
        "calls": [(0, tns(1, struct.pack(">HH", 318, 300) + bytes(46))), (1, tns(11, b"")), (0, tns(1, struct.pack(">HH", 318, 300) + bytes(46))), (1, tns(2, bytes(24))), (0, tns(6, b"\0\0\3\x5e\1\1")), (1, tns(6, b"\0\0\4\1") * 2),
                  (0, tns(12, b"\1\0\1")), (1, tns(4, b"\0\0")), (0, tns(6, b"\0\x40"))],
    },
}
