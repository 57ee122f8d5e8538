#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold `tcpwhy follow` against `tshark -z follow`, byte for byte.

compare.py [--cache FOLDER] TCPWHY CAPTURES   CAPTURES holds lab/ and public/; what is absent is left out

Every stream of the lab and the first streams of each open public capture, raw, and some in hex. A
stream that tcpwhy and tshark do not make of the same frames (a tunnel, a link type, a file format)
says nothing of follow and is counted apart. Exit 77 when there is nothing to compare with.
"""
import argparse
import collections
import concurrent.futures
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


FIELDS = ['-Y', 'tcp.stream', '-T', 'fields', '-E', 'occurrence=f', '-e', 'frame.number', '-e', 'tcp.stream']
SECTION = re.compile(rb'(?=\n={67}\nFollow: tcp,(?:raw|hex)\n)')


def frames_of(lines):
    """Stream number -> its frames, as tshark counts."""
    streams = {}
    for line in lines.decode().split('\n'):
        if '\t' in line:
            frame, stream = line.split('\t')
            streams.setdefault(stream, []).append(int(frame))
    return streams


def texts_of(sections, layout):
    """Stream number -> the digest of what tshark prints for it."""
    numbers = ((re.search(rb'^Filter: tcp\.stream eq (\d+)$', part, re.M), part) for part in sections
               if f'Follow: tcp,{layout}\n'.encode() in part[:100])
    return {number.group(1).decode(): digest(part) for number, part in numbers if number}


def taps(layout, streams):
    return [word for stream in streams for word in ('-z', f'follow,tcp,{layout},{stream}')]


def view_of(path, first):
    """Frames, raw texts and hex texts of its streams: with few streams in one run, whatever their number turns out to be."""
    few = range(first) if first else []
    lines, *sections = SECTION.split(tshark(['-r', path] + FIELDS + taps('raw', few) + taps('hex', few[:HEX_STREAMS])))
    frames = frames_of(lines)
    numbers = sorted(frames, key=int)[:first]
    if [str(n) for n in few[:len(numbers)]] != numbers:
        sections = SECTION.split(tshark(['-r', path, '-q'] + taps('hex', numbers[:HEX_STREAMS])))
        for at in range(0, len(numbers), BATCH):
            sections += SECTION.split(tshark(['-r', path, '-q'] + taps('raw', numbers[at:at + BATCH])))
    texts = {layout: texts_of(sections, layout) for layout in ('raw', 'hex')}
    return {'frames': {n: frames[n] for n in numbers}, 'raw': {n: t for n, t in texts['raw'].items() if n in numbers},
            'hex': {n: t for n, t in texts['hex'].items() if n in numbers[:HEX_STREAMS]}}


def ask_tshark(path, first, cache):
    """Its view of the capture, kept in the cache by the hash of the file."""
    key = digest(pathlib.Path(path).read_bytes() + str((first, HEX_STREAMS)).encode())
    kept = cache / (key + '.json') if cache else None
    if kept and kept.exists():
        return json.loads(kept.read_text())
    view = view_of(path, first)
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


def plain(path, folder):
    """What tcpwhy may not unpack itself is unpacked first."""
    with open(path, 'rb') as f:
        if f.read(2) != b'\x1f\x8b':
            return path
    unpacked = pathlib.Path(folder) / 'plain'
    with gzip.open(path) as packed, open(unpacked, 'wb') as out:
        shutil.copyfileobj(packed, out)
    return str(unpacked)


class Comparison:
    def __init__(self, tcpwhy, captures, cache):
        self.tcpwhy, self.captures, self.cache = tcpwhy, captures, cache
        self.known = known_differences()

    def is_same(self, path, stream, view):
        return all(digest(run([self.tcpwhy, 'follow', path, '-s', stream, '--' + layout])) == view[layout][stream]
                   for layout in ('raw', 'hex') if stream in view[layout])

    def outcome(self, path, name, stream, view, ours):
        if view['frames'][stream] != ours.get(stream):
            return 'apart'
        if (name, stream) in self.known:
            return 'known'
        if self.is_same(path, stream, view):
            return 'same'
        print(f'differs: {name} stream {stream}', flush=True)
        return 'differs'

    def file(self, path, first):
        """How often each outcome, of one capture."""
        view, name = ask_tshark(str(path), first, self.cache), str(path.relative_to(self.captures))
        if not view['frames']:
            return collections.Counter()
        with tempfile.TemporaryDirectory() as folder:
            read = plain(str(path), folder)
            ours = our_frames(self.tcpwhy, read)
            outcomes = [self.outcome(read, name, stream, view, ours) for stream in view['frames']]
        return collections.Counter(outcomes, files=1)


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
    comparison = Comparison(args.tcpwhy, args.captures, args.cache)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = {name: sum(pool.map(comparison.file, paths, [first] * len(paths)), collections.Counter())
                  for name, (paths, first) in sets.items()}
    columns = ('files', 'same', 'known', 'apart', 'differs')
    print(f'{"set":8}', *(f'{column:>8}' for column in columns))
    for name, count in counts.items():
        print(f'{name:8}', *(f'{count[column]:8}' for column in columns))
    return 1 if any(count['differs'] for count in counts.values()) or counts['lab']['apart'] else 0


if __name__ == '__main__':
    sys.exit(main())
