#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY TOP: the command line: help, exit codes, where output and errors go, how wide and in which characters."""
import contextlib
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapngfile as ng  # noqa: E402
from tap import Tap  # noqa: E402

COMMANDS = ("streams", "explain", "flow", "exchanges", "traffic", "ledger", "segments", "follow", "report")
PLAIN = {"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", ""), "COLUMNS": "80"}
ESCAPE = re.compile(r"\033\[[0-9;]*m")


class Tool:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def run(self, *arguments, env=None, cwd=None, stdin=None):
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, timeout=120, check=False, cwd=cwd,
                              env={**PLAIN, **(env or {})}, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None)

    def text(self, *arguments, **keywords):
        return self.run(*arguments, **keywords).stdout.decode()


def columns(line):
    """How many columns a terminal gives a line."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in ESCAPE.sub("", line))


def exits(done, code, said=None):
    """Problems, when a run should have ended with that code and, when it failed, a line that says why."""
    error = done.stderr.decode(errors="replace")
    if done.returncode != code:
        yield f"exit {done.returncode}, not {code}: {error[:200]}"
    if code in (1, 2) and (not error.startswith("tcpwhy: ") or error.count("\n") != 1):
        yield f"not one line of ours on stderr: {error!r}"
    if said and said not in error:
        yield f"{said!r} is not in {error!r}"


def check_usage(tap, tool, small):
    wrong = [(["--no-such-option", small], "--no-such-option"), (["-s"], "-s"), ([], "no capture"), (["streams"], "no capture"),
             (["--color=sometimes", small], "--color sometimes"), (["--width=7", small], "--width 7"), (["--width=eighty", small], "--width eighty"),
             (["--json", "--ndjson", small], "--json and --ndjson"), (["batch", "--chain", "--no-chain", small, "-o", "/dev/null/a.csv"], "--chain and --no-chain"), (["graph", "rtt", "--svg", "--csv", "-s0", small], "--csv and --svg"),
             (["query", "no.sqlite"], "no.sqlite"), (["query", "a.sqlite", "--html", "--csv"], "--csv and --html"),
             (["--fail-on=wire", small], "--fail-on wire"), (["--fail-on=none:5", small], "--fail-on none:5"),
             (["--fail-on=nagle", small], "--fail-on nagle"), (["--fail-on=any:much", small], "--fail-on any:much"), (["--fail-on=any:101%", small], "101%"), (["--fail-on=failure:5ms", small], "failure:5ms"), (["--fail-on=p99", small], "p99"), (["--fail-on=p98:5ms", small], "p98"), (["--fail-on=any:0x", small], "0x"), (["--fail-on=p99:5ms@", small], "p99:5ms@"), (["--fail-on=any:5ms@GET", small], "any:5ms@GET"),
             (["flow", "--frames=9-3", small], "--frames 9-3"), (["flow", "--frames=0-0", small], "--frames 0-0"), (["flow", "--frames=-0", small], "--frames -0"),
             (["-s", "5-3", small], "--stream 5-3"), (["-s", "1,", small], "--stream 1,"), (["-s", "4294967296", small], "--stream 4294967296"),
             (["flow", "--from=soon", small], "--from soon"), (["flow", "--only=tea", small], "--only tea"), (["streams", "--no-acks", small], "--no-acks"),
             (["as", small], "no such tool"), (["as", "wrk"], "no capture"), (["as", "tea", small], "tea"), (["latency", "--slower=0", small], "--slower 0"), (["traffic", "--link=fast", small], "--link fast"), (["traffic", "--link=0", small], "--link 0"), (["graph", "throughput", "-s", "0,1", "--xplot", small], "--xplot"), (["flow", "--rows=0", small], "--rows 0"),
             (["graph", "sequnce", small], "'sequence'"), (["graph", "tea", small], "tea"), (["graph", "rtt"], "no capture"), (["graph", "rtt", "-s", "0,1", small], "--stream 0,1"),
             (["graph", "throughput", "--interval=1d", small], "--interval 1d"), (["graph", "rtt", "--rows=3", small], "--rows"),
             (["--svg", small], "--svg"), (["--csv", small], "--csv"), (["streams", "--unfold", small], "--unfold"), (["segments", small, small], "too many"),
             (["live"], "-i"), (["stream", small], "no such command or file"), (["help", "me"], "no such command"), (["help", "flow", "graph"], "too many"), (["flow", "--rows"], "flow --help"), (["live", "eth0"], "-i eth0"), (["live", "-i", "lo", "--follow", "x"], "-i"), (["live", "-i", "lo", "--buffer", "9X"], "--buffer 9X"),
             (["live", "-i", "lo", "--every", "0"], "--every 0"), (["annotate", small], "-o"), (["annotate", "--around", "0", small], "--around 0"), (["annotate", "--around", "5", "-o", "/dev/null/a.pcapng", small], "without --evidence"),
             (["graph", "rtt", "--interval", "1", small], "not for rtt"),
             (["explain", "--why", small], "-s N"), (["explain", "--why=9", small], "-s N"), (["explain", "-s0", "--why=x", small], "--why x"), (["explain", "-s0", "--why=0", small], "--why 0"), (["streams", "-s0", "--why", small], "--why"),
             (["causes", "gremlins"], "gremlins"), (["causes", "nagle_hodl"], "'nagle_hold'"), (["causes", "nagle"], "'nagle_hold' or 'nagle_delayed_ack'"),
             (["expalin", small], "'explain'"), (["graph", "--sgv", small], "'--svg'"), (["-r", small], "tcpwhy CAPTURE"), (["-i", "lo"], "tcpwhy live"), (["-Y", "tcp", small], "-f"), (["follow", small], "-s")]
    for arguments, said in wrong:
        name = " ".join(str(a) if a != small else "CAPTURE" for a in arguments)
        tap.check(f"'tcpwhy {name}' is a matter of usage", list(exits(tool.run(*arguments), 2, said)))


def check_help(tap, tool):
    for command in ((), *((c,) for c in COMMANDS + ("causes",))):
        done = tool.run(*command, "--help")
        text = done.stdout.decode()
        missing = [part for part in ("Usage: tcpwhy", "Examples:", "Options:", "--help") if part not in text]
        wide = [line for line in text.splitlines() if len(line) > 80]
        tap.check(f"'{' '.join(('tcpwhy', *command))} --help' teaches with examples", list(exits(done, 0)) + missing + wide)
    tap.check("'tcpwhy help' is 'tcpwhy --help', and of each command likewise",
              [c for c in COMMANDS if tool.text("help", c) != tool.text(c, "--help")] + ([] if tool.text("help") == tool.text("--help") else ["tcpwhy help"]))
    text = tool.text("--help")
    tap.check("the help names every command", [c for c in COMMANDS + ("causes",) if f"\n  {c} " not in text])
    tap.check("the version is printed, and what locks the process in", [] if re.fullmatch(r"tcpwhy \d+\.\d+\.\d+\nsandbox: .+\n", tool.text("--version")) else tool.text("--version"))


def check_captures(tap, tool, small, sick):
    missing = "/nonexistent/no.pcap"
    tap.check("a capture that is missing is named (exit 1)", list(exits(tool.run(missing), 1, missing)))
    done = tool.run(missing, small)
    tap.check("the captures beside it are diagnosed all the same", list(exits(done, 1, missing)) + ([] if b"connection" in done.stdout else ["nothing printed"]))
    tap.check("a wrong filter is told with the filter", list(exits(tool.run("-f", "port port", small), 2)))
    for asked in (("-s", "999"), ("-f", "port 1")):
        tap.check(f"'{' '.join(asked)}', which selects no connection, exits with 1", list(exits(tool.run(*asked, small), 1, asked[1])))
    tap.check("a graph without a kind is the sequence", [] if tool.text("graph", small) == tool.text("graph", "sequence", small) else ["it differs"])
    tap.check("a filter leaves what it lets pass", [] if json.loads(tool.text("-f", "port 1", "--json", small))["streams"] == [] else "streams are left")
    tap.check("an archive that is missing is no database that cannot be opened", list(exits(tool.run("query", "/nonexistent/no.sqlite", "verdicts"), 1, "no such file")))
    tap.check("a folder is no archive to ask", list(exits(tool.run("query", small.parent, "verdicts"), 1, "a folder")))
    several = json.loads(tool.text("--json", small, sick))
    tap.check("several captures give one JSON document", [] if len(several["documents"]) == 2 else str(several.keys()))
    lines = tool.text("--ndjson", small, sick).splitlines()
    tap.check("several captures give a line each with --ndjson", [] if len([json.loads(x) for x in lines]) == 2 else f"{len(lines)} lines")
    tap.check("a stream that is not there cannot be followed", list(exits(tool.run("follow", "-s", "77", small), 1, "stream 77")))
    tap.check("standard input is a capture", list(exits(tool.run("-", stdin=small.read_bytes()), 0)))
    rows = [json.loads(tool.text("flow", "-s", "1", f, "--frames=1-200", "--unfold", sick)) for f in ("--json", "--ndjson")]
    tap.check("what of a stream to draw is the same in every form", [] if rows[0]["flows"][0] == rows[1] else str(rows)[:300])
    one = json.loads(tool.text("streams", "-s", "1-2", "--json", sick))["streams"]
    verdicts = [s["verdict"] for s in one]
    tap.check("the verdict on a stream names the side that can fix it", [] if all(v["endpoint"] == "10.9.0.2:8080" for v in verdicts) else str(verdicts))
    none = tool.text("-s", "77", small)
    tap.check("a stream that is not there is no capture without TCP", [] if "No such stream in this capture." in none else none)
    tap.check("without a frame there is no date", [] if "1970" not in tool.text("-f", "port 1", small) else "1970")
    tap.check("-s selects streams", [] if [s["stream"] for s in one] == [1, 2] else str(one))
    done = tool.run("report", missing, small)
    tap.check("a page is made of the captures that can be read", list(exits(done, 1, missing)) + ([] if done.stdout.startswith(b"<!DOCTYPE html>") and done.stdout.endswith(b"</html>\n") else [done.stdout[:99]]))
    tap.check("a page can fail a test, too", list(exits(tool.run("report", "--fail-on=any", sick), 3)))
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "streams").write_bytes(small.read_bytes())
        tap.check("a capture that is named like a command is given as ./NAME", list(exits(tool.run("./streams", cwd=folder), 0)))
        tap.check("without ./ the command wins", list(exits(tool.run("streams", cwd=folder), 2, "no capture")))


def vlan_tagged(capture):
    """An Ethernet pcap with a VLAN tag in each of its frames."""
    data, parts, at = capture.read_bytes(), [], 24
    while at < len(data):
        times, caught, wire = data[at:at + 8], *struct.unpack_from("<II", data, at + 8)
        frame = data[at + 16:at + 16 + caught]
        parts.append(times + struct.pack("<II", caught + 4, wire + 4) + frame[:12] + b"\x81\x00\x00\x07" + frame[12:])
        at += 16 + caught
    return data[:24] + b"".join(parts)


def check_nothing_left(tap, tool, small):
    """Where -f or -s leave nothing every form of answer says which of them it was."""
    for command in ("", "streams", "explain", "flow", "exchanges", "traffic", "ledger", "flow --svg", "report"):
        problems = [f"{extra}: {said}" for extra, said in ((("-s", "77"), "No such stream"), (("-f", "port 1"), "The filter matches no"))
                    if said not in tool.text(*command.split(), *extra, small)]
        tap.check(f"'{command or 'tcpwhy'}' says that nothing is left, and why", problems)
    quality = [[q["fact"] for q in json.loads(tool.text("--json", "-f", f, small))["capture"]["quality"]] for f in ("port 1", "tcp")]
    tap.check("a filter that leaves something is no flaw", [] if "filtered_out" in quality[0] and "filtered_out" not in quality[1] else str(quality))
    tagged = vlan_tagged(small)
    said = [tool.run("-f", f, "-", stdin=tagged).stdout.decode() for f in ("tcp", "vlan and tcp")]
    tap.check("of frames with a VLAN tag the filter's blindness is told", [] if "vlan and" in said[0] and "3 connections" in said[1] else str(said))
    tap.check("a time that ends before it begins is a matter of usage", list(exits(tool.run("flow", "--from=5", "--to=3", small), 2, "--from and --to")))
    tap.check("a graph of a time without frames says so", [] if "No data in this time range" in tool.text("graph", "rtt", "--from=500", small) else "it does not")


def weighings(tool, *arguments):
    return json.loads(tool.text("explain", "--json", *arguments))["streams"][0].get("why")


def check_why(tap, tool, sick):
    """Stream 1: 44 ms before frame 36 from a delayed ACK (frame 35) that Nagle's algorithm waited for."""
    gaps = weighings(tool, "-s", "1", "--why", sick)
    costs = [g["to_ms"] - g["from_ms"] for g in gaps]
    tap.check("--why shows the five costliest gaps of a stream", [] if len(gaps) == 5 and costs == sorted(costs, reverse=True) else str(costs))
    tap.check("without --why nothing is weighed", [] if weighings(tool, "-s", "1", sick) is None else "it is")
    frame = gaps[0]["last_frame"]
    one = weighings(tool, "-s", "1", f"--why={frame}", sick)
    tap.check("--why FRAME is --why=FRAME", [] if weighings(tool, "-s", "1", "--why", str(frame), sick) == one else "it is not")
    tap.check("--why=FRAME shows the gap that ended there", [] if one == gaps[:1] else str(one)[:300])
    best = one[0]["hypotheses"][0]
    tap.check("the best cause is the verdict, with its part of the gap and the ACK that let the segment go",
              [] if best["cause"] == one[0]["cause"] == "nagle_delayed_ack" and best["fit"] == "fits" and best["frame"] == one[0]["ack_frame"] and
              best["from_ms"] >= 0 and best["to_ms"] <= costs[0] + 1e-6 and best["odds_against_next"] > 10 else str(best))
    spans = json.loads(tool.text("explain", "--json", "-s", "1", sick))["streams"][0]["spans"]
    span = next(s for s in spans if s["from_ms"] <= one[0]["from_ms"] + best["from_ms"] < s["to_ms"])
    tap.check("the verdict is that of the ledger", [k for k in ("cause", "party", "confidence", "rival") if span[k] != one[0][k]])
    text = tool.text("explain", "-s", "1", f"--why={frame}", sick)
    wanted = (f"Gap of 47.1 ms between frames {one[0]['first_frame']} and {frame}", f"after the ACK of frame {best['frame']}.", " : 1",
              "refuted: the receive window was not closed", "\nVerdict: nagle_delayed_ack (server), ")
    tap.check("as text, too", [w for w in wanted if w not in text.replace("\nserver", " server")])
    shown = [row for row in text.splitlines() if "  nagle_delayed_ack " in row and f"frame {best['frame']}" in row]
    tap.check("with a row for each cause", [] if len(shown) == 1 else text)
    inside, beyond = best["frame"], 99999999
    tap.check("a frame within a gap is answered with the gap", [] if weighings(tool, "-s", "1", f"--why={inside}", sick) == one and
              f"No gap ends at frame {inside}, which lies within this gap:" in tool.text("explain", "-s", "1", f"--why={inside}", sick) else "it is not")
    tap.check("a frame of no gap is answered with the nearest one, and says so", [] if len(weighings(tool, "-s", "1", f"--why={beyond}", sick)) == 1 and
              f"Frame {beyond} is not in stream 1" in tool.text("explain", "-s", "1", f"--why={beyond}", sick) else "it is not")
    tap.check("no line of it is wider than it should be", [x for x in tool.text("explain", "-s", "1", "--why", "--width=60", sick).splitlines() if columns(x) > 60 or x != x.rstrip()])


