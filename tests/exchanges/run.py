#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY LAB: `tcpwhy exchanges` agrees with the load tools and the clients' own clocks for each request.

Both ends of each scenario. At the client every request must be right; at the server, where the one-way delay is
estimated from packets alone, all but a few that the path delayed by chance.
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

PERCENTILE_SHARE = 0.03  # of wrk's 50th, 75th and 90th percentile
COUNT_SHARE = 0.01       # of its number of requests
REQUEST_SHARE, REQUEST_MS = 0.02, 1.0  # of the client's clock, whichever is more
ODD_AT_SERVER = 0.05     # of the requests, and one more


def ask(tcpwhy, command, path):
    out = subprocess.run([tcpwhy, command, '--json', path], capture_output=True, check=False)
    return json.loads(out.stdout) if out.returncode == 0 else None


def against_wrk(report, wrk):
    latency = report['latency']
    problems = []
    if abs(latency['count'] - wrk['requests']) > COUNT_SHARE * wrk['requests']:
        problems.append(f"{latency['count']} requests, wrk has {wrk['requests']}")
    for percentile in ('50', '75', '90'):
        ours, theirs = latency[f'p{percentile}_ms'], wrk['percentiles_ms'][percentile]
        if abs(ours - theirs) > PERCENTILE_SHARE * theirs:
            problems.append(f'p{percentile}: {ours:.3f} ms, wrk has {theirs:.3f}')
    return problems


def against_ab(report, text):
    """ab tells whole milliseconds, from the first write to the end: its row "Processing"."""
    requests = int(re.search(r'Complete requests:\s+(\d+)', text).group(1))
    row = re.search(r'Processing:\s+(\d+)\s+(\d+)\s+\S+\s+(\d+)\s+(\d+)', text)
    least, _, median, most = (int(n) for n in row.groups())
    latency = report['latency']
    problems = []
    if abs(latency['count'] - requests) > COUNT_SHARE * requests:
        problems.append(f"{latency['count']} requests, ab has {requests}")
    for name, theirs in (('min_ms', least), ('p50_ms', median), ('max_ms', most)):
        if abs(latency[name] - theirs) > REQUEST_MS:
            problems.append(f'{name}: {latency[name]:.3f}, ab has {theirs}')
    return problems


def against_clock(report, clocks, streams, at_client):
    timed = {s['stream'] for s in streams if s['client'] in clocks}
    ours = sorted(e['total_ms'] for e in report['exchanges']
                  if e['stream'] in timed and e['complete'] and e['total_ms'] is not None)
    theirs = sorted(ms for requests in clocks.values() for ms in requests)
    if len(ours) != len(theirs):
        return [f'{len(ours)} requests, the client had {len(theirs)}']
    odd = [f'{a:.3f} ms, the client waited {b:.3f}' for a, b in zip(ours, theirs)
           if abs(a - b) > max(REQUEST_MS, REQUEST_SHARE * b)]
    allowed = 0 if at_client else 1 + ODD_AT_SERVER * len(theirs)
    return odd if len(odd) > allowed else []


def clocks_of(truth):
    """Client endpoint -> milliseconds of each request, over all connections that came from there."""
    clocks = {}
    for c in truth['connections']:
        if c['role'] == 'client' and c.get('request_ms'):
            clocks.setdefault(f"{c['local'][0]}:{c['local'][1]}", []).extend(c['request_ms'])
    return clocks


def truth_of(folder):
    return json.loads((folder / 'truth.json').read_text())


def check(tcpwhy, folder, end):
    truth, path = truth_of(folder), folder / (end + '.pcap')
    report = ask(tcpwhy, 'exchanges', path)
    if report is None:
        return ['tcpwhy failed']
    if truth.get('wrk'):
        return against_wrk(report, truth['wrk'])
    if truth.get('ab'):
        return against_ab(report, truth['ab'])
    streams = ask(tcpwhy, 'streams', path)['streams']
    return against_clock(report, clocks_of(truth), streams, end == 'client')


def has_truth(folder):
    truth = truth_of(folder)
    return truth.get('wrk') or truth.get('ab') or clocks_of(truth)


def main():
    tcpwhy, lab = sys.argv[1], pathlib.Path(sys.argv[2])
    folders = sorted(p.parent for p in lab.glob('*/truth.json'))
    if not folders:
        skip_all('no lab captures')
    with Tap() as tap:
        for folder in folders:
            for end in ('client', 'server') if has_truth(folder) else ():
                tap.check(f'{folder.name}, {end}', check(tcpwhy, folder, end))


if __name__ == '__main__':
    main()
