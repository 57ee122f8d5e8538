#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schema.py TCPWHY SANITIZERS TOP SHARED: every JSON document matches data/schema/tcpwhy-1.schema.json.

Documents of hand-made reports (tests/unit/golden/), then of each command for each capture of pcaps/ and of the lab.
Commands that print a row per frame or transaction are limited to one stream of long captures. A program with sanitizers (not
"none") takes ten times as long: it is asked for every sixth small capture, of one end alone.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

try:
    import jsonschema
except ImportError:
    skip_all("no python3-jsonschema here")

try:
    # From PyPI; without it long documents take a minute longer.
    import fastjsonschema
except ImportError:
    fastjsonschema = None

# The definition that describes a command's document, and what one line of its --ndjson is.
DOCUMENTS = {"diagnosis": "diagnosis", "streams": "streams_document", "explain": "explain", "exchanges": "exchanges_document",
             "flow": "flow_document", "traffic": "traffic_document", "segments": "segments_document", "follow": "follow_document",
             "causes": "causes_document", "graph": "graph_document", "ledger": "ledger_document", "diff": "diff_document",
             "latency": "latency_document", "udp": "udp_document", "names": "names_document", "as": "as_document", "rates": "rates_document"}
LINES = {"diagnosis": "diagnosis", "streams": "stream", "explain": "stream", "exchanges": "exchange", "flow": "flow",
         "traffic": "interval", "segments": "segment", "latency": "service", "udp": "udp_flow"}

# Those that tell of a capture, also of one without connections.
WHOLE = ("diagnosis", "streams", "traffic", "ledger", "latency", "udp", "names")

TOOLS = ("wrk", "ab", "hping3", "iperf3", "traceroute", "ss")

GRAPHS = ("sequence", "inflight", "window", "throughput", "rtt", "cwnd")

# The lines of --ndjson hold what the documents hold: looking at small captures is enough.
SMALL = 100_000

# fastjsonschema says which documents are in order, in a thirtieth of the time; of every eighth small capture jsonschema looks at
# each itself.
ITSELF = 8


class Schema:
    def __init__(self, path):
        self.whole = json.loads(path.read_text())
        jsonschema.Draft202012Validator.check_schema(self.whole)
        self.validators = {None: jsonschema.Draft202012Validator(self.whole)}
        self.quick = {}
        for name in {*DOCUMENTS.values(), *LINES.values()}:
            one = {**self.whole, "oneOf": [{"$ref": f"#/$defs/{name}"}]}
            self.validators[name] = jsonschema.Draft202012Validator(one)
            if fastjsonschema:
                # It knows draft 7 best; the keywords that the schema uses mean the same there.
                self.quick[name] = fastjsonschema.compile({**one, "$schema": "http://json-schema.org/draft-07/schema#"})

    def passes_quickly(self, document, definition):
        try:
            return definition in self.quick and bool(self.quick[definition](document))
        except fastjsonschema.JsonSchemaException:
            return False

    def problem(self, document, definition=None, quickly=False):
        """What is wrong with a document, or None."""
        if quickly and self.passes_quickly(document, definition):
            return None
        error = jsonschema.exceptions.best_match(self.validators[definition].iter_errors(document))
        return error and f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"


def strict(text):
    """JSON without what Python adds to it."""
    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")
    return json.loads(text, parse_constant=refuse)


def run(tool, *arguments):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, timeout=120, check=False)
    if done.returncode:
        raise ValueError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:300]}")
    return done.stdout.decode()


def exact(document):
    """The milliseconds of each ledger add up to the life of its stream, to the nanosecond."""
    for stream in document.get("streams", []):
        parts, life = sum(round(e["ms"] * 1e6) for e in stream["ledger"]), round(stream["duration_ms"] * 1e6)
        if parts != life:
            yield f"stream {stream['stream']}: the ledger holds {parts} ns of {life}"


