#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corrupt.py TCPWHY PUBLIC: truncated, malformed and fuzzed captures of other projects cause no sanitizer report.

Each is diagnosed as text and as JSON; exit status 0 or 1, within LIMIT_S, one line on stderr if rejected.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

LIMIT_S = 5
REPORT = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:")
COMMANDS = [["--json"], [], ["segments", "--csv"], ["exchanges"], ["streams"]]


def look(tool, path):
    """Problems with one file, and the longest time that a command took."""
    problems, longest = [], 0
    for command in COMMANDS:
        verb = [word for word in command if not word.startswith("-")]
        options = [word for word in command if word.startswith("-")]
        start = time.monotonic()
        try:
            done = subprocess.run([tool, *verb, *options, str(path)], capture_output=True, timeout=10 * LIMIT_S,
                                  stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            problems.append(f"{path.name}: {' '.join(command)}: still running after {10 * LIMIT_S} s")
            continue
        took = time.monotonic() - start
        longest = max(longest, took)
        said = done.stderr.decode(errors="replace")
        what = f"{path}: {' '.join(command) or 'screen'}"
        if REPORT.search(said) or done.returncode not in (0, 1):
            problems.append(f"{what}: exit {done.returncode}: {said[:1500]}")
        elif done.returncode == 1 and said.count("\n") != 1:
            problems.append(f"{what}: not one line: {said[:300]!r}")
        if took > LIMIT_S:
            problems.append(f"{what}: took {took:.1f} s")
    return problems, longest


def main():
    tool, public = sys.argv[1], pathlib.Path(sys.argv[2])
    listed = public / "corrupt-open.txt"
    if not listed.exists():
        skip_all("no public captures here")
    paths = [public / "files" / line for line in listed.read_text().splitlines() if line]
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda p: look(tool, p), paths))
        tap.note(f"the slowest of {len(results) * len(COMMANDS)} runs took {max(took for _, took in results):.2f} s")
        of = {}
        for path, (problems, _) in zip(paths, results):
            of.setdefault(path.relative_to(public / "files").parts[0], []).append(problems)
        for owner, lists in sorted(of.items()):
            tap.check(f"the {len(lists)} corrupt captures of {owner.replace('+', '/')} do no harm", sum(lists, []))


if __name__ == "__main__":
    main()
