#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""databases.py TCPWHY PCAPS [CAPTURES]: requests of databases and brokers begin and are answered in the frames that tshark says.

tshark tells messages, and pairs only MongoDB's and Kafka's; the rest is paired here by what the protocols say, another way than
tcpwhy does: by the next frame of the other side that ends, or is, an answer. Where they differ: tshark 4.0 has no dissector for
memcached in captures on other ports, and of Redis it tells values, not requests: there each frame that asks counts once;
of Kafka's newer versions of requests it calls the responses undecoded, which are not compared.
"""
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402


def exchanges(tcpwhy, path, *options):
    out = subprocess.run([tcpwhy, 'exchanges', '--json', *options, path], capture_output=True, check=False)
    return json.loads(out.stdout)['exchanges'] if out.returncode == 0 else []


def fields(path, display, names, *options):
    """A list of values for each packet, in the order of names; the first two are frame and stream."""
    command = ['tshark', '-r', path, *options, '-Y', display, '-T', 'fields', '-E', 'occurrence=a', '-E', 'aggregator=|']
    for name in ('frame.number', 'tcp.stream', *names):
        command += ['-e', name]
    out = subprocess.run(command, capture_output=True, text=True, check=False)
    return [[cell.split('|') if cell else [] for cell in line.split('\t')] for line in out.stdout.splitlines()]


def pairs(told, keep):
    return sorted((e['request_last_frame'], e['response_frame']) for e in told if e['request_frame'] and keep(e))


def by_number(rows, request, answers):
    """Rows of (frame, stream, numbers, numbers of the requests that are answered)."""
    asked = {}
    for frame, stream, numbers, answered in rows:
        for n in numbers:
            if request(frame, answered):
                asked.setdefault((stream[0], n), [int(frame[0]), None])
        for n in answered:
            if (stream[0], n) in asked and answers(frame):
                asked[stream[0], n][1] = asked[stream[0], n][1] or int(frame[0])
    return sorted(map(tuple, asked.values()), key=lambda pair: (pair[0], pair[1] or 0))


def mongodb(path, port):
    rows = fields(path, 'mongo', ('mongo.request_id', 'mongo.response_to'), '-d', f'tcp.port=={port},mongo')
    return by_number(rows, lambda _, answered: set(answered) == {'0x00000000'}, lambda _: True)


def mqtt(path, port):
    """Of the client: by the type and identifier of what answers."""
    answer = {'1': '2', '8': '9', '10': '11', '12': '13', '6': '7'}
    waiting, found = {}, []
    for frame, stream, source, kinds, qos, ids in fields(path, 'mqtt', ('tcp.srcport', 'mqtt.msgtype', 'mqtt.qos', 'mqtt.msgid'), '-d', f'tcp.port=={port},mqtt'):
        kind, number = kinds[0], ids[0] if ids else ''
        if source[0] == str(port):
            if (stream[0], kind, number) in waiting:
                found.append((waiting.pop((stream[0], kind, number)), int(frame[0])))
        else:
            expected = {'0': None, '1': '4', '2': '5'}[qos[0]] if kind == '3' else answer.get(kind)
            if expected:
                waiting[stream[0], expected, number] = int(frame[0])
    return sorted(found)


def in_turn(path, display, port, *options):
    """Each request's frame, and the next one of the server in its stream."""
    waiting, found = {}, []
    for frame, stream, source, *_ in fields(path, display, ('tcp.srcport',), *options):
        if source[0] == str(port):
            found += [(asked, int(frame[0])) for asked in waiting.pop(stream[0], [])]
        else:
            waiting.setdefault(stream[0], []).append(int(frame[0]))
    return sorted(found)


def pgsql(path, port):
    """Of the types that are answered, as many as a frame has; pipelines are answered in one frame here."""
    asks = {'Simple query': 1, 'Execute': 1, 'Startup message': 1}
    waiting, found = {}, []
    for frame, stream, source, kinds in fields(path, 'pgsql', ('tcp.srcport', 'pgsql.type'), '-d', f'tcp.port=={port},pgsql'):
        kinds = kinds[0].split(',') if len(kinds) == 1 else kinds
        if source[0] == str(port):
            found += [(asked, int(frame[0])) for asked in waiting.pop(stream[0], [])]
        else:
            n = sum(asks.get(kind, 0) for kind in kinds) or ('Sync' in kinds)
            waiting.setdefault(stream[0], []).extend([int(frame[0])] * n)
    return sorted(found)


