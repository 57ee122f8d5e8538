#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py TCPWHY DIR [SCENARIO...]: hold the verdicts against the truth of each capture, the worst mistakes first.

Like the truth itself it knows which end of a path cannot see a trouble. Exit 1 when a verdict is wrong.
"""
import fnmatch
import glob
import json
import os
import subprocess
import sys

# A host takes so long for its own part, and nobody is blamed wrongly for it.
MATERIAL_MS = 30
# Causes of a capture that is called healthy.
HEALTHY = {"none", "wire", "handshake", "close"}


def verdict_of(tool, path):
    done = subprocess.run([tool, "--json", path], capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


def mistakes(expected, side, document):
    """What is wrong about the verdict, in words; empty when all is well."""
    verdict = document.get("verdict") or {}
    cause = verdict.get("cause", "none")
    right = {expected["primary"], *expected.get("alternatives", []), *expected.get("blind", {}).get(side, [])}
    right |= HEALTHY if "none" in right else set()
    found = {f["cause"]: f["cost_ms"] for f in document.get("findings", []) if f.get("cost_ms", 0) > 0}
    wrong = []
    if cause not in right:
        wrong.append(f"got {cause} ({verdict.get('confidence')}, {verdict.get('cost_ms', 0):.0f} ms)")
    elif expected.get("endpoint") and cause not in HEALTHY and cause == expected["primary"]:
        if not str(verdict.get("endpoint")).strip("[").startswith(expected["endpoint"].strip("[")):
            wrong.append(f"blames {verdict.get('endpoint')}")
    wrong += [f"never {c} ({found.get(c, 0):.0f} ms)" for c in expected.get("never", []) if c in found or c == cause]
    sure = {f["cause"] for f in document.get("findings", []) if f["confidence"] == "certain" and f.get("cost_ms", 0) > MATERIAL_MS}
    wrong += [f"{c} is certain" for c in expected.get("never_certain", []) if c in sure]
    if side not in expected.get("blind", {}):
        wrong += [f"lacks {c}" for c in expected.get("contains", []) if c not in found and c != cause]
    return wrong


def main():
    tool, root, *patterns = sys.argv[1:]
    rows, total = [], 0
    for path in sorted(glob.glob(os.path.join(root, "*", "truth.json"))):
        folder = os.path.dirname(path)
        name = os.path.basename(folder)
        if patterns and not any(fnmatch.fnmatch(name, p) for p in patterns):
            continue
        with open(path) as f:
            expected = json.load(f)["expected"]
        for side in ("client", "server"):
            total += 1
            document = verdict_of(tool, os.path.join(folder, f"{side}.pcap"))
            wrong = mistakes(expected, side, document)
            certain = (document.get("verdict") or {}).get("confidence") == "certain"
            if wrong:
                rows.append((not (wrong[0].startswith("got") and certain), name, side, expected["primary"], wrong))
    for _, name, side, primary, wrong in sorted(rows):
        print(f"{name:34} {side:6} want {primary:22} {'; '.join(wrong)}")
    print(f"right {total - len(rows)} of {total}, wrong and certain {sum(not r[0] for r in rows)}")
    sys.exit(bool(rows))


if __name__ == "__main__":
    main()
