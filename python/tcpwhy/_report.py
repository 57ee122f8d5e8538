# SPDX-License-Identifier: MIT
"""A report: what was found, as objects, documents, pictures and tables."""
from __future__ import annotations

import functools
import html
from collections.abc import Callable, Sequence
from typing import Any

from ._arrow import Table
from ._library import ArgumentError, check, ffi, lib, number
from ._model import (
    Capture,
    Connection,
    Fact,
    Failure,
    Finding,
    Flow,
    Listener,
    Percentiles,
    Ports,
    Series,
    StatusClasses,
    Traffic,
    Verdict,
    View,
    read,
)


# In a notebook, of failures and of findings each: a screen.
_NOTEBOOK_ROWS = 10


def _sized(struct: str, **members: Any) -> Any:
    """A struct of options that begins with its size."""
    c = ffi.new(f"struct {struct} *")
    c.struct_size = ffi.sizeof(f"struct {struct}")
    for name, value in members.items():
        setattr(c, name, value)
    return c


def _rendered(report: Any, document: str, form: str, **members: Any) -> str:
    """What tcpwhy_render() writes of a report; members: of its options."""
    pieces: list[bytes] = []

    def write(_user: object, text: Any, n: int) -> bool:
        pieces.append(bytes(ffi.buffer(text, n)))
        return True

    check(lib.tcpwhy_render(report, number("enum tcpwhy_document", document), number("enum tcpwhy_format", form),
                            _sized("tcpwhy_render_options", **members), ffi.callback("tcpwhy_write_fn", write, error=False), ffi.NULL))
    return b"".join(pieces).decode()


def _flow_options(from_ns: int, to_ns: int, first_frame: int, last_frame: int, whole: bool, unfold: bool, max_rows: int) -> Any:
    return _sized("tcpwhy_flow_options", from_ns=from_ns, to_ns=to_ns, first_frame=first_frame, last_frame=last_frame,
                  whole=whole, unfold=unfold, max_rows=max_rows)


