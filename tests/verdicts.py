# SPDX-License-Identifier: MIT
"""What tests read from `tcpwhy --json CAPTURE`: the document as a flat table of facts, and its invariants."""
import json
import pathlib
import subprocess

# The ledger adds up to the nanosecond; its milliseconds are rounded where they are printed.
SUM_OFF_MS = 0.01
SIDES = ("client", "server")


def diagnose(tool, capture, seconds=120):
    """The document. Raises ValueError with one line when there is none."""
    try:
        done = subprocess.run([tool, "--json", str(capture)], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"took over {seconds} s") from None
    if done.returncode:
        raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:2000]}")
    try:
        return json.loads(done.stdout, parse_constant=lambda word: 1 / 0)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"not JSON, or a number that JSON has not: {error}") from None


def causes_found(document):
    """Causes of the findings that cost anything."""
    return sorted({f["cause"] for f in document.get("findings", []) if f.get("cost_ms", 0) > 0})


def waits_itself(finding):
    """Does the finding's endpoint wait for another one, whose finding stands before it?"""
    return (finding.get("detail") or {}).get("kind") == "waits for another server"


def facts(document):
    """Flat names for what expectations may speak of."""
    out = {f"verdict.{key}": value for key, value in document["verdict"].items()}
    streams = document["streams"]
    listeners = document.get("listeners", [])
    out["findings"] = causes_found(document)
    out["findings.kind"] = sorted({f["detail"]["kind"] for f in document["findings"] if "kind" in f["detail"]})
    for fact in document.get("facts", []):
        out.setdefault(f"fact.{fact['fact']}", []).append(fact["text"])
    out["failures"] = sorted({f["kind"] for f in document.get("failures", [])})
    out["failures.by"] = sorted({f"{f['kind']} by {f['who']}" for f in document.get("failures", [])})
    out["quality"] = sorted({q["fact"] for q in document["capture"].get("quality", [])})
    out["stream_facts"] = sorted({f["fact"] for s in streams for f in s.get("facts", [])})
    out["frames"] = document["capture"]["frames"]
    out["streams"] = len(streams)
    out["retransmissions"] = sum(s.get("retransmissions", 0) for s in streams)
    out["exchanges.count"] = sum((s.get("exchanges") or {}).get("count", 0) for s in streams)
    for s in streams:
        for name, n in ((s.get("exchanges") or {}).get("status") or {}).items():
            out[f"status.{name}"] = out.get(f"status.{name}", 0) + n
    if len(listeners) == 1:
        for name in ("unanswered", "refused"):
            if name in listeners[0]:
                out[name] = listeners[0][name]
        for name, value in (listeners[0].get("exchanges") or {}).items():
            if name.endswith("_ms"):
                out[f"exchanges.{name}"] = value
    return out


def always(document):
    """What holds of every document; a list of what does not."""
    problems = []
    if document.get("schema") != "tcpwhy/1":
        problems.append(f"schema is {document.get('schema')!r}")
    off = {s["stream"]: sum(entry["ms"] for entry in s["ledger"]) - s["duration_ms"] for s in document["streams"]}
    wrong = [f"{n} ({ms:+.3f} ms)" for n, ms in off.items() if abs(ms) > SUM_OFF_MS]
    if wrong:
        problems.append(f"the ledger does not add up to the duration: streams {', '.join(wrong[:5])}")
    negative = [str(s["stream"]) for s in document["streams"] if any(entry["ms"] < 0 for entry in s["ledger"])]
    if negative:
        problems.append(f"negative time in the ledger: streams {', '.join(negative[:5])}")
    order = [(waits_itself(f), -f["cost_ms"]) for f in document["findings"]]
    if [cost for late, cost in order if not late] != sorted(cost for late, cost in order if not late):
        problems.append("findings are not ordered by cost")
    for f in document["findings"] + [document["verdict"]]:
        if f["cause"] != "none" and f.get("confidence") != "certain" and not f.get("rival"):
            problems.append(f"{f['cause']} is {f.get('confidence')} and names no rival")
    leaps = [str(s["stream"]) for s in document["streams"] if any(e["cause"] == "capture_gap" and e["confidence"] == "likely" for e in s["ledger"])]
    if leaps and "clock_leaps" not in facts(document)["quality"]:
        problems.append(f"the capture's clock leaps in streams {', '.join(leaps[:5])}, and its quality does not tell")
    return problems


def scenarios(root):
    """(folder, truth) of each scenario below root, in order of names."""
    for path in sorted(pathlib.Path(root).glob("*/truth.json")):
        yield path.parent, json.loads(path.read_text())
