#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""services.py TCPWHY PCAPS [CAPTURES]: mail, files, directories and brokers of real servers are paired as tshark pairs them, and take as long.

Of NFS, LDAP, SMB and IMAP tshark tells pairs and times itself. Of SMTP, POP3, FTP, SSH, AMQP, TDS, memcached and WebSocket it tells messages: there clients that wait for
each response ask with their last frame before it, and tshark numbers no more than one command in a frame of a pipeline, which is left out.
"""
import collections
import pathlib
import shutil
import sys

import databases
import public
from tap import Tap, skip_all

# Case: the dissector and its port, the protocol, and fields as in public.py.
TIMED = {
    'nfs_files': ((), ('nfs', 'rpc'), ('rpc.repframe', 'rpc.time', 'rpc.msgtyp', ())),
    'ldap_directory': (('-d', 'tcp.port==3389,ldap'), ('ldap',), ('ldap.response_to', 'ldap.time', 'ldap.protocolOp', ('4', '19'))),
    'smb2_few_credits': (('-d', 'tcp.port==2445,nbss'), ('smb2',), ('smb2.response_to', 'smb2.time', 'smb2.nt_status', ('0x00000103',))),
}
# The case, the port and its dissector, the protocol, what tshark calls it, and which frames of the server count, as a filter.
IN_STEP = {
    'SMTP': ('smtp_delivery', 2525, 'smtp', 'smtp', 'smtp', 'smtp.response.code'),
    'FTP': ('ftp_transfers', 2121, 'ftp', 'ftp', 'ftp', 'ftp.response.code >= 200'),
    'POP3': ('mail_pop3_imap', 2110, 'pop', 'pop3', 'pop', 'pop.response.indicator'),
    'AMQP': ('amqp_confirms', 5672, 'amqp', 'amqp', 'amqp', 'amqp.method.class'),
    'memcached': ('memcached_text', 11211, 'memcache', 'memcached', 'memcache', 'memcache'),
    'WebSocket': ('websocket_messages', 8765, 'http', 'websocket', 'websocket.opcode < 8', 'websocket'),
    'TDS': ('tds_batches', 1433, 'tds', 'tds', 'tds', 'tds.type == 4'),
    'SSH': ('ssh_command', 2222, 'ssh', 'ssh', 'ssh', 'ssh'),
}
# Of FTP the frames of responses above are the last; a message of WebSocket is tshark's in its last frame.
LAST = ('ftp', 'websocket')


def in_step(path, port, dissector, name, responses):
    """The last frame of the client, and the next one of the server that counts."""
    asked, found = {}, []
    display = f'{name} and (tcp.dstport == {port} or {responses})'
    for frame, stream, source in databases.fields(path, display, ('tcp.srcport',), '-d', f'tcp.port=={port},{dissector}'):
        if source[0] != str(port):
            asked[stream[0]] = int(frame[0])
        elif stream[0] in asked:
            found.append((asked.pop(stream[0]), int(frame[0])))
    return sorted(found)


def told_in_step(told, protocol, last):
    """One for each frame that asks, and the frames that ask more than once; last: a response counts by its last frame."""
    answered = 'response_last_frame' if last else 'response_frame'
    # tshark has the 8 bytes that open a connection of AMQP in no field.
    told = [e for e in told if e['protocol'] == protocol and e['request_frame'] and (protocol, e['request']) != ('amqp', 'connect')]
    asking = collections.Counter(e['request_last_frame'] for e in told)
    pairs = [(e['request_last_frame'], e[answered]) for e in told if asking[e['request_last_frame']] == 1 and e[answered]]
    return sorted(pairs), {frame for frame, n in asking.items() if n > 1}


def check_in_step(tcpwhy, path, port, dissector, protocol, name, responses):
    mine, several = told_in_step(databases.exchanges(tcpwhy, path), protocol, protocol in LAST)
    theirs = in_step(path, port, dissector, name, responses)
    return databases.differences(mine, [pair for pair in theirs if pair[0] not in several])


def check_imap(tcpwhy, path):
    """Of a command and its tagged response; the first frame of a command."""
    rows = databases.fields(path, 'imap', ('imap.request_tag', 'imap.response_tag'), '-d', 'tcp.port==2143,imap')
    theirs = databases.by_number(rows, lambda _, answered: not answered, lambda _: True)
    mine = sorted((e['request_frame'], e['response_last_frame']) for e in databases.exchanges(tcpwhy, path) if e['protocol'] == 'imap' and e['request_frame'])
    return databases.differences(mine, [pair for pair in theirs if pair[1]])


def check_timed(tcpwhy, path, options, protocols, fields):
    theirs, their_times = public.by_tshark(path, *fields, *options)
    mine, times = collections.Counter(), {}
    for protocol in protocols:
        pairs, took = public.by_tcpwhy(tcpwhy, path, protocol)
        mine += pairs
        times |= took
    problems = [] if theirs == mine and times.keys() & their_times.keys() else [f'tshark has also {theirs - mine}, tcpwhy {mine - theirs}']
    return problems + list(public.differences(times, their_times))


def public_tns(folders):
    """No server of Oracle is free: its captures are public ones."""
    return sorted(path for folder in folders for path in pathlib.Path(folder).rglob('*racle*.pcap*') if path.is_file())


def check_tns(tcpwhy, path):
    """tshark tells a message in its last frame; the markers that break a call are told with the call."""
    told = [e for e in databases.exchanges(tcpwhy, path) if e['request_frame'] and e['response_frame']]
    spans = {e['request_last_frame']: range(e['response_frame'], e['response_last_frame'] + 1) for e in told}
    theirs = in_step(path, 1521, 'tns', 'tns.type != 12', 'tns')
    return [f'{asked}, {at} of tshark alone' for asked, at in theirs if at not in spans.get(asked, ())] if theirs else ['tshark found none']


def main():
    tcpwhy, pcaps = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which('tshark'):
        skip_all('no tshark')
    with Tap() as tap:
        for case, how in TIMED.items():
            tap.check(case, check_timed(tcpwhy, str(pcaps / case / 'client.pcap'), *how))
        for name, (case, *how) in IN_STEP.items():
            tap.check(name, check_in_step(tcpwhy, pcaps / case / 'client.pcap', *how))
        for path in public_tns(sys.argv[3:]):
            tap.check(f'TNS, {path.name}', check_tns(tcpwhy, path))
        tap.check('IMAP', check_imap(tcpwhy, pcaps / 'mail_pop3_imap' / 'client.pcap'))


if __name__ == '__main__':
    main()