class Report:
    """What an analysis found. Everything that it gives may be kept longer than the report itself.

    A report may be read from several threads at once.
    """

    def __init__(self, pointer: Any) -> None:
        """Made by analyze() and Session; pointer is released with the report."""
        self._c = ffi.gc(pointer, lib.tcpwhy_report_free)

    def __repr__(self) -> str:
        v = self.verdict
        what = [f"{v.cause} cost {v.cost_ns / 1e6:,.1f} ms"] if v.cause != "none" else []
        what += [f"{v.failure} ({v.failures} connections)"] if v.failure != "none" else []
        return f"<tcpwhy report of {self.capture.file!r}: {self.capture.streams} connections, {' and '.join(what) or 'nothing wrong'}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: what failed, the findings, and what to change."""
        failures, findings = self.failures[:_NOTEBOOK_ROWS], self.findings[:_NOTEBOOK_ROWS]
        rows = [(f.kind, f.who, "", f.summary, f.remedy) for f in failures]
        rows += [(f.cause, f.party, f"{f.cost_ns / 1e6:,.1f} ms, {f.confidence}", f.summary, f.remedy) for f in findings]
        left = len(self.failures) + len(self.findings) - len(rows)
        names = "".join(f"<th>{name}</th>" for name in ("what", "whose", "cost", "why", "fix"))
        cells = ("".join(f'<td style="text-align: left">{html.escape(text)}</td>' for text in row) for row in rows)
        table = f"<table><tr>{names}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
        return f"<p><b>{html.escape(repr(self)[1:-1])}</b></p>{table if rows else ''}{f'<p>and {left} more</p>' if left else ''}"

    def _one(self, get: Callable[[Any], Any]) -> Any:
        return read(get(self._c)[0], self._c)

    def _many(self, name: str) -> View[Any]:
        get, count = getattr(lib, f"tcpwhy_report_{name}"), getattr(lib, f"tcpwhy_report_{name}_count")
        c = self._c
        return View(c, lambda i: get(c, i), count(c))

    @functools.cached_property
    def capture(self) -> Capture:
        """The capture as it was read."""
        capture: Capture = self._one(lib.tcpwhy_report_capture)
        return capture

    @functools.cached_property
    def verdict(self) -> Verdict:
        """The worst cause of the whole capture."""
        verdict: Verdict = self._one(lib.tcpwhy_report_verdict)
        return verdict

    @functools.cached_property
    def findings(self) -> Sequence[Finding]:
        """What is wrong, costliest first."""
        return self._many("finding")

    @functools.cached_property
    def failures(self) -> Sequence[Failure]:
        """What broke: the most frequent sort first, connections that were not opened last."""
        return self._many("failure")

    @functools.cached_property
    def connections(self) -> Sequence[Connection]:
        """In tshark's order; only those that were selected."""
        return self._many("stream")

    def connection(self, stream: int) -> Connection:
        """The connection that tshark numbers so. KeyError when there is none."""
        for connection in self.connections:
            if connection.stream == stream:
                return connection
        raise KeyError(stream)

    @functools.cached_property
    def listeners(self) -> Sequence[Listener]:
        """Server endpoints, those that lost most first."""
        return self._many("listener")

    @functools.cached_property
    def latency(self) -> Percentiles:
        """Of the exchanges of all connections."""
        latency: Percentiles = self._one(lib.tcpwhy_report_latency)
        return latency

    @functools.cached_property
    def status(self) -> StatusClasses:
        """Of the answers of all connections."""
        status: StatusClasses = self._one(lib.tcpwhy_report_status)
        return status

    @functools.cached_property
    def traffic(self) -> Traffic:
        """Over time."""
        traffic: Traffic = self._one(lib.tcpwhy_report_traffic)
        return traffic

    @functools.cached_property
    def ports(self) -> Sequence[Ports]:
        """Client hosts and listeners, those with the most ports in use first."""
        return self._many("ports")

    @functools.cached_property
    def facts(self) -> Sequence[Fact]:
        """What a reader should know beside the findings, most important first; mostly none."""
        return self._many("fact")

    def series(self, graph: str, stream: int, *, sender: str = "none", from_ns: int = 0, to_ns: int = 0, interval_ns: int = 0) -> Series:
        """The curves of a graph: "sequence", "inflight", "window", "throughput", "rtt" or "cwnd"; of the data of "client" or "server",
        or of whoever sent more. Needs keep_spans."""
        options = _sized("tcpwhy_graph_options", stream=stream, from_ns=from_ns, to_ns=to_ns, interval_ns=interval_ns)
        setattr(options, "from", number("enum tcpwhy_party", sender))
        out = ffi.new("struct tcpwhy_series **")
        status = lib.tcpwhy_series_new(self._c, number("enum tcpwhy_graph", graph), options, out)
        self._check_stream(status, stream)
        owner = ffi.gc(out[0], lib.tcpwhy_series_free)
        series: Series = read(owner[0], owner)
        return series

    def flow(self, stream: int, *, from_ns: int = 0, to_ns: int = 0, first_frame: int = 0, last_frame: int = 0,
             whole: bool = False, unfold: bool = False, max_rows: int = 0) -> Flow:
        """The rows of a connection's flow graph; without more, of what hurts most. Needs keep_spans."""
        options = _flow_options(from_ns, to_ns, first_frame, last_frame, whole, unfold, max_rows)
        out = ffi.new("struct tcpwhy_flow **")
        self._check_stream(lib.tcpwhy_flow_new(self._c, stream, options, out), stream)
        owner = ffi.gc(out[0], lib.tcpwhy_flow_free)
        flow: Flow = read(owner[0], None)  # copied: its exchanges stand in the report
        return flow

    def _check_stream(self, status: int, stream: int) -> None:
        check(status, f"there is no stream {stream} here, or it was analysed without keep_spans")

    def text(self, document: str = "diagnosis", *, columns: int = 80, color: bool = False, ascii: bool = False) -> str:
        """A document for a terminal: "diagnosis", "streams", "explain", "exchanges", "flow", "traffic", "ledger"."""
        return _rendered(self._c, document, "text", columns=columns, color=color, ascii=ascii)

    def json(self, document: str = "diagnosis") -> str:
        """A document for programs, schema "tcpwhy/1"."""
        return _rendered(self._c, document, "json")

    def html(self) -> str:
        """The whole report as one page that needs no other file."""
        return _rendered(self._c, "report", "html")

    def svg(self, *, from_ns: int = 0, to_ns: int = 0, first_frame: int = 0, last_frame: int = 0,
            whole: bool = False, unfold: bool = False, max_rows: int = 0) -> str:
        """The flow graphs of the connections (select them with analyze's streams) as one picture. Needs keep_spans."""
        options = _flow_options(from_ns, to_ns, first_frame, last_frame, whole, unfold, max_rows)
        return _rendered(self._c, "flow", "svg", flow_options=options)

    def graph(self, graph: str, stream: int, *, format: str = "svg", sender: str = "none", from_ns: int = 0, to_ns: int = 0,
              interval_ns: int = 0) -> str:
        """A graph over time as "svg", "csv", "json" or "xplot"; the rest as for series()."""
        options = _sized("tcpwhy_graph_options", stream=stream, from_ns=from_ns, to_ns=to_ns, interval_ns=interval_ns)
        setattr(options, "from", number("enum tcpwhy_party", sender))
        if stream not in (c.stream for c in self.connections):
            raise ArgumentError(f"there is no stream {stream} here")
        return _rendered(self._c, "graph", format, graph=number("enum tcpwhy_graph", graph), graph_options=options)

    def table(self, name: str, *, path: str | None = None, integer_times: bool = False, batch_rows: int = 0) -> Table:
        """A table of the report for Arrow: "captures", "connections", "exchanges", "findings",
        "ledger" or "failures".

        Give it to pyarrow.table(), polars.DataFrame(), or whatever else takes Arrow's stream interface; nothing is copied.
        path: whose capture_id the rows bear; None: the capture's own. integer_times: for readers without nanoseconds.
        """
        return Table(self._c, name, path, integer_times, batch_rows)