def check_pcapng_flaws(tap, tool):
    """What is left out of a pcapng file, or passed over, did not end it."""
    frame = bytes(12) + b"\x08\x00" + bytes(40)
    whole = [ng.section("<"), ng.interface("<"), ng.enhanced("<", 10**15, frame)]
    flaws = {"no_interface": ng.enhanced("<", 10**15, frame, number=9), "not_filtered": ng.interface("<", 101) + ng.enhanced("<", 10**15, frame, number=1),
             "bad_options": ng.enhanced("<", 10**15, frame, options=struct.pack("<HH", 1, 999))}
    for fact, block in flaws.items():
        capture = json.loads(tool.text("--json", "-f", "ether host 0:0:0:0:0:0", "-", stdin=b"".join(whole) + block + whole[2]))["capture"]
        found = [q["fact"] for q in capture["quality"]]
        tap.check(f"a pcapng file is read on behind {fact}", [] if fact in found and "bad_record" not in found and capture["frames"] >= 2 else str(capture))


def check_output_file(tap, tool, small):
    with tempfile.TemporaryDirectory() as folder:
        copy, other = pathlib.Path(folder, "copy.pcap"), pathlib.Path(folder, "other.pcap")
        for path in (copy, other):
            path.write_bytes(small.read_bytes())
        for command in (["report", copy], ["flow", copy], ["graph", "rtt", copy], ["diff", other, copy], ["report", "-"]):
            done = tool.run(*command, "-o", copy) if "-" not in command else subprocess.run(
                [tool.path, *command, "-o", copy], stdin=copy.open("rb"), capture_output=True, timeout=120, check=False)
            kept = copy.read_bytes() == small.read_bytes()
            tap.check(f"'{command[0]}' of {'standard input' if '-' in command else 'a capture'} does not overwrite the capture",
                      list(exits(done, 2, "the capture itself")) + ([] if kept else ["it is gone"]))
            copy.write_bytes(small.read_bytes())
        done = tool.run("report", "-o", "-", copy, cwd=folder)
        tap.check("the output file '-' is standard output", list(exits(done, 0)) + ([] if done.stdout.startswith(b"<!DOCTYPE html>") else ["no page"]) +
                  ([] if not pathlib.Path(folder, "-").exists() else ["a file '-'"]))


