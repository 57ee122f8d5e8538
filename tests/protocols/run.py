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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

HTTP2 = {'http2_page': 100, 'http2_window': 1, 'http2_upgrade': 2}


def exchanges(tcpwhy, path, *options):
    out = subprocess.run([tcpwhy, 'exchanges', '--json', *options, path], capture_output=True, check=False)
    return json.loads(out.stdout)['exchanges'] if out.returncode == 0 else []


def tshark(path, display, fields, *options):
    command = ['tshark', '-r', path, *options, '-Y', display, '-T', 'json']
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
            for i, status in zip(heads, layers['http2.headers.status']):
                responses.setdefault((stream, i), (frame, int(status)))
    return requests, responses


def check_http2(tcpwhy, path, expected, *options):
    mine = {(e['stream'], e['http2_stream']): e for e in exchanges(tcpwhy, path, *options) if e['http2_stream']}
    requests, responses = http2_heads(path)
    problems = [] if len(mine) == expected else [f'{len(mine)} requests, not {expected}']
    for key, (frame, text) in requests.items():
        e = mine.get(key, {})
        if (e.get('request_last_frame'), e.get('request')) != (frame, text):
            problems.append(f'{key}: request {text} in frame {frame} of tshark, {e}')
    for key, (frame, status) in responses.items():
        e = mine.get(key, {})
        if (e.get('response_frame'), e.get('status'), e.get('complete')) != (frame, status, True):
            problems.append(f'{key}: response {status} in frame {frame} of tshark, {e}')
    return problems if responses else problems + ['tshark found no response']


def check_window(tcpwhy, path):
    """The response waited for WINDOW_UPDATE, and no longer than it took."""
    for e in exchanges(tcpwhy, path):
        if not 0 < e['window_wait_ms'] <= e['total_ms']:
            return [f"waited {e['window_wait_ms']} of {e['total_ms']} ms"]
    return []


def main():
    tcpwhy, pcaps = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which('tshark'):
        skip_all('no tshark')
    with Tap() as tap:
        for case, expected in HTTP2.items():
            tap.check(case, check_http2(tcpwhy, pcaps / case / 'client.pcap', expected))
        tap.check('http2_window waits', check_window(tcpwhy, pcaps / 'http2_window' / 'client.pcap'))


if __name__ == '__main__':
    main()
