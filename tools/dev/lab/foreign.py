# SPDX-License-Identifier: MIT
"""Hosts whose TCP is not the kernel's: their plans in lines that need no parser, and what they leave behind as entries of truth.json.

The programs are in stacks/, built by stacks/build.sh. They take frames from eth0, which has no address there, so that the kernel keeps silent.
"""
import os

import host
from sampling import read_lines

# Where stacks/build.sh leaves the programs.
BUILT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "lab-stacks")


def flat(steps):
    """Steps without loops, in the few verbs that every stack knows."""
    for verb, *arguments in steps:
        if verb == "repeat":
            count, *inner = arguments
            yield from list(flat(inner)) * count
        elif verb == "write_chunks":
            n, chunk = arguments
            yield from (("write", min(chunk, n - at)) for at in range(0, n, chunk))
        elif verb == "slow_read":
            n, chunk, pause_ms = arguments
            for at in range(0, n, chunk):
                yield "read", min(chunk, n - at)
                yield "sleep_us", int(pause_ms * 1000)
        elif verb == "paced_write":
            n, period_ms, count = arguments
            for _ in range(count):
                yield "write", n
                yield "sleep_us", int(period_ms * 1000)
        elif verb == "sleep":
            yield "sleep_us", int(arguments[0] * 1000)
        else:
            yield verb, *arguments


def write_plan(scenario, side, path):
    other = "client" if side == "server" else "server"
    address = {"client": host.CLIENT["4"], "server": host.SERVER["4"]}
    lines = [f"local {address[side]}", f"peer {address[other]}", f"seconds {scenario['seconds']}",
             f"until_ms {scenario['until_ms']}"]  # fmt: skip
    lines += [f"set {name} {value}" for name, value in scenario["stack_settings"].get(side, {}).items()]
    for f in scenario["flows"]:
        lines.append(f"flow {f['port']} {f.get('connections', 1)} {f.get('start_ms', 0)} {f.get('stagger_ms', 0)}")
        lines += [f"option {name} {value}" for name, value in f.get(f"{side}_options", {}).items()]
        lines += ["step " + " ".join(map(str, step)) for step in flat(f[side])]
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


def read_notes(side, stack, path):
    """The connections that a stack's program tells of."""
    entries = {}
    for kind, words, sampled in read_lines(path):
        if kind == "S":
            n, local, local_port, peer, peer_port = words
            entries[n] = {"role": side, "stack": stack, "local": [local, int(local_port)], "peer": [peer, int(peer_port)],
                          "diary": [], "request_ms": [], "samples": sampled}  # fmt: skip
        elif kind == "D" and words[1] == "request":
            entries[words[0]]["request_ms"].append(round(int(words[2]) / 1e6, 3))
        elif kind == "D":
            what, *numbers = words[1:]
            entries[words[0]]["diary"].append([what, *map(int, numbers)])
        elif kind == "X":
            entries[words[0]]["error"] = " ".join(words[1:])
    return list(entries.values())


# Steps and options of random scenarios that a stack lacks.
VERBS = {"gvisor": {"quickack"}, "smoltcp": {"quickack", "cork"}, "lwip": {"quickack", "cork"}}
OPTIONS = {"gvisor": ("sndbuf", "rcvbuf"), "smoltcp": ("sndbuf", "rcvbuf"), "lwip": ()}


def given(scenario, stack, side):
    """A scenario by chance with that stack at one side, and without what it has not."""
    flows = []
    for f in scenario["flows"]:
        known = {k: v for k, v in f.get(f"{side}_options", {}).items() if k in OPTIONS[stack]}
        flows.append(f | {side: [step for step in f[side] if step[0] not in VERBS[stack]], f"{side}_options": known})
    name = f"{scenario['scenario']}_{stack}_{side}"
    return scenario | {"scenario": name, "flows": flows, "stack": {side: stack}, "offload": False}


def program(stack):
    return os.path.join(BUILT, stack)
