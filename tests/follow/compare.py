#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold `tcpwhy follow` against `tshark -z follow`, byte for byte.

compare.py [--cache FOLDER] TCPWHY CAPTURES   CAPTURES holds lab/ and public/; what is absent is left out

Every stream of the lab and the first streams of each open public capture, raw, and some in hex. A
stream that tcpwhy and tshark do not make of the same frames (a tunnel, a link type, a file format)
says nothing of follow and is counted apart. Exit 77 when there is nothing to compare with.
"""
import argparse
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FIRST_STREAMS = 20  # of a public capture
HEX_STREAMS = 2     # of a capture, compared in hex too
BATCH = 100         # streams in one run of tshark
LIMIT_S = 300

here = pathlib.Path(__file__).resolve().parent


def run(command, env=None):
    """Standard output; nothing when the command failed."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env,
                              timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return b''
    return done.stdout if done.returncode == 0 else b''


def tshark(arguments):
    """With the settings that it ships with."""
    with tempfile.TemporaryDirectory() as empty:
        env = dict(os.environ, HOME=empty, XDG_CONFIG_HOME=empty, WIRESHARK_CONFIG_DIR=empty, TZ='UTC', LC_ALL='C')
        return run(['tshark', '-n', *arguments], env)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def tshark_frames(path):
    """Stream number -> its frames, as tshark counts."""
    out = tshark(['-r', path, '-Y', 'tcp.stream', '-T', 'fields', '-E', 'occurrence=f', '-e', 'frame.number',
                  '-e', 'tcp.stream'])
    streams = {}
    for line in out.decode().split('\n'):
        if '\t' in line:
            frame, stream = line.split('\t')
            streams.setdefault(stream, []).append(int(frame))
    return streams


def tshark_follow(path, streams, layout):
    """Stream number -> the digest of what tshark prints for it."""
    texts = {}
    for at in range(0, len(streams), BATCH):
        taps = []
        for stream in streams[at:at + BATCH]:
            taps += ['-z', f'follow,tcp,{layout},{stream}']
        for part in re.split(rb'(?=\n={67}\nFollow: )', tshark(['-r', path, '-q'] + taps)):
            number = re.search(rb'^Filter: tcp\.stream eq (\d+)$', part, re.M)
            if number:
                texts[number.group(1).decode()] = digest(part)
    return texts


def ask_tshark(path, first, cache):
    """Its view of the capture, kept in the cache by the hash of the file."""
    key = digest(pathlib.Path(path).read_bytes() + str((first, HEX_STREAMS)).encode())
    kept = cache / (key + '.json') if cache else None
    if kept and kept.exists():
        return json.loads(kept.read_text())
    frames = tshark_frames(path)
    numbers = sorted(frames, key=int)[:first]
    view = {'frames': {n: frames[n] for n in numbers}, 'raw': tshark_follow(path, numbers, 'raw'),
            'hex': tshark_follow(path, numbers[:HEX_STREAMS], 'hex')}
    if kept:
        cache.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(view))
    return view


def our_frames(tcpwhy, path):
    out = run([tcpwhy, 'segments', '--csv', path])
    streams = {}
    for row in csv.DictReader(io.StringIO(out.decode())):
        streams.setdefault(row['tcp.stream'], []).append(int(row['frame.number']))
    return streams


def known_differences():
    """(capture, stream) of each line of known.txt."""
    lines = (here / 'known.txt').read_text().split('\n')
    return {tuple(line.split('\t')[:2]) for line in lines if line and not line.startswith('#')}


class Count:
    def __init__(self):
        self.files = self.same = self.known = self.apart = self.differ = 0

    def row(self, name):
        print(f'{name:8} {self.files:6} {self.same:8} {self.known:6} {self.apart:6} {self.differ:8}')


class Comparison:
    def __init__(self, tcpwhy, cache, folder):
        self.tcpwhy, self.cache, self.folder = tcpwhy, cache, folder
        self.known = known_differences()

    def plain(self, path):
        """What tcpwhy may not unpack itself is unpacked first."""
        with open(path, 'rb') as f:
            if f.read(2) != b'\x1f\x8b':
                return path
        plain = pathlib.Path(self.folder) / 'plain'
        with gzip.open(path) as packed, open(plain, 'wb') as out:
            shutil.copyfileobj(packed, out)
        return str(plain)

    def is_same(self, path, stream, view):
        return all(digest(run([self.tcpwhy, 'follow', path, '-s', stream, '--' + layout])) == view[layout][stream]
                   for layout in ('raw', 'hex') if stream in view[layout])

    def file(self, path, name, first, count):
        view = ask_tshark(path, first, self.cache)
        plain = self.plain(path)
        ours = our_frames(self.tcpwhy, plain) if view['frames'] else {}
        count.files += bool(view['frames'])
        for stream, frames in view['frames'].items():
            if frames != ours.get(stream):
                count.apart += 1
            elif (name, stream) in self.known:
                count.known += 1
            elif self.is_same(plain, stream, view):
                count.same += 1
            else:
                count.differ += 1
                print(f'differs: {name} stream {stream}', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--cache', type=pathlib.Path)
    parser.add_argument('tcpwhy')
    parser.add_argument('captures', type=pathlib.Path)
    args = parser.parse_args()
    listed = args.captures / 'public/open.txt'
    public = [args.captures / 'public/files' / line
              for line in (listed.read_text().split('\n') if listed.exists() else []) if line]
    sets = {'lab': (sorted(args.captures.glob('lab/*/*.pcap')), None), 'public': (public, FIRST_STREAMS)}
    if not shutil.which('tshark') or not any(paths for paths, _ in sets.values()):
        print('no tshark, or no captures to compare with')
        return 77
    counts = {name: Count() for name in sets}
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(args.tcpwhy, args.cache, folder)
        for name, (paths, first) in sets.items():
            for path in paths:
                comparison.file(str(path), str(path.relative_to(args.captures)), first, counts[name])
    print(f'{"set":8} {"files":>6} {"same":>8} {"known":>6} {"apart":>6} {"differs":>8}')
    for name, count in counts.items():
        count.row(name)
    return 1 if any(c.differ for c in counts.values()) or counts['lab'].apart else 0


if __name__ == '__main__':
    sys.exit(main())