def hold(tool, schema, number, capture):
    """Problems with any document of a capture."""
    found, stream, is_long = [], "0", capture.stat().st_size >= SMALL
    quickly = is_long or number % ITSELF != 0
    try:
        diagnosis = strict(run(tool, "--json", capture))
        if diagnosis["findings"]:
            stream = str(diagnosis["findings"][0]["stream"])
        for command in ("diagnosis", "streams", "explain", "exchanges", "flow", "traffic", "ledger", "segments", "latency", "udp", "names"):
            one = ["-s", stream] if command not in WHOLE else []
            if one and not diagnosis["streams"]:
                continue
            named = [command] if command != "diagnosis" else []
            document = strict(run(tool, *named, "--json", *one, capture))
            found.append((command, schema.problem(document, DOCUMENTS[command], quickly)))
            if command == "explain":
                document = strict(run(tool, "explain", "--why", "--json", *one, capture))
                found.append(("explain --why", schema.problem(document, DOCUMENTS[command], quickly)))
            if command in LINES and not is_long:
                lines = [strict(line) for line in run(tool, *named, "--ndjson", *one, capture).splitlines()]
                found += [(command + " --ndjson", schema.problem(line, LINES[command], quickly)) for line in lines[:50]]
            found += [(command, text) for text in exact(document)]
        for imitated in TOOLS:
            document = strict(run(tool, "as", imitated, "--json", capture))
            found.append((f"as {imitated}", schema.problem(document, DOCUMENTS["as"], quickly)))
        if diagnosis["streams"]:
            document = strict(run(tool, "graph", "throughput", "--json", "-s", "0-9", capture))
            found.append(("graph throughput -s 0-9", schema.problem(document, DOCUMENTS["rates"], quickly)))
        for kind in GRAPHS if diagnosis["streams"] else ():
            document = strict(run(tool, "graph", kind, "--json", "-s", stream, capture))
            found.append((f"graph {kind}", schema.problem(document, DOCUMENTS["graph"], quickly)))
        followed = strict(run(tool, "follow", "--json", "-s", stream, capture)) if diagnosis["streams"] else None
        found.append(("follow", followed and schema.problem(followed, DOCUMENTS["follow"], quickly)))
    except (ValueError, KeyError) as error:
        found.append(("", f"{type(error).__name__}: {error}"))
    return [f"{command}: {problem}" for command, problem in found if problem]


def main():
    tool, sanitized, top, shared = sys.argv[1], sys.argv[2] != "none", *map(pathlib.Path, sys.argv[3:])
    schema = Schema(top / "data/schema/tcpwhy-1.schema.json")
    cases = sorted((top / "pcaps").glob("*/*.pcap*"))
    shipped = {(p.parent.name, p.name) for p in cases}
    lab = [p for p in sorted((shared / "lab").glob("*/*.pcap")) if (p.parent.name, p.name) not in shipped]
    captures = [p for p in cases if p.stem == "client" and p.stat().st_size < SMALL][::6] if sanitized else cases + lab
    with Tap() as tap, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in sorted((top / "tests/unit/golden").glob("*.json")):
            tap.check(f"the hand-made {path.name} is described by the schema", schema.problem(strict(path.read_text())))
        tap.check("the causes are described by the schema", schema.problem(strict(run(tool, "causes", "--json"))))
        several = strict(run(tool, "--json", cases[0], cases[1]))
        tap.check("several captures in one document are described by the schema", schema.problem(several))
        for command in ("exchanges", "ledger", "traffic"):
            document = strict(run(tool, command, "--operations", "--json", top / "pcaps/http2_page/client.pcap"))
            tap.check(f"operations of {command} are described by the schema", schema.problem(document, DOCUMENTS[command]))
        for end in ("client", "server"):
            slow = strict(run(tool, "ledger", "--operations", "--json", top / f"pcaps/round_trips_psql_50ms/{end}.pcap"))["operations"][0]
            share = {wait["cause"]: wait["share"] for wait in slow["waits"]}
            tap.check(f"a statement waits for the way, as seen from the {end}", None if slow["count"] == 80 and share.get("wire", 0) > 0.9 else f"{slow}")
        pair = [top / f"pcaps/{name}/client.pcap" for name in ("nginx_nagle_delack", "nginx_nodelay")]
        for files in (pair, [pair[0], pair[0]], [pair[0], top / "pcaps/refused_port/client.pcap"]):
            compared = strict(run(tool, "diff", "--json", *files))
            tap.check(f"{files[0].parent.name} and {files[1].parent.name} compared are described by the schema",
                      schema.problem(compared, DOCUMENTS["diff"]))
        for path, problems in zip(captures, pool.map(lambda p: hold(tool, schema, *p), enumerate(captures))):
            tap.check(f"documents of {path.parent.name} from the {path.stem} are described by the schema", problems)


if __name__ == "__main__":
    main()
