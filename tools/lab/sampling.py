# SPDX-License-Identifier: MIT
"""The sampler program beside a scenario, and how truth.json holds what it saw. samples.py reads that again."""
import json
import os
import signal
import subprocess

SIDES = ("client", "server")


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
        names, found, left_out = [], {}, None
        with open(self.path) as f:
            for line in f:
                kind, *words = line.split()
                if kind == "C":
                    names = words
                elif kind == "S":
                    n, side, cookie, local, local_port, peer, peer_port = words
                    found[n] = {"role": SIDES[int(side)], "local": [local, int(local_port)], "peer": [peer, int(peer_port)],
                                "cookie": int(cookie), "samples": {name: [] for name in names}}  # fmt: skip
                elif kind == "R":
                    for name, word in zip(names, words[1:]):
                        found[words[0]]["samples"][name].append(int(word))
                elif kind == "E":
                    left_out = dict(zip(("sockets", "rows", "dumps"), map(int, words)))
        return {entry["cookie"]: entry for entry in found.values()}, left_out

    def attach(self, connections):
        """A socket that no program noted, one that nobody accepted for instance, becomes an entry of its own."""
        found, left_out = self.read()
        for c in connections:
            sampled = found.pop(c.get("cookie"), None)
            if sampled:
                c["samples"] = sampled["samples"]
        connections += found.values()
        return left_out


def dump(truth, f):
    """JSON as ever, but each column of samples in one line."""
    columns = []

    def folded(connection):
        if "samples" not in connection:
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