def memcached(path, port):
    """Packets that are not quiet, in the order of both sides; a frame with quiet reads begins with one."""
    rows = fields(path, 'memcache', ('memcache.magic', 'memcache.opcode'), '-d', f'tcp.port=={port},memcache')
    asked = [int(frame[0]) for frame, _, magic, _ in rows if magic[0] == '128']
    return list(zip(asked, (int(frame[0]) for frame, _, magic, _ in rows if magic[0] == '129')))


def kafka(path):
    asked, found = {}, []
    for frame, stream, key, number, request in fields(path, 'kafka', ('kafka.api_key', 'kafka.correlation_id', 'kafka.request_frame')):
        if request:
            found.append((int(request[0]), int(frame[0])))
        elif key:
            asked[stream[0], number[0]] = int(frame[0])
    return sorted(found)


def modbus(path):
    return sorted((int(request[0]), int(frame[0])) for frame, _, request in fields(path, 'modbus', ('modbus.request_frame',)) if request)


def differences(mine, theirs):
    if not theirs:
        return ['tshark found none']
    return [f'{pair} of tshark alone' for pair in theirs if pair not in mine] + [f'{pair} alone' for pair in mine if pair not in theirs]


def answered(e):
    return e['response_frame'] is not None


def check_values(tcpwhy, path, secrets):
    """They are in no output unless asked for."""
    text = subprocess.run([tcpwhy, 'exchanges', '--json', path], capture_output=True, text=True, check=False).stdout
    shown = subprocess.run([tcpwhy, 'exchanges', '--json', '--values', path], capture_output=True, text=True, check=False).stdout
    return ['values are shown'] * ('secret' in text.replace(str(path), '')) + ['values are not shown with --values'] * (secrets and 'secret' not in shown)


def main():
    tcpwhy, pcaps = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which('tshark'):
        skip_all('no tshark')

    def mine(case, keep=answered):
        return pairs(exchanges(tcpwhy, pcaps / case / 'client.pcap'), keep)

    def path(case):
        return pcaps / case / 'client.pcap'

    with Tap() as tap:
        tap.check('PostgreSQL', differences(mine('postgresql_psql'), pgsql(path('postgresql_psql'), 15432)))
        tap.check('MySQL', differences(mine('mysql_prepared'), in_turn(path('mysql_prepared'), 'mysql', 13306, '-d', 'tcp.port==13306,mysql')))
        tap.check('Redis', differences(sorted(set(mine('redis_pipeline'))), in_turn(path('redis_pipeline'), 'resp', 16379, '-d', 'tcp.port==16379,resp')))
        tap.check('MongoDB', differences(mine('mongodb_find'), mongodb(path('mongodb_find'), 17017)))
        tap.check('memcached, binary', differences(mine('memcached_binary'), memcached(path('memcached_binary'), 11211)))
        tap.check('Modbus', differences(mine('modbus_unit_silent'), modbus(path('modbus_unit_silent'))))
        tap.check('MQTT', differences(mine('mqtt_qos'), mqtt(path('mqtt_qos'), 11883)))
        for case, has in (('postgresql_psql', True), ('mysql_prepared', True), ('redis_pipeline', True), ('mongodb_find', False), ('mqtt_qos', True)):
            tap.check(f'values of {case}', check_values(tcpwhy, path(case), has))
        found = sorted(pathlib.Path(sys.argv[3]).rglob('kafka*.pcap*')) if len(sys.argv) > 3 else []
        for capture in (path('kafka_topic'), *found):
            theirs = kafka(capture)
            told = set(pairs(exchanges(tcpwhy, capture), answered))
            if theirs or capture not in found:
                tap.check(f'Kafka, {capture.parent.name}/{capture.name}', [f'{pair} of tshark alone' for pair in theirs if pair not in told] if theirs else ['no pair'])


if __name__ == '__main__':
    main()
