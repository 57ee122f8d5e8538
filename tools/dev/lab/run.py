#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py OUT [SCENARIO...]: make captures of known trouble between two emulated hosts. Needs root, tcpdump, iproute2 and a C compiler.

Each scenario leaves OUT/SCENARIO/{client,server}.pcap and truth.json. A name may hold wildcards; without any, all of them run.
  --list          print the scenarios and what is expected of them
  --jobs N        scenarios at once (default 2)
  --again         also those whose folder is there already
  --dice A-B      scenarios by chance instead, by these numbers
  --stack NAME    those with this TCP at one end, at the server's when the number is even
  --sample-us N   time between two samples of what the kernel thinks of each connection (default 2000)
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

import dice
import foreign
import host
import sampling
import scenarios

HERE = os.path.dirname(os.path.abspath(__file__))


def build(name, folder):
    program = os.path.join(folder, name)
    sources = sorted(glob.glob(os.path.join(HERE, name, "*.c")))
    flags = ["-O2", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", program, *sources, "-lm"], check=True)
    return program


def write_plan(scenario, folder):
    addresses = host.SERVER[scenario["family"]]
    plan = {"address": addresses} | {k: scenario[k] for k in ("flows", "seconds", "one_by_one", "until_ms")}
    path = os.path.join(folder, "plan.json")
    with open(path, "w") as f:
        json.dump(plan, f)
    return path


def command_of(scenario, side, folder):
    """What runs on that side, and how its notes are read; a foreign stack's program is as prompt as peer.py."""
    notes, stack = os.path.join(folder, f"{side}.notes"), scenario["stack"].get(side)
    if stack:
        plan = os.path.join(folder, f"{side}.plan")
        foreign.write_plan(scenario, side, plan)
        return ["chrt", "-r", "1", foreign.program(stack), side, plan, notes], lambda: foreign.read_notes(side, stack, notes)

    def read():
        with open(notes) as f:
            return json.load(f)

    return [sys.executable, os.path.join(HERE, "peer.py"), side, write_plan(scenario, folder), notes], read


def peers(pair, scenario, folder):
    """Run server and client to their ends; returns what each noted about its connections."""
    server_command, server_notes = command_of(scenario, "server", folder)
    client_command, client_notes = command_of(scenario, "client", folder)
    server = subprocess.Popen(pair.inside("server", *server_command), stdout=subprocess.PIPE, text=True)
    try:
        if server.stdout.readline().strip() != "ready":
            raise RuntimeError("the server did not start")
        subprocess.run(pair.inside("client", *client_command), timeout=scenario["seconds"], check=True)
        time.sleep(scenario["linger_ms"] / 1e3)
    finally:
        host.stop(server)
    return client_notes() + server_notes()


def run_one(job):
    number, scenario, out, programs, sample_us = job
    folder = os.path.join(out, scenario["scenario"])
    os.makedirs(folder, exist_ok=True)
    pair = host.Pair(f"{os.getpid() % 100000}x{number}", programs["link"], folder, scenario)
    with tempfile.TemporaryDirectory() as work:
        with pair, sampling.Sampler(programs["sampler"], pair, work, sample_us) as sampler:
            connections = peers(pair, scenario, work)
            counters = {side: pair.counters(side) for side in pair.names}
        not_sampled = sampler.attach(connections)
    truth = {k: scenario[k] for k in ("scenario", "expected")}
    truth |= {"connections": connections, "nstat": counters, "link": pair.link_counts, "capture_drops": pair.capture_drops}
    truth["sampled"] = {"period_us": sample_us, "left_out": not_sampled}
    truth["set_up"] = {k: scenario[k] for k in ("link", "sysctl", "setup", "snap", "mtu", "offload", "flows")}
    if scenario["stack"]:
        truth["set_up"] |= {k: scenario[k] for k in ("stack", "stack_settings")}
    with open(os.path.join(folder, "truth.json"), "w") as f:
        sampling.dump(truth, f)
    trouble = sorted({c["error"] for c in connections if "error" in c})
    return f" ({pair.capture_drops} frames not captured)" * bool(pair.capture_drops) + f" ({'; '.join(trouble)})" * bool(trouble)


def lacks(scenario):
    """What a scenario asks for and this machine has not, or None."""
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control") as f:
        here = f.read().split()
    controls = [f.get(f"{side}_options", {}).get("congestion", "cubic") for f in scenario["flows"] for side in ("client", "server")]
    absent = [f"congestion control {c}" for c in controls if c not in here]
    keys = {key for of_side in scenario["sysctl"].values() for key in of_side}
    absent += sorted(key for key in keys if not os.path.exists("/proc/sys/" + key.replace(".", "/")))
    absent += [f"{stack} (stacks/build.sh makes it)" for stack in scenario["stack"].values() if not os.path.exists(foreign.program(stack))]
    return absent[0] if absent else None


def choose(patterns):
    table = scenarios.table()
    chosen = [s for s in table if not patterns or any(fnmatch.fnmatch(s["scenario"], p) for p in patterns)]
    if not chosen:
        sys.exit(f"run.py: no scenario is called {' or '.join(patterns)}; see --list")
    return chosen


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", metavar="OUT", nargs="?")
    arguments.add_argument("scenario", metavar="SCENARIO", nargs="*")
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("--dice", metavar="A-B", type=lambda text: [int(n) for n in text.split("-")])
    arguments.add_argument("--stack", choices=sorted(foreign.VERBS))
    arguments.add_argument("--sample-us", type=int, default=2000)
    given = arguments.parse_intermixed_args()
    if given.list:
        for s in choose([p for p in [given.out, *given.scenario] if p]):
            print(f"{s['scenario']:40} {json.dumps(s['expected'])}")
        return
    if given.stack and not given.dice:
        arguments.error("--stack goes with --dice")
    if not given.out:
        arguments.error("OUT: the folder for the captures")
    if os.geteuid() != 0:
        sys.exit("run.py: network namespaces need root; try sudo")
    chosen = dice.table(*given.dice) if given.dice else choose(given.scenario)
    if given.stack:
        chosen = [foreign.given(s, given.stack, "client" if int(s["scenario"][4:]) % 2 else "server") for s in chosen]
    chosen = [s for s in chosen
              if given.again or not os.path.exists(os.path.join(given.out, s["scenario"], "truth.json"))]  # fmt: skip
    absent = {s["scenario"]: lacks(s) for s in chosen}
    for name in filter(absent.get, absent):
        print(f"{name}: skipped, no {absent[name]} here", flush=True)
    chosen = [s for s in chosen if not absent[s["scenario"]]]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(name, folder) for name in ("link", "sampler")}
        jobs = [(i, s, os.path.abspath(given.out), programs, given.sample_us) for i, s in enumerate(chosen)]
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            done = {pool.submit(run_one, job): job[1]["scenario"] for job in jobs}
            for future in concurrent.futures.as_completed(done):
                try:
                    print(f"{done[future]}{future.result()}", flush=True)
                except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as problem:
                    failed += 1
                    print(f"{done[future]}: FAILED: {problem}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
