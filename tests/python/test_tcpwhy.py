# SPDX-License-Identifier: MIT
"""The Python package against what the command and the headers say. Run by run.py beside it, which sets the environment."""
import ast
import concurrent.futures
import dataclasses
import gc
import ipaddress
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import pytest

import tcpwhy
from tcpwhy import _cdef, _library, _model

TOP = pathlib.Path(os.environ["TCPWHY_TOP"])
NAGLE = TOP / "pcaps/nginx_nagle_delack/client.pcap"
STREAM = 2
# A SYN of 10.0.0.1:1 to 10.0.0.2:80, without a link header.
RAW_SYN = bytes.fromhex("45000028 00000000 40060000 0a000001 0a000002 00010050 00000001 00000000 50020400 00000000")


@pytest.fixture(name="report", scope="module")
def of_nagle():
    return tcpwhy.analyze(NAGLE)


# What cffi was told is what the compiler says.


def test_the_structs_are_as_large_as_the_compiler_makes_them(tmp_path):
    if not shutil.which("cc"):
        pytest.skip("no cc here")
    ffi = _library.ffi
    structs = {n: ffi.typeof(f"struct {n}") for n in ffi.list_types()[1]}
    structs = {n: s for n, s in structs.items() if s.fields is not None}
    lines = [f'printf("{n} %zu\\n", sizeof(struct {n}));' for n in structs]
    lines += [f'printf("{n}.{f} %zu\\n", offsetof(struct {n}, {f}));' for n, s in structs.items() for f, _ in s.fields]
    source = "#include <stdio.h>\n#include <tcpwhy/tcpwhy.h>\nint main(void) { " + "\n".join(lines) + " }\n"
    (tmp_path / "sizes.c").write_text(source)
    subprocess.run(["cc", "-std=c11", "-I", TOP / "include", "-o", tmp_path / "sizes", tmp_path / "sizes.c"], check=True)
    said = subprocess.run([tmp_path / "sizes"], text=True, capture_output=True, check=True).stdout
    wanted = {n: ffi.sizeof(s) for n, s in structs.items()}
    wanted |= {f"{n}.{f}": m.offset for n, s in structs.items() for f, m in s.fields}
    assert dict((w, int(n)) for w, n in (line.split() for line in said.splitlines())) == wanted


@pytest.mark.parametrize("have, other, member", [
    ("uint32_t first_frame;", "uint64_t first_frame;", "first_frame"),  # larger
    ("tcpwhy_ns start_ns;", "int moved; tcpwhy_ns start_ns;", "moved"),  # not there, and the rest elsewhere
])
def test_a_library_with_another_layout_is_refused(have, other, member):
    pretend = ("import importlib.util, sys\n"
               "spec = importlib.util.spec_from_file_location('tcpwhy._cdef', sys.argv[1])\n"
               "cdef = importlib.util.module_from_spec(spec)\n"
               "spec.loader.exec_module(cdef)\n"
               "assert sys.argv[2] in cdef.CDEF\n"
               "cdef.CDEF = cdef.CDEF.replace(sys.argv[2], sys.argv[3], 1)\n"
               "sys.modules['tcpwhy._cdef'] = cdef\n"
               "import tcpwhy\n")
    done = subprocess.run([sys.executable, "-c", pretend, _cdef.__file__, have, other], text=True, capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(TOP / "python")})
    assert f"(member {member}): install the package and the library of one version" in done.stderr


def test_objects_have_each_member_of_their_struct():
    for name, cls in _model.STRUCTS.items():
        members = {m for m, _ in _library.ffi.typeof(f"struct {name}").fields}
        counts = {c for m in members for c in [_model.count_name(m, members)] if c}
        # Segment's labels of Wireshark and a stream's weighings are not offered.
        kept = members - counts - {"wireshark", "weighings"}
        assert {_model.RENAMED.get(f.name, f.name) for f in dataclasses.fields(cls)} == kept, name


def test_the_soname_is_the_librarys():
    said = subprocess.run(["readelf", "-d", os.environ["TCPWHY_LIBRARY"]], text=True, capture_output=True, check=True).stdout
    assert f"[{_library.SONAME}]" in said


def test_the_package_has_the_version_of_the_library():
    assert re.search(r'^version = "(.*)"', (TOP / "python/pyproject.toml").read_text(), re.M)[1] == tcpwhy.version()


