#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""har.py TCPWHY PCAPS: `exchanges --har` is HTTP Archive 1.2 and agrees within 1 ms with what curl measured (curl_s in
case.json); it holds no headers, and phases that were not are -1.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

MOST_MS = 1.0
ENTRY = {"startedDateTime", "time", "request", "response", "cache", "timings"}
REQUEST = {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"}
RESPONSE = {"status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"}
PARTS = ("blocked", "dns", "connect", "send", "wait", "receive")


def har(tcpwhy, capture):
    return json.loads(subprocess.run([tcpwhy, "exchanges", "--har", capture], capture_output=True, check=True).stdout)["log"]


def malformed(log):
    if log["version"] != "1.2" or log["creator"]["name"] != "tcpwhy" or not log["entries"]:
        yield f"no log of version 1.2 with entries: {log}"
    for entry in log["entries"]:
        for what, has, wants in (("entry", entry, ENTRY), ("request", entry["request"], REQUEST), ("response", entry["response"], RESPONSE)):
            if wants - has.keys():
                yield f"{what} lacks {sorted(wants - has.keys())}"
        if entry["request"]["headers"] or entry["response"]["headers"] or entry["request"]["cookies"]:
            yield "headers, which hold secrets"
        timings = entry["timings"]
        total = sum(max(timings[part], 0) for part in PARTS)
        if abs(total - entry["time"]) > 1e-6 or min(timings[part] for part in ("send", "wait", "receive")) < 0:
            yield f"timings add up to {total}, not to {entry['time']}: {timings}"


def against_curl(entry, curl):
    """Phases by name: milliseconds of the archive, of curl."""
    timings = entry["timings"]
    yield "name", timings["dns"], curl["namelookup"] * 1e3
    sealed = max(timings["ssl"], 0)
    yield "connect", timings["connect"] - sealed, (curl["connect"] - curl["namelookup"]) * 1e3
    yield "TLS", sealed, max(curl.get("appconnect", 0) - curl["connect"], 0) * 1e3
    yield "send and wait", timings["send"] + timings["wait"], (curl["starttransfer"] - curl["pretransfer"]) * 1e3
    yield "receive", timings["receive"], (curl["total"] - curl["starttransfer"]) * 1e3
    yield "total", entry["time"], curl["total"] * 1e3


def main():
    tcpwhy, pcaps = sys.argv[1], pathlib.Path(sys.argv[2])
    with Tap() as tap:
        for case in sorted(pcaps.glob("*/case.json")):
            curl = json.loads(case.read_text()).get("curl_s")
            if not curl:
                continue
            log = har(tcpwhy, next(case.parent.glob("client.pcap*")))
            page = "https://www.test/page" if curl.get("appconnect") else "http://www.test/page"
            tap.check(f"{case.parent.name}: an HTTP Archive", list(malformed(log)))
            tap.check(f"{case.parent.name}: the URL has the name that was looked up",
                      [] if log["entries"][0]["request"]["url"] == page else log["entries"][0]["request"]["url"])
            tap.check(f"{case.parent.name}: phases as curl measured them",
                      [f"{name}: {ours:.3f} ms, curl {theirs:.3f} ms" for name, ours, theirs in against_curl(log["entries"][0], curl)
                       if abs(ours - theirs) > MOST_MS])
        later = har(tcpwhy, pcaps / "healthy_lan/client.pcap")["entries"][1:] if (pcaps / "healthy_lan").exists() else []
        tap.check("a request on an open connection has neither name nor connect",
                  [f"{e['timings']}" for e in later if e["connection"] == "0" and (e["timings"]["dns"], e["timings"]["connect"]) != (-1, -1)][:3])


if __name__ == "__main__":
    main()
