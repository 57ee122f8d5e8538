# SPDX-License-Identifier: MIT
"""The sampler program beside a scenario, and how truth.json holds what it saw. samples.py reads that again."""
import json
import os
import signal
import subprocess

SIDES = ("client", "server")


def read_lines(path):
    """(kind, words, samples) of each line that a sampler wrote; a socket's columns, given with its "S", fill as its rows come."""
    names, columns = [], {}
    with open(path) as f:
        for line in f:
            kind, *words = line.split()
            if kind == "C":
                names = words
            elif kind == "R":
                for name, word in zip(names, words[1:]):
                    columns[words[0]][name].append(int(word))
            else:
                if kind == "S":
                    columns[words[0]] = {name: [] for name in names}
                yield kind, words, columns.get(words[0])


class Sampler:
    """The sampler program beside a scenario; attach() gives what it saw to the connections that the programs noted."""

    def __init__(self, program, pair, folder, period_us):
        self.path = os.path.join(folder, "samples")
        command = [program, pair.scenario["seconds"] + 10, period_us, pair.scenario["family"], *pair.names.values()]
        with open(self.path, "w") as out:
            self.process = subprocess.Popen([str(c) for c in command], stdout=out, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        while "ready" not in (line := self.process.stderr.readline()):
            if not line:
                raise RuntimeError("the sampler did not start")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def read(self):
        """(entries by their cookies, what the sampler left out)."""
        found, left_out = {}, None
        for kind, words, samples in read_lines(self.path):
            if kind == "S":
                _, side, cookie, local, local_port, peer, peer_port = words
                found[int(cookie)] = {"role": SIDES[int(side)], "local": [local, int(local_port)], "peer": [peer, int(peer_port)],
                                      "cookie": int(cookie), "samples": samples}  # fmt: skip
            elif kind == "E":
                left_out = dict(zip(("sockets", "rows", "dumps"), map(int, words)))
        return found, left_out

    def attach(self, connections):
        """A socket that no program noted, one that nobody accepted for instance, becomes an entry of its own."""
        found, left_out = self.read()
        for c in connections:
            sampled = found.pop(c.get("cookie"), None)
            if sampled:
                # A program that was reset cannot ask any more who its peer was.
                c.setdefault("peer", sampled["peer"])
                c["samples"] = sampled["samples"]
        connections += found.values()
        return left_out


def dump(truth, f):
    """JSON as ever, but each column of samples in one line."""
    columns = []

    def folded(connection):
        if not connection.get("samples"):
            return connection
        short = {}
        for name, values in connection["samples"].items():
            short[name] = f"@{len(columns)}@"
            columns.append(json.dumps(values, separators=(",", ":")))
        return connection | {"samples": short}

    text = json.dumps(truth | {"connections": [folded(c) for c in truth["connections"]]}, indent=1)
    parts = text.split('"@')
    f.write(parts[0])
    for part in parts[1:]:
        number, rest = part.split('@"', 1)
        f.write(columns[int(number)] + rest)
