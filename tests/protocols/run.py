#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY PCAPS: `tcpwhy exchanges` pairs requests and responses as tshark does, frame by frame.

Each case is captured from a real server (see its case.json); the numbers are what its client sent.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

HTTP2 = {'http2_page': 100, 'http2_window': 1, 'http2_upgrade': 2, 'grpc_calls': 8}
# tshark knows it by its port only.
GRPC = ('-d', 'tcp.port==5051,http2')
# In TLS, with its secrets in the file.
SEALED_HTTP2 = {'tls13_http2': 3, 'tls13_page': 100}
# The frame with early data that the second server of tls13_early_data rejects.
EARLY_REJECTED = (25,)
# Milliseconds that h2load measured for the slowest request of tls13_page.
SLOWEST_MS = 155.605


def exchanges(tcpwhy, path, *options):
    out = subprocess.run([tcpwhy, 'exchanges', '--json', *options, path], capture_output=True, check=False)
    return json.loads(out.stdout)['exchanges'] if out.returncode == 0 else []


def tshark(path, display, fields, *options):
    command = ['tshark', '-r', path, *GRPC, *options, '-Y', display, '-T', 'json']
    for field in fields:
        command += ['-e', field]
    out = subprocess.run(command, capture_output=True, text=True, check=False)
    return [packet['_source']['layers'] for packet in json.loads(out.stdout or '[]')]


def http2_heads(path, *options):
    """(stream, HTTP/2 stream) -> first frame and text: of requests, and of responses."""
    requests, responses = {}, {}
    for layers in tshark(path, 'http2.type == 1', ('frame.number', 'tcp.stream', 'http2.type', 'http2.streamid', 'http2.headers.method',
                                                   'http2.headers.path', 'http2.headers.status'), *options):
        frame, stream = int(layers['frame.number'][0]), int(layers['tcp.stream'][0])
        heads = [int(i) for i, kind in zip(layers['http2.streamid'], layers['http2.type']) if kind == '1']
        if 'http2.headers.method' in layers:
            for i, verb, target in zip(heads, layers['http2.headers.method'], layers['http2.headers.path']):
                requests[stream, i] = frame, f'{verb} {target}'
        else:
            for i, status in zip(heads, layers.get('http2.headers.status', [])):  # trailers have none
                responses.setdefault((stream, i), (frame, int(status)))
    return requests, responses


def check_http2(tcpwhy, path, expected, *options):
    mine = {(e['stream'], e['http2_stream']): e for e in exchanges(tcpwhy, path, *options) if e['http2_stream']}
    requests, responses = http2_heads(path)
    problems = [] if len(mine) == expected else [f'{len(mine)} requests, not {expected}']
    for key, (frame, text) in requests.items():
        e = mine.get(key, {})
        # The messages of a call follow its head.
        is_call = e.get('protocol') == 'grpc'
        text = text.removeprefix('POST ') if is_call else text
        if (e.get('request_frame' if is_call else 'request_last_frame'), e.get('request')) != (frame, text):
            problems.append(f'{key}: request {text} in frame {frame} of tshark, {e}')
    for key, (frame, status) in responses.items():
        e = mine.get(key, {})
        if (e.get('response_frame'), e.get('status'), e.get('complete')) != (frame, status, True):
            problems.append(f'{key}: response {status} in frame {frame} of tshark, {e}')
    return problems if responses else problems + ['tshark found no response']


def check_http1(tcpwhy, path, expected, rejected=()):
    """Frames of the first lines; within TLS also tshark decrypts with the secrets in the file, and early data that the server rejected."""
    lines = tshark(path, 'http', ('frame.number', 'http.request.method', 'http.request.uri', 'http.response.code', 'http.request_in'))
    requests = {int(x['frame.number'][0]): f"{x['http.request.method'][0]} {x['http.request.uri'][0]}" for x in lines if 'http.request.method' in x}
    requests = {frame: text for frame, text in requests.items() if frame not in rejected}
    mine = [e for e in exchanges(tcpwhy, path) if e['protocol'] == 'http']
    problems = [] if len(mine) == expected else [f'{len(mine)} requests, not {expected}']
    if {e['request_frame']: e['request'] for e in mine} != requests:
        problems.append(f'requests are {requests} in tshark, {mine}')
    answers = sorted((int(x['frame.number'][0]), int(x['http.response.code'][0])) for x in lines if 'http.response.code' in x)
    if sorted((e['response_last_frame'], e['status']) for e in mine) != answers:
        problems.append(f'responses are {answers} in tshark, {mine}')
    return problems