SUFFIXES = (("flow", "f.svg", "<svg"), ("flow", "f.json", '"schema"'), ("flow", "f.NDJSON", '{"stream"'), ("flow", "f.txt", "Stream"),
            ("", "d.json", '"schema"'), ("streams", "s.txt", ""), ("traffic", "t.csv", "listener,"), ("ledger", "l.folded", ""), ("latency", "h.svg", "<svg"), ("streams", "s.csv", "stream,client"), ("exchanges", "e.csv", "stream,server_name,protocol"), ("udp", "u.csv", "from,to"), ("report", "r.htm", "<!DOCTYPE"),
            ("graph rtt", "g.csv", ""), ("graph rtt", "g.xpl", ""), ("graph rtt", "g.svg", "<svg"), ("flow", "plain", "Stream"), ("flow --svg", "f.json", "<svg"))
REFUSED = (("flow", "f.html"), ("flow", "f.xyz"), ("report", "r.txt"), ("graph rtt", "g.txt"), ("streams", "s.svg"), ("", "d.csv"), ("latency", "h.html"), ("as wrk", "a.svg"))


def check_suffixes(tap, tool, small):
    with tempfile.TemporaryDirectory() as folder:
        for command, name, begins in SUFFIXES:
            done = tool.run(*command.split(), small, "-o", name, cwd=folder)
            path = pathlib.Path(folder, name)
            text = path.read_text() if path.exists() else ""
            tap.check(f"'{command or 'tcpwhy'} -o {name}' writes what the name or the option says",
                      [*exits(done, 0), *([] if text and begins in text[:200] else [text[:200]])])
        for command, name in REFUSED:
            done = tool.run(*command.split(), small, "-o", name, cwd=folder)
            tap.check(f"'{command or 'tcpwhy'} -o {name}' is refused", [*exits(done, 2, name), *([] if not pathlib.Path(folder, name).exists() else ["written"])])


