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

# Protocol of tcpwhy -> the field with a request's frame, one that says which responses are not the last (pending; entries
# and references of a search), their values, and names of captures.
ORACLES = {
    'smb2': ('smb2.response_to', 'smb2.nt_status', ('0x00000103',), ('smb2', 'smb3', 'smb_v2', 'smb_many')),
    'ldap': ('ldap.response_to', 'ldap.protocolOp', ('4', '19'), ('ldap',)),
}
LARGEST = 3 << 20

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


def by_tshark(path, field, kind, earlier):
    """Of a frame with several responses, all their requests."""
    fields = ('tcp.stream', 'frame.number', field, kind)
    out = run(['tshark', '-r', path, '-Y', field, '-T', 'fields', '-E', 'occurrence=a', *(x for name in fields for x in ('-e', name))])
    pairs = collections.Counter()
    for line in out.splitlines():
        stream, frame, asked, kinds = (line.split('\t') + [''] * 3)[:4]
        for request, which in itertools.zip_longest(asked.split(','), kinds.split(',')):
            if stream and request and which not in earlier:
                pairs[int(stream), int(request), int(frame)] += 1
    return pairs


def by_tcpwhy(tcpwhy, path, protocol):
    out = run([tcpwhy, 'exchanges', '--json', path])
    return collections.Counter((e['stream'], e['request_last_frame'], e['response_last_frame'])
                               for e in json.loads(out)['exchanges'] if e['protocol'] == protocol and e['complete'] and e['request'] and e['response_last_frame']) if out else collections.Counter()


def main():
    tcpwhy, files = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which('tshark') or not files.is_dir():
        skip_all('no tshark, or no public captures')
    with Tap() as tap:
        for protocol, (field, kind, earlier, names) in ORACLES.items():
            compared = 0
            for path in sorted(p for p in files.rglob('*') if p.is_file() and any(n in p.name.lower() for n in names)):
                if path.stat().st_size > LARGEST or path.name == MALFORMED:
                    continue
                theirs = by_tshark(str(path), field, kind, earlier)
                if not theirs:
                    continue
                mine = by_tcpwhy(tcpwhy, str(path), protocol)
                missing, more = theirs - mine, mine - theirs
                compared += sum(theirs.values())
                allowed = DIFFERENCES.get((path.name, protocol), 0)
                tap.check(f'{protocol} {path.name}', [] if sum(missing.values()) + sum(more.values()) <= allowed else
                          [f'tshark has also {sorted(missing)[:8]}, tcpwhy {sorted(more)[:8]}'])
            tap.check(f'{protocol} was compared', [] if compared else ['no capture has any'])


if __name__ == '__main__':
    main()