def check_keys(tcpwhy, path, wrong):
    """Without the right keys it is told by turns, and why; nothing of a secret or of plaintext is in the output."""
    plain = path.read_bytes()
    at = plain.index(b'_TRAFFIC_SECRET')
    other = wrong / 'other.pcapng'
    other.write_bytes(plain[:at] + plain[at:].replace(b'0', b'1', 40))
    fits = [e['detail'] for e in exchanges(tcpwhy, path) if e['request'] and e['request'].startswith('ClientHello')]
    told = exchanges(tcpwhy, other)
    problems = [] if all(text.endswith(', decrypted') for text in fits) and fits else [f'handshakes are {fits}']
    if any(e['protocol'] != 'tls' for e in told) or not any((e['detail'] or '').endswith(('keys do not fit', 'no keys')) for e in told):
        problems.append(f'with other keys: {told}')
    return problems


def check_follow(tcpwhy, path):
    """`follow --decrypted --raw` has what tshark's follow,tls has; the lines of one side are indented."""
    mine = subprocess.run([tcpwhy, 'follow', '--decrypted', '--raw', '-s', '0', path], capture_output=True, text=True, check=False).stdout
    theirs = subprocess.run(['tshark', '-r', path, '-q', '-z', 'follow,tls,raw,0'], capture_output=True, text=True, check=False).stdout
    lines = [[line.strip() for line in text.splitlines()[6:-1]] for text in (mine, theirs)]
    return [] if lines[0] and lines[0] == lines[1] else [f'plaintext is {lines[1]} in tshark, {lines[0]}']


def check_window(tcpwhy, path):
    """The response waited for WINDOW_UPDATE, and no longer than it took."""
    for e in exchanges(tcpwhy, path):
        if not 0 < e['window_wait_ms'] <= e['total_ms']:
            return [f"waited {e['window_wait_ms']} of {e['total_ms']} ms"]
    return []


def check_slowest(tcpwhy, path):
    """The slowest of a hundred requests has its reason, and takes as long as its client says."""
    out = subprocess.run([tcpwhy, 'ledger', '--json', '--protocol', 'http2', path], capture_output=True, check=False).stdout
    slowest = max(json.loads(out)['operations'], key=lambda row: row['total_ms'])
    problems = [] if (slowest['operation'], slowest['waits'][0]['cause']) == ('GET /report', 'server_think') else [f'the slowest is {slowest}']
    return problems + [f"it took {slowest['total_ms']} ms"] * (abs(slowest['total_ms'] - SLOWEST_MS) > 1)


def check_facts(tcpwhy, path, words):
    """Facts of HTTP/2 itself, with the DATA that had waited for the WINDOW_UPDATE."""
    out = json.loads(subprocess.run([tcpwhy, 'streams', '--json', path], capture_output=True, check=False).stdout)
    facts = {f['fact']: f for row in out['streams'] for f in row['facts']}
    problems = [] if sorted(f for f in facts if f.startswith('http2')) == words else [f'facts are {sorted(facts)}']
    data = {int(x['frame.number'][0]) for x in tshark(path, 'http2.type == 0', ('frame.number',))}
    return problems + [f'{f} in a frame without DATA' for f in facts.values() if 'window' in f['fact'] and f['frame'] not in data]


def main():
    tcpwhy, pcaps = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which('tshark'):
        skip_all('no tshark')
    with Tap() as tap:
        for case, expected in HTTP2.items():
            tap.check(case, check_http2(tcpwhy, pcaps / case / 'client.pcap', expected))
        for case, expected in SEALED_HTTP2.items():
            tap.check(case, check_http2(tcpwhy, pcaps / case / 'client.pcapng', expected))
        tap.check('the slowest of a page', check_slowest(tcpwhy, pcaps / 'tls13_page' / 'client.pcapng'))
        tap.check('tls12_http1', check_http1(tcpwhy, pcaps / 'tls12_http1' / 'client.pcapng', 2))
        tap.check('renegotiation', check_http1(tcpwhy, pcaps / 'tls12_renegotiation' / 'client.pcapng', 2))
        tap.check('early data', check_http1(tcpwhy, pcaps / 'tls13_early_data' / 'client.pcapng', 3, EARLY_REJECTED))
        for case in 'tls13_http2', 'tls12_http1', 'tls12_renegotiation':
            tap.check(f'{case} followed', check_follow(tcpwhy, pcaps / case / 'client.pcapng'))
        clear = subprocess.run([tcpwhy, 'follow', '--decrypted', '-s', '0', pcaps / 'http_404' / 'client.pcap'], capture_output=True, check=False)
        tap.check('nothing of a stream in clear is decrypted', '' if clear.returncode == 1 and not clear.stdout else str(clear))
        with tempfile.TemporaryDirectory() as folder:
            tap.check('keys that do not fit', check_keys(tcpwhy, pcaps / 'tls13_http2' / 'client.pcapng', pathlib.Path(folder)))
        tap.check('http2_window is told', check_facts(tcpwhy, pcaps / 'http2_window' / 'client.pcap', ['http2_settings', 'http2_stream_window_waits']))
        tap.check('http2_page has no such waits', check_facts(tcpwhy, pcaps / 'http2_page' / 'client.pcap', ['http2_settings']))
        tap.check('http2_window waits', check_window(tcpwhy, pcaps / 'http2_window' / 'client.pcap'))


if __name__ == '__main__':
    main()