def rows_of(tool, *arguments):
    return json.loads(tool.text("flow", "--json", *arguments))["flows"][0]


def check_views(tap, tool, sick):
    """What is hidden of a flow graph was analysed; what a filter takes was not, and is said."""
    spans = json.loads(tool.text("explain", "--json", "-s", "1", sick))["streams"][0]
    verdict = spans["verdict"]["cause"]
    longest = {round(s["to_ms"], 3) for s in spans["spans"] if s["cause"] == verdict and s["to_ms"] - s["from_ms"] > 5}
    whole = rows_of(tool, "-s", "1", "--whole", sick)
    gaps = [r for r in whole["rows"] if r["row"] == "gap" and r["cause"] == verdict]
    tap.check("--whole shows every gap of the verdict", [] if len(gaps) >= len(longest) > 20 else f"{len(gaps)} of {len(longest)}")
    data = rows_of(tool, "-s", "1", "--whole", "--unfold", "--rows=1000", "--only", "data", sick)
    frames = [r for r in data["rows"] if r["row"] == "frame"]
    tap.check("--only data hides what has no payload", [r for r in frames if r["len"] == 0] + ([] if frames and data["hidden"] > 50 else ["nothing hidden"]))
    causes = {r["cause"] for r in data["rows"] if r["row"] == "gap"}
    tap.check("the gaps between keep their cause", [] if verdict in causes else str(causes))
    quiet = rows_of(tool, "-s", "1", "--whole", "--unfold", "--rows=1000", "--no-acks", sick)
    tap.check("--no-acks leaves SYN and FIN", [r for r in quiet["rows"] if r["row"] == "frame" and r["len"] == 0 and not set(r["flags"].split(",")) & {"SYN", "FIN", "RST"}])
    shown = rows_of(tool, "-s", "1", "--whole", "--unfold", "--rows=1000", "--show", "src port 8080", sick)
    tap.check("--show takes a filter", [r for r in shown["rows"] if r["row"] == "frame" and r["direction"] != "server"] + ([] if shown["hidden"] else ["nothing hidden"]))
    nothing = tool.text("flow", "-s", "1", "--show", "port 1", sick)
    tap.check("a view that hides all says so", [] if "hide all" in nothing else nothing)
    tap.check("a view needs a file", list(exits(tool.run("flow", "--show", "tcp", "-", stdin=b""), 2, "--show")))
    thinned = json.loads(tool.text("--json", "-f", "greater 100", sick))
    facts = {q["fact"]: q["count"] for q in thinned["capture"]["quality"]}
    tap.check("frames that a filter takes from connections are told", [] if facts.get("filtered_frames", 0) > 1000 else str(facts))
    tap.check("and nothing is certain without them", [f["cause"] for f in thinned["findings"] if f["confidence"] == "certain"])
    kept = json.loads(tool.text("--json", "-f", "host 10.9.0.2 and port 8080", sick))
    tap.check("a filter that takes whole connections is no flaw", [q for q in kept["capture"]["quality"] if q["fact"] == "filtered_frames"] +
              ([] if kept["findings"][0]["confidence"] == "certain" else ["not certain"]))