def test_pip_installs_the_package(tmp_path):
    pytest.importorskip("pip")
    shutil.copytree(TOP / "python", tmp_path / "source", ignore=shutil.ignore_patterns("__pycache__"))
    environment = dict(os.environ, PYTHONPATH="", LD_PRELOAD="")
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-deps", "--disable-pip-version-check", "--target", tmp_path / "site",
                           tmp_path / "source"], env=environment, text=True, capture_output=True, check=False)
    if "Could not find a version that satisfies the requirement setuptools" in done.stderr:
        pytest.skip("pip cannot reach an index for its build tools")
    assert done.returncode == 0, done.stdout + done.stderr
    files = {p.name for p in (TOP / "python/tcpwhy").iterdir() if p.is_file()}
    assert {p.name for p in (tmp_path / "site/tcpwhy").iterdir() if p.is_file()} == files
    code = "import tcpwhy; print(tcpwhy.version(), tcpwhy.__file__)"
    used = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, PYTHONPATH=str(tmp_path / "site")), text=True,
                          capture_output=True, check=True)
    assert used.stdout.split() == [tcpwhy.version(), str(tmp_path / "site/tcpwhy/__init__.py")]


def test_the_c_library_is_private():
    assert not {"ffi", "lib"} & set(vars(tcpwhy))


