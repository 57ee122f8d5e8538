#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""public.py TCPWHY FILES: in public captures requests are paired with responses as tshark pairs them.

FILES is the folder of the captures; without it the test is skipped. A pair is the frame in which a request ends, and
that in which its response does. What tcpwhy is not to pair is in DIFFERENCES, with its reason.
"""
import collections
import itertools
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

# Protocol of tcpwhy -> the fields with a request's frame and how long it took, one that says which responses are not the last (pending; entries
# and references of a search; 100),
# their values, and names of captures.
ORACLES = {
    'smb2': ('smb2.response_to', 'smb2.time', 'smb2.nt_status', ('0x00000103',), ('smb2', 'smb3', 'smb_v2', 'smb_many')),
    'ldap': ('ldap.response_to', 'ldap.time', 'ldap.protocolOp', ('4', '19'), ('ldap',)),
    'http': ('http.request_in', 'http.time', 'http.response.code', ('100',), ('http_dvwa', 'http_post', 'http-client-refuse')),
}
# So many times are longer: responses are repeated, and acknowledged only then.
REPEATED = {('smb_v2_only_non_zero_reserved1.pcap', 'smb2'): 3}
LARGEST = 3 << 20
# tshark's time is one between frames, tcpwhy's is that of the asking host: the same where the capture is from there.
MOST_MS, MOST_SHARE = 1, 0.02

# A suite of malformed encodings, in which both find what they can.
MALFORMED = 'c06-ldapv3-enc-r1.pcap.gz'

# (name of the capture, protocol): so many pairs one of both lacks.
DIFFERENCES = {
    # Behind a security layer of SASL, which tshark takes off: to tcpwhy turns.
    ('missing_krbtgt_ldap_request.pcapng', 'ldap'): 3,
    # Behind encrypted messages, which both name no more, one in clear: to tcpwhy turns.
    ('smb3-aes-128-ccm.pcap', 'smb2'): 1,
}


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors='replace', check=False).stdout


def by_tshark(path, field, took, kind, earlier, *options):
    """Of a frame with several responses, all their requests; and milliseconds by pair, of frames with one."""
    fields = ('tcp.stream', 'frame.number', field, kind, took)
    out = run(['tshark', '-r', path, *options, '-Y', field, '-T', 'fields', '-E', 'occurrence=a', *(x for name in fields for x in ('-e', name))])
    pairs, times = collections.Counter(), {}
    for line in out.splitlines():
        stream, frame, asked, kinds, seconds = (line.split('\t') + [''] * 4)[:5]
        if stream and asked.isdigit() and seconds and ',' not in seconds:
            times[int(stream), int(asked), int(frame)] = float(seconds) * 1e3
        for request, which in itertools.zip_longest(asked.split(','), kinds.split(',')):
            if stream and request and which not in earlier:
                pairs[int(stream), int(request), int(frame)] += 1
    return pairs, times


def by_tcpwhy(tcpwhy, path, protocol):
    """The pairs, and milliseconds by pair, of streams captured at the client."""
    out = run([tcpwhy, 'exchanges', '--json', path])
    streams = run([tcpwhy, 'streams', '--json', path])
    at_client = {s['stream'] for s in json.loads(streams)['streams'] if (s['vantage'], s['vantage_confidence']) == ('client', 'certain')} if streams else set()
    pairs, times = collections.Counter(), {}
    for e in json.loads(out)['exchanges'] if out else ():
        if e['protocol'] == protocol and e['complete'] and e['request'] and e['response_last_frame']:
            pair = e['stream'], e['request_last_frame'], e['response_last_frame']
            pairs[pair] += 1
            if e['stream'] in at_client and e['request_frame'] == e['request_last_frame']:
                times[pair] = e['total_ms']
    return pairs, times


def differences(mine, theirs):
    """Pairs of one request whose times are too far apart."""
    for pair in mine.keys() & theirs.keys():
        if abs(mine[pair] - theirs[pair]) > max(MOST_MS, MOST_SHARE * theirs[pair]):
            yield f'{pair} took {theirs[pair]} ms in tshark, {mine[pair]}'


def main():
    tcpwhy, files = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which('tshark') or not files.is_dir():
        skip_all('no tshark, or no public captures')
    with Tap() as tap:
        for protocol, (field, took, kind, earlier, names) in ORACLES.items():
            compared = timed = 0
            for path in sorted(p for p in files.rglob('*') if p.is_file() and any(n in p.name.lower() for n in names)):
                if path.stat().st_size > LARGEST or path.name == MALFORMED:
                    continue
                theirs, their_times = by_tshark(str(path), field, took, kind, earlier)
                if not theirs:
                    continue
                mine, times = by_tcpwhy(tcpwhy, str(path), protocol)
                missing, more = theirs - mine, mine - theirs
                compared += sum(theirs.values())
                timed += len(times.keys() & their_times.keys())
                allowed = DIFFERENCES.get((path.name, protocol), 0)
                tap.check(f'{protocol} {path.name}', [] if sum(missing.values()) + sum(more.values()) <= allowed else
                          [f'tshark has also {sorted(missing)[:8]}, tcpwhy {sorted(more)[:8]}'])
                apart = list(differences(times, their_times))
                tap.check(f'{protocol} {path.name} takes as long', apart[:8] if len(apart) > REPEATED.get((path.name, protocol), 0) else [])
            tap.check(f'{protocol} was compared', [] if compared and timed else ['no capture has any'])


if __name__ == '__main__':
    main()