def check_fail_on(tap, tool, small, sick):
    document = json.loads(tool.text("--json", sick))
    finding = document["findings"][0]
    cause, ms = finding["cause"], finding["cost_ms"]
    waited = sum(f["cost_ms"] for f in document["findings"] if f["cause"] == cause)
    share, times = 100 * document["verdict"]["share"] * waited / document["verdict"]["cost_ms"], sum(f["count"] for f in document["findings"] if f["cause"] == cause)
    slowest = max(row["exchanges"]["p99_ms"] for row in document["listeners"])
    for what, value, code in (
        ("CAUSE", cause, 3), ("any", "any", 3), ("CAUSE below its cost", f"{cause}:{waited - 1:.3f}", 3), ("CAUSE above its cost", f"{cause}:{waited + 1:.3f}ms", 0),
        ("CAUSE below its share", f"{cause}:{share - 1:.1f}%", 3), ("CAUSE above its share", f"{cause}:{min(100, share + 1):.1f}%", 0),
        ("CAUSE as often as it was", f"{cause}:{times}x", 3), ("CAUSE more often than it was", f"{cause}:{times + 1}x", 0),
        ("another cause", "mtu_black_hole", 0), ("failures, of which there are none", "failure", 0),
        ("p99 below the slowest", f"p99:{slowest - 1:.3f}ms", 3), ("p99 above the slowest", f"p99:{slowest + 1:.3f}ms", 0),
        ("p99 of no listener", "p99:0.001ms@192.0.2.1:1", 0)):
        done = tool.run(f"--fail-on={value}", sick)
        tap.check(f"--fail-on {what} exits {code}", list(exits(done, code)) + ([] if done.stdout else ["nothing printed"]))
    for value, code in ((cause, 0), ("p99:0.001ms", 0)):
        tap.check(f"diff --fail-on {value.replace(cause, 'CAUSE')} of a capture and itself exits {code}", list(exits(tool.run("diff", f"--fail-on={value}", sick, sick), code)))
    for place, code in (("GET /", 3), ("GET", 3), ("PUT", 0)):
        done = tool.run(f"--fail-on=p50:1ms@{place}", sick)
        told = "no answered request that --fail-on ...@PUT selects" in done.stderr.decode()
        tap.check(f"--fail-on p50:1ms@'{place}' exits {code}, and says if there is no such request", list(exits(done, code)) + ([] if told == (place == "PUT") else [done.stderr]))
    tap.check("--fail-on with a mistyped cause names the nearest", [] if "did you mean 'zero_window'?" in tool.run("--fail-on=zero_windw:5", sick).stderr.decode() else ["no nearest name"])
    tap.check("diff --fail-on CAUSE exits 3 where a cause is new", list(exits(tool.run("diff", f"--fail-on={cause}", small, sick), 3)))
    tap.check("and not where it is gone", list(exits(tool.run("diff", f"--fail-on={cause}", sick, small), 0)))