def test_a_library_beside_the_modules_is_taken(tmp_path):
    shutil.copytree(TOP / "python/tcpwhy", tmp_path / "tcpwhy", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tcpwhy" / _library.SONAME).symlink_to(os.environ["TCPWHY_LIBRARY"])
    environment = {k: v for k, v in os.environ.items() if k != "TCPWHY_LIBRARY"}
    for library, taken in ((None, str(tmp_path / "tcpwhy" / _library.SONAME)), ("/named", "/named")):
        named = {"TCPWHY_LIBRARY": library} if library else {}
        done = subprocess.run([sys.executable, "-c", "import tcpwhy; print(tcpwhy._library._name())"], capture_output=True, text=True, check=False,
                              env={**environment, **named, "PYTHONPATH": str(tmp_path)})
        assert taken in (done.stderr if library else done.stdout.splitlines()), done


def test_an_example_lists_the_slowest_requests():
    done = subprocess.run([sys.executable, TOP / "examples/python/slow_requests.py", NAGLE, "3"], capture_output=True, text=True, check=False,
                          env=dict(os.environ, PYTHONPATH=str(TOP / "python")))
    first, *rows = done.stdout.splitlines()
    assert first.startswith("<tcpwhy report of ") and len(rows) == 3 and all("(nagle_delayed_ack)" in row for row in rows), done


def test_the_notebook_runs_and_shows_the_report():
    shown, names = [], {}
    os.environ["CAPTURE"] = str(NAGLE)
    for cell in json.loads((TOP / "examples/python/why.ipynb").read_text())["cells"]:
        if cell["cell_type"] == "code":
            # As a notebook does: the value of the last expression is shown.
            tree = ast.parse("".join(cell["source"]))
            last = ast.Expression(tree.body.pop().value)
            exec(compile(tree, "notebook", "exec"), names)
            shown.append(eval(compile(last, "notebook", "eval"), names))
        assert not cell.get("outputs")
    report, ledger, picture, _ = shown
    assert "nagle_delayed_ack" in report._repr_html_() and ("nagle_delayed_ack", "server") in [row[:2] for row in ledger]
    assert picture._repr_svg_().endswith("</svg>\n")


# A report says what the command's documents say.


def test_a_report_says_what_it_is(report):
    assert repr(report) == f"<tcpwhy report of {str(NAGLE)!r}: 21 connections, nagle_delayed_ack cost {report.verdict.cost_ns / 1e6:,.1f} ms>"
    assert repr(tcpwhy.analyze(TOP / "pcaps/healthy_lan/client.pcap")).endswith("nothing wrong>")
    assert "connect_refused" in repr(tcpwhy.analyze(TOP / "pcaps/refused_port/client.pcap"))


def test_a_notebook_shows_findings_with_their_remedies(report):
    shown = report._repr_html_()
    assert shown.count("<tr>") == 1 + len(report.findings) and "TCP_NODELAY" in shown
    assert "connect_refused" in tcpwhy.analyze(TOP / "pcaps/refused_port/client.pcap")._repr_html_()
    many = tcpwhy.analyze(TOP / "pcaps/connection_limit_64/client.pcap")
    assert len(many.failures) > 10 and many._repr_html_().count("<tr>") == 11 + len(many.findings)
    assert f"and {len(many.failures) - 10} more" in many._repr_html_()
    assert "<table>" not in tcpwhy.analyze(TOP / "pcaps/healthy_lan/client.pcap")._repr_html_()


def test_names_of_captures_are_no_html(tmp_path):
    hostile = tmp_path / "<img src=x>.pcap"
    shutil.copy(NAGLE, hostile)
    shown = tcpwhy.analyze(hostile)._repr_html_()
    assert "&lt;img" in shown and "<img" not in shown


def ms(ns):
    return None if ns is None else pytest.approx(ns / 1e6, abs=1e-6)


def test_findings_are_those_of_the_document(report):
    document = json.loads(report.json())
    assert len(report.findings) == len(document["findings"])
    for finding, said in zip(report.findings, document["findings"]):
        assert (finding.cause, finding.party, finding.confidence) == (said["cause"], said["party"], said["confidence"])
        assert ms(finding.cost_ns) == said["cost_ms"]
        assert str(finding.endpoint) == said["endpoint"]
        assert list(finding.frames) == said["frames"]
        assert finding.remedy == said["remedy"]
        assert {d.name for d in finding.details} == set(said["detail"])


def test_a_connections_ledger_adds_up_to_its_life(report):
    assert len(report.connections) == 21
    for connection in report.connections:
        assert sum(entry.ns for entry in connection.ledger) == connection.duration_ns
        assert sum(span.to_ns - span.from_ns for span in connection.spans) == connection.duration_ns


def test_connections_and_exchanges_are_those_of_the_document(report):
    for connection, said in zip(report.connections, json.loads(report.json("explain"))["streams"]):
        assert (connection.stream, str(connection.client), str(connection.server)) == (said["stream"], said["client"], said["server"])
        assert (connection.vantage, connection.verdict.cause) == (said["vantage"], said["verdict"]["cause"])
        assert sum(e.complete for e in connection.exchanges) == said["exchanges"]["count"]
        assert ms(connection.latency.p90_ns) == said["exchanges"]["p90_ms"]


def test_the_capture_and_its_verdict(report):
    assert (report.capture.frames, report.capture.tcp_frames) == (3529, 3526)
    assert report.capture.quality[0].fact == "short_snaplen"
    assert report.verdict.cause == "nagle_delayed_ack"
    assert report.verdict.endpoint == tcpwhy.Endpoint(ipaddress.ip_address("10.9.0.2"), 8080)
    assert (report.status.n[2], report.latency.count) == (700, 680)
    assert sum(i.frames for i in report.traffic.intervals) == 3529


def test_a_series_has_the_points_of_the_document(report):
    document = json.loads(report.graph("inflight", STREAM, format="json"))
    series = report.series("inflight", STREAM)
    assert [c.name for c in series.curves] == [c["curve"] for c in document["curves"]]
    for curve, said in zip(series.curves, document["curves"]):
        assert [(ms(p.time_ns), p.low, p.frame or None) for p in curve.points] == [tuple(p) for p in said["points"]]


def test_a_flow_graph_has_the_rows_of_the_document(report):
    said = next(f for f in json.loads(report.json("flow"))["flows"] if f["stream"] == STREAM)
    flow = report.flow(STREAM)
    assert (flow.shows, [r.kind for r in flow.rows]) == (said["shows"], [r["row"] for r in said["rows"]])
    assert [r.cause for r in flow.rows if r.kind == "gap"] == [r["cause"] for r in said["rows"] if r["row"] == "gap"]
    assert flow.rows[0].asks.request == "GET /"


def test_documents_and_pictures_are_rendered(report):
    assert "Nagle + delayed ACK" in report.text(columns=100)
    assert all(ord(c) < 128 for c in report.text("streams", ascii=True))
    assert report.svg().startswith("<?xml") and report.graph("sequence", STREAM).startswith("<?xml")
    assert report.graph("rtt", STREAM, format="csv").splitlines()[0].count(",") > 2
    assert report.html().startswith("<!doctype html>") or report.html().startswith("<!DOCTYPE html>")


def test_causes_are_explained():
    causes = tcpwhy.causes()
    assert len(causes) == 34 and "TCP_NODELAY" in causes["nagle_delayed_ack"].mend


def test_waits_are_kept_when_asked_for():
    finding = tcpwhy.analyze(NAGLE, keep_waits=5).findings[0]
    assert len(finding.waits) == 5 and finding.waits[0].ns >= finding.waits[4].ns
    assert all(f > 0 for wait in finding.waits for f in wait.frames)


# Ways in.


def test_bytes_say_the_same_as_their_file(report):
    other = tcpwhy.analyze(NAGLE.read_bytes())
    assert other.verdict == report.verdict
    assert list(other.findings) == list(report.findings)


def packets():
    data = NAGLE.read_bytes()
    at, per_second = 24, {0xA1B23C4D: 1, 0xA1B2C3D4: 1000}[struct.unpack_from("<I", data)[0]]
    while at < len(data):
        seconds, fraction, captured, original = struct.unpack_from("<IIII", data, at)
        yield data[at + 16:at + 16 + captured], seconds * 10**9 + fraction * per_second, original
        at += 16 + captured


def test_packets_that_are_pushed_say_the_same_as_their_file(report):
    told = []
    with tcpwhy.Session(on_finding=told.append) as session:
        for i, (packet, time_ns, original) in enumerate(packets()):
            session.push(packet, time_ns, original_length=original)
            if i == 2000:
                assert session.snapshot().capture.frames == 2001
        pushed = session.finish()
    assert pushed.verdict == report.verdict
    assert list(pushed.connections) == list(report.connections)
    assert len(told) >= 20 and all(f.streams == 1 for f in told)


def test_what_callbacks_are_given_may_be_kept():
    connections = []
    report = tcpwhy.analyze(NAGLE, on_connection=connections.append)
    connections.sort(key=lambda c: c.stream)
    assert connections == list(report.connections)
    assert len(connections[2].spans) > 100


def test_each_frame_is_shown_to_a_callback():
    segments = []
    tcpwhy.analyze(NAGLE, streams="2", on_segment=segments.append)
    assert {s.stream for s in segments} == {2}
    assert [s.frame_class for s in segments[:4]] == ["syn", "syn_ack", "ack", "data"]
    assert segments[3].sender == "client" and segments[3].len == 39


def test_streams_and_filters_are_selected():
    assert [c.stream for c in tcpwhy.analyze(NAGLE, streams="0,4-6").connections] == [0, 4, 5, 6]
    assert len(tcpwhy.analyze(NAGLE, filter="port 60420").connections) == 1
    assert not tcpwhy.analyze(NAGLE, keep_exchanges=False, keep_spans=False).connections[2].spans


def test_values_of_statements_are_shown_on_request():
    capture = TOP / "pcaps/round_trips_psql_50ms/client.pcap"
    hidden, shown = ([e.request for e in tcpwhy.analyze(capture, show_values=show).connections[0].exchanges] for show in (False, True))
    assert len(hidden) == len(shown)
    assert sum("oid=?" in text for text in hidden) == 80
    assert not any("oid=?" in text for text in shown)


# Ways out.


def test_errors_are_exceptions_that_say_what_is_wrong(tmp_path):
    with pytest.raises(tcpwhy.OpenError, match="none.pcap: "):
        tcpwhy.analyze(tmp_path / "none.pcap")
    (tmp_path / "text.pcap").write_text("this is no capture")
    with pytest.raises(tcpwhy.FormatError, match="text.pcap"):
        tcpwhy.analyze(tmp_path / "text.pcap")
    with pytest.raises(tcpwhy.FilterError):
        tcpwhy.analyze(NAGLE, filter="port port")
    with pytest.raises(tcpwhy.ArgumentError, match="4-3"):
        tcpwhy.analyze(NAGLE, streams="4-3")
    assert issubclass(tcpwhy.OpenError, OSError) and issubclass(tcpwhy.FormatError, ValueError)


def test_words_that_are_none_are_told(report):
    for ask in (lambda: report.table("nothing"), lambda: report.text("nothing"), lambda: report.series("nothing", STREAM)):
        with pytest.raises(tcpwhy.ArgumentError, match="'nothing' is none of: "):
            ask()
    with pytest.raises(tcpwhy.ArgumentError, match="none of: sequence, inflight, window, throughput, rtt, cwnd$"):
        report.series("nothing", STREAM)
    with pytest.raises(tcpwhy.ArgumentError, match="stream 99"):
        report.series("rtt", 99)
    with pytest.raises(KeyError):
        report.connection(99)


def test_a_callback_stops_the_analysis():
    with pytest.raises(tcpwhy.Stopped):
        tcpwhy.analyze(NAGLE, on_segment=lambda segment: segment.frame < 100)


def test_what_a_callback_raises_comes_out():
    def fail(_):
        raise LookupError("mine")

    for callback in ("on_connection", "on_finding", "on_segment"):
        with pytest.raises(LookupError, match="mine"):
            tcpwhy.analyze(NAGLE, **{callback: fail})
    with pytest.raises(LookupError, match="mine"):
        tcpwhy.analyze(NAGLE, on_progress=lambda done, total: fail(done))


def test_a_wait_is_told_while_its_connection_is_open():
    incidents = []
    with tcpwhy.Session(on_incident=incidents.append) as session:
        for packet, time_ns, original in packets():
            session.push(packet, time_ns, original_length=original)
        told = list(incidents)
        state = session.connection(told[0].server, told[0].client)
        assert [c.stream for c in state.connections] == [told[0].stream]
    assert len(told) > 500 and {i.cause for i in told} == {"nagle_delayed_ack"}
    assert all(i.cost_ns >= 40_000_000 and i.first_frame < i.last_frame for i in told)


def test_segments_that_were_parsed_elsewhere_are_explained(report):
    segments = []
    tcpwhy.analyze(NAGLE, streams="2", on_segment=segments.append)
    with tcpwhy.Session() as session:
        for s in segments:
            session.push_parsed(s.time_ns, s.source, s.destination, seq=s.seq, ack=s.ack, flags=s.flags, window=s.window_raw, length=s.len,
                                wscale=None if s.wscale < 0 else s.wscale, mss=s.mss, sack_permitted=s.sack_permitted, timestamps=s.timestamps,
                                tsval=s.tsval, tsecr=s.tsecr, ttl=s.ttl, ip_id=s.ip_id)
        parsed = session.finish()
    assert parsed.verdict.cause == "nagle_delayed_ack"
    assert parsed.verdict.cost_ns == report.connection(2).verdict.cost_ns
    with pytest.raises(tcpwhy.ArgumentError), tcpwhy.Session() as session:
        session.connection(("10.9.0.1", 1), ("10.9.0.2", 2))


def test_a_closed_session_says_so():
    session = tcpwhy.Session()
    session.push(b"no frame", 0)
    session.close()
    session.close()
    with pytest.raises(tcpwhy.ArgumentError, match="closed"):
        session.push(b"", 0)


def test_a_session_is_not_used_from_within_its_callback():
    used = []

    def use(_segment):
        for call in (session.snapshot, session.finish, session.close, lambda: session.push(b"", 0)):
            with pytest.raises(tcpwhy.UsageError, match="from within a callback"):
                call()
            used.append(call)

    session = tcpwhy.Session(link_type=101, on_segment=use)
    session.push(RAW_SYN, 0)
    assert len(used) == 4
    assert session.finish().capture.frames == 1


def test_views_keep_their_report_alive():
    findings = tcpwhy.analyze(NAGLE).findings
    exchanges = tcpwhy.analyze(NAGLE).connections[2].exchanges
    spans = tcpwhy.analyze(NAGLE).connection(3).spans[-3:]
    points = tcpwhy.analyze(NAGLE).series("rtt", STREAM).curves[0].points
    gc.collect()
    assert findings[0].summary.startswith("Nagle") and exchanges[-1].status == 200
    assert spans[2].to_ns > 0 and points[len(points) - 1].low > 0
    with pytest.raises(IndexError):
        exchanges[len(exchanges)]


def test_several_threads_analyse_at_once(report):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for other in pool.map(lambda _: tcpwhy.analyze(NAGLE, threads=1), range(24)):
            assert other.verdict == report.verdict


# Tables.


def test_a_table_that_nobody_reads_is_released(report):
    for _ in range(100):
        capsule = report.table("findings").__arrow_c_stream__()
        assert "arrow_array_stream" in repr(capsule)
    del capsule
    gc.collect()


def test_a_table_outlives_its_report_and_the_interpreter():
    code = (f"import tcpwhy; t = tcpwhy.analyze({str(NAGLE)!r}).table('ledger'); c = t.__arrow_c_stream__(); t = None; "
            "import builtins; builtins.kept = c")
    environment = dict(os.environ, PYTHONPATH=str(TOP / "python"), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_pyarrow_batch_says_what_to_install(tmp_path):
    code = (f"import sys; sys.modules['pyarrow'] = None; from tcpwhy.__main__ import main; "
            f"sys.exit(main(['batch', {str(NAGLE)!r}, '-o', {str(tmp_path / 'a.parquet')!r}]))")
    environment = dict(os.environ, PYTHONPATH=str(TOP / "python"), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, check=False)
    assert done.returncode == 1 and "pip install pyarrow" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_tables_are_read_by_pyarrow(report):
    pa = pytest.importorskip("pyarrow")
    for name in ("captures", "connections", "exchanges", "findings", "ledger", "failures"):
        table = pa.table(tcpwhy.analyze(NAGLE).table(name))
        table.validate(full=True)
    findings = pa.table(report.table("findings")).select(["cause", "remedy"]).to_pylist()
    assert [(f["cause"], f["remedy"]) for f in findings] == [(f.cause, f.remedy) for f in report.findings]
    assert pa.table(report.table("exchanges")).num_rows == 700
    assert pa.table(report.table("connections", batch_rows=5)).column(0).num_chunks == 5
    assert pa.table(report.table("captures", path="/a/b.pcap"))["path"].to_pylist() == ["/a/b.pcap"]