def check_units(tap, tool, top):
    """Headline, finding and row of a cause show one number; a row of which the findings leave out a part has both."""
    lost = top / "pcaps/random_loss_1pct/client.pcap"
    screen = tool.text("--width=100", lost)
    cost = {f["cause"]: f["cost_ms"] / 1000 for f in json.loads(tool.text("--json", lost))["findings"]}
    repair, window = (f"{cost[c]:.3f}" if cost[c] < 1 else f"{cost[c]:.2f}" for c in ("loss_recovery", "congestion_window_limited"))
    row = next(line.split()[-7:-3] for line in screen.splitlines() if line.startswith("  congestion_window_limited"))
    tap.check("headline, findings and ledger show one number",
              [n for n in (f"{repair} s in repairs", f" {repair} s  ", f"recovery took {repair} s", f" {window} s  ") if n not in " ".join(screen.split("\n"))]
              + ([] if row[1] == window and float(row[0]) > float(row[1]) else [str(row)]))


def check_names(tap, tool, top):
    named = top / "pcaps/tls12_http1/client.pcapng"
    seen = [json.loads(tool.text(*options, "--json", named)) for options in ((), ("-n",))]
    tap.check("streams and listeners have the name of their server, with -n none",
              [] if [[d["streams"][0]["server_name"], d["listeners"][0]["server_name"]] for d in seen] == [["example.test"] * 2, [None] * 2] else str([d["listeners"] for d in seen])[:300])
    for command in (("streams", "--width=80"), ("as", "ss"), ("segments",), ("follow", "-s", "0", "--side", "server")):
        screens = [tool.text(*command, *options, top / "pcaps/name_lookup_400ms/client.pcap") for options in ((), ("-n",))]
        tap.check(f"so has the screen of {' '.join(command)}", [] if ["www.test" in screen for screen in screens] == [True, False] else screens)
    for command in (("flow", "-s", "0"), ("exchanges", "--width=120"), ("latency",), ("as", "ab")):
        screens = [tool.text(*command, *options, named) for options in ((), ("-n",))]
        tap.check(f"{command[0]} names the server", [] if ["example.test" in screen.replace("ClientHello example.test", "") for screen in screens] == [True, False] else screens)
    few = [line for line in tool.text("segments", "--limit", "1", top / "pcaps/body_unread_413/client.pcap").splitlines() if line.startswith("stream ")]
    tap.check("a limit leaves out the names of streams without a row", [] if len(few) == 1 else few)
    heads = ["api.example" in tool.text("flow", "--together", *options, top / "pcaps/untranslated_segment/client.pcap") for options in ((), ("-n",))]
    tap.check("a graph of several streams has names above its columns", [] if heads == [True, False] else [heads])
    tap.check("TLS handshakes are no requests of a load generator", [] if "Complete requests:      2" in tool.text("as", "ab", named) else ["counted"])


def check_limit(tap, tool, sick):
    everything, few = json.loads(tool.text("--json", sick)), json.loads(tool.text("--json", "--limit", "2", sick))
    worst = sorted(everything["streams"], key=lambda s: -s["verdict"]["cost_ms"])[:2]
    tap.check("--limit keeps the connections that lost most", [] if {s["stream"] for s in few["streams"]} == {s["stream"] for s in worst} else few["streams"])
    tap.check("and counts the others", [] if few["streams_left_out"] == len(everything["streams"]) - 2 and "streams_left_out" not in everything else few["streams_left_out"])
    tap.check("so it does of those that are explained, with their spans", [] if [(s["stream"], bool(s["spans"])) for s in json.loads(tool.text("explain", "--json", "--limit", "2", sick))["streams"]] == [(s["stream"], True) for s in few["streams"]] else ["others"])
    tap.check("explain says how many it leaves out", [] if f"and {len(everything['streams']) - 2} more connections" in tool.text("explain", "--limit", "2", sick) else ["no line"])
    tap.check("as the table does", [] if f"and {len(everything['streams']) - 2} more connections" in tool.text("streams", "--limit", "2", sick) else ["no line"])
    for command, rows, more in (("exchanges", "exchanges", "more requests"), ("segments", "segments", "more segments")):
        whole, cut = json.loads(tool.text(command, "--json", sick)), json.loads(tool.text(command, "--json", "--limit", "2", sick))
        tap.check(f"{command} shows the first rows and counts the others", [] if cut[rows] == whole[rows][:2] and cut["left_out"] == len(whole[rows]) - 2 and "left_out" not in whole else cut)
        tap.check(f"{command} says so on the screen", [] if f"and {len(whole[rows]) - 2} {more}" in tool.text(command, "--limit", "2", sick).replace(",", "") else ["no line"])


def check_output(tap, tool, sick):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([tool.path, "segments", sick], stdout=full, stderr=subprocess.PIPE, env=PLAIN, check=False, timeout=120)
    tap.check("a full disk is told (exit 1)", list(exits(done, 1, "standard output")))
    with subprocess.Popen([tool.path, "segments", sick], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN) as process:
        process.stdout.read(10)
        process.stdout.close()
        error = process.stderr.read()
        code = process.wait(60)
    tap.check("a reader that goes away is no error", [] if code == 0 and not error else f"exit {code}: {error}")
    tap.check("what is piped has no colours", [] if "\033" not in tool.text(sick) else "escapes")
    tap.check("--color=always has colours", [] if "\033[" in tool.text("--color=always", sick) else "no escapes")
    tap.check("NO_COLOR does not forbid what was asked for", [] if "\033[" in tool.text("--color=always", sick, env={"NO_COLOR": "1"}) else "no escapes")


def on_terminal(tool, *arguments):
    """Exit code and what a terminal shows."""
    master, terminal = pty.openpty()
    with subprocess.Popen([tool.path, *arguments], stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal, env=PLAIN) as process:
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal ends
            while part := os.read(master, 65536):
                shown += part
        code = process.wait(60)
    os.close(master)
    return code, shown.decode(errors="replace")


def check_terminal(tap, tool, small):
    for command, said in (("report", "FILE.html"), ("graph rtt", "FILE.svg"), ("flow --svg", "FILE.svg")):
        code, shown = on_terminal(tool, *command.split(), small)
        tap.check(f"'{command}' does not fill a terminal with what no one can read", [] if code == 2 and said in shown and shown.count("\n") == 1 else f"exit {code}: {shown[:300]}")
        code, shown = on_terminal(tool, *command.split(), small, "-o", "-")
        tap.check(f"'{command} -o -' does as it is told", [] if code == 0 and shown.startswith("<") else f"exit {code}: {shown[:300]}")
    for command in ("flow", "graph rtt --csv"):
        code, shown = on_terminal(tool, *command.split(), small)
        tap.check(f"'{command}' is for terminals", [] if code == 0 and shown else f"exit {code}: {shown[:300]}")


def selected(command):
    """Of the commands with a row a frame or an exchange, one stream is enough."""
    return ["-s", "1"] if command in ("explain", "exchanges", "flow", "segments", "follow") else []


def check_widths(tap, tool, captures):
    for command in ("",) + COMMANDS[:6]:
        problems = []
        for capture in captures:
            for width in (60, 80, 120):
                text = tool.text(*([command] if command else []), *selected(command), f"--width={width}", capture)
                problems += [f"{capture.parent.name} {width}: {columns(x)}: {x}" for x in text.splitlines() if columns(x) > width][:3]
                problems += [f"{capture.parent.name}: ends in blanks: {x!r}" for x in text.splitlines() if x != x.rstrip()][:3]
        tap.check(f"no line of '{command or 'tcpwhy'}' is wider than it should be", problems)
    for command in ("",) + COMMANDS[:7] + ("causes",):
        names = [captures[0]] if command != "causes" else []
        for why, extra, env in (("--ascii", ["--ascii"], {}), ("a C locale", [], {"LC_ALL": "C"})):
            text = tool.run(*([command] if command else []), *(selected(command) if names else []), *extra, *names, env=env).stdout
            tap.check(f"'{command or 'tcpwhy'}' is in ASCII with {why}", [] if text and text.isascii() else text[:200])


def main():
    tool, top = Tool(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    small, sick = top / "pcaps/refused_port/client.pcap", top / "pcaps/nginx_nagle_delack/client.pcap"
    with Tap() as tap:
        check_help(tap, tool)
        check_usage(tap, tool, small)
        check_captures(tap, tool, small, sick)
        check_nothing_left(tap, tool, small)
        check_why(tap, tool, sick)
        check_pcapng_flaws(tap, tool)
        check_fail_on(tap, tool, small, sick)
        check_limit(tap, tool, sick)
        check_units(tap, tool, top)
        check_names(tap, tool, top)
        check_suffixes(tap, tool, small)
        check_views(tap, tool, sick)
        check_output(tap, tool, sick)
        check_terminal(tap, tool, small)
        check_output_file(tap, tool, small)
        check_widths(tap, tool, [sick, small, top / "pcaps/zero_window_slow_reader/client.pcap", top / "pcaps/syn_drop_backlog/server.pcap"])


if __name__ == "__main__":
    main()
