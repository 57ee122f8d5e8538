# SPDX-License-Identifier: MIT
"""Captures in, reports out: a file, its bytes, or packet by packet."""
from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from ._library import ArgumentError, check, error_buffer, ffi, lib, text_of
from ._model import Connection, Endpoint, Finding, Incident, Segment, read
from ._report import Report

Bytes = bytes | bytearray | memoryview

# What a callback of the library is, and what is called with what it was given. None goes on; False stops.
OnConnection = Callable[[Connection], bool | None]
OnFinding = Callable[[Finding], bool | None]
OnSegment = Callable[[Segment], bool | None]
OnProgress = Callable[[int, int], bool | None]
OnIncident = Callable[[Incident], bool | None]


@dataclass
class _Options:
    """The options of one analysis as the library takes them, and the callbacks behind them."""

    filter: str | None = None
    streams: str | None = None
    keep_exchanges: bool = True
    keep_spans: bool = True
    keep_waits: int = 0
    interval_ns: int = 0
    memory_bytes: int = 0
    threads: int = 0
    on_connection: OnConnection | None = None
    on_finding: OnFinding | None = None
    on_segment: OnSegment | None = None
    on_progress: OnProgress | None = None
    on_incident: OnIncident | None = None
    incident_ns: int = 0
    keys: str | None = None
    show_values: bool = False

    def __post_init__(self) -> None:
        self.raised: BaseException | None = None
        self.c = ffi.new("struct tcpwhy_options *")
        # Kept as long as the options: the library borrows them.
        self._texts = [ffi.new("char[]", t.encode()) if t is not None else ffi.NULL for t in (self.filter, self.streams, self.keys)]
        self.c.struct_size = ffi.sizeof("struct tcpwhy_options")
        self.c.filter, self.c.streams, self.c.keys = self._texts
        self.c.show_values = self.show_values
        self.c.keep_exchanges = self.keep_exchanges
        self.c.keep_spans = self.keep_spans
        self.c.keep_waits = self.keep_waits
        self.c.interval_ns = self.interval_ns
        self.c.memory_bytes = self.memory_bytes
        self.c.threads = self.threads
        self.c.incident_ns = self.incident_ns
        self._told = self.c.callbacks = ffi.new("struct tcpwhy_callbacks *")
        self._told.struct_size = ffi.sizeof("struct tcpwhy_callbacks")
        self._told.in_batches = self.threads > 1
        self._callbacks = [
            self._view("on_stream", "tcpwhy_stream_fn", self.on_connection),
            self._view("on_finding", "tcpwhy_finding_fn", self.on_finding),
            self._view("on_segment", "tcpwhy_segment_fn", self.on_segment),
            self._view("on_incident", "tcpwhy_incident_fn", self.on_incident),
            # Always there: Ctrl-C comes through while the library reads.
            self._set("on_progress", "tcpwhy_progress_fn", lambda user, done, total: self._call(self.on_progress, done, total)),
        ]

    def _call(self, function: Callable[..., bool | None] | None, *arguments: Any) -> bool:
        """Whether to go on. An exception stops the analysis, which raises it."""
        if self.raised:
            return False
        try:
            return function is None or function(*arguments) is not False
        except BaseException as error:
            self.raised = error
            return False

    def _set(self, member: str, kind: str, function: Callable[..., bool]) -> Any:
        # Ctrl-C may strike between our lines; then, too, the analysis stops.
        def remember(_kind: object, error: BaseException, _trace: object) -> None:
            self.raised = self.raised or error

        callback = ffi.callback(kind, function, error=False, onerror=remember)
        setattr(self._told, member, callback)
        return callback

    def _view(self, member: str, kind: str, function: Callable[[Any], bool | None] | None) -> Any:
        if function is None:
            return None
        wanted = function
        return self._set(member, kind, lambda user, view: self._call(lambda: wanted(read(view[0], None))))

    def check(self, status: int, error: Any = None) -> None:
        """Raise what a callback raised, or what the status says."""
        if self.raised:
            raise self.raised
        check(status, text_of(error) if error is not None else "stopped by a callback" if status == -6 else "")


def analyze(
    capture: str | os.PathLike[str] | Bytes | list[str],
    *,
    filter: str | None = None,
    streams: str | None = None,
    keep_exchanges: bool = True,
    keep_spans: bool = True,
    keep_waits: int = 0,
    interval_ns: int = 0,
    memory_bytes: int = 0,
    threads: int = 0,
    on_connection: OnConnection | None = None,
    on_finding: OnFinding | None = None,
    on_segment: OnSegment | None = None,
    on_progress: OnProgress | None = None,
    keys: str | None = None,
    show_values: bool = False,
) -> Report:
    """Read a capture to its end and explain every TCP connection in it.

    capture: a path (pcap or pcapng, plain or compressed; "-" is standard input), a capture file's bytes, or a list of paths:
    a capture that was rotated, read as one.
    filter: a BPF expression. streams: which to report, "3" or "0,4-7".
    keep_exchanges, keep_spans: off, a report takes less memory; series and flow graphs need the spans.
    keep_waits: so many of the longest waits of each finding.
    interval_ns: of traffic over time; 0: a second. memory_bytes: the analysis needs about so much; 0: 2 GiB.
    threads: 0: as many as processors, but one with on_connection or on_finding. Several when asked for: then these are
    called in batches, in the same order.
    on_connection, on_finding: called as connections end. on_segment: with each TCP frame.
    on_progress: with the bytes that were read, and of how many (0: not known).
    keys: secrets of TLS connections, the text of a key log (SSLKEYLOGFILE); requests inside are told then.
    show_values: requests show values, too: those in statements of SQL, keys, topics.

    A callback that returns False stops the analysis, which raises Stopped; what a callback raises, this raises. Several
    threads may analyse at once: the interpreter's lock is not held meanwhile.
    """
    options = _Options(filter, streams, keep_exchanges, keep_spans, keep_waits, interval_ns, memory_bytes, threads,
                       on_connection, on_finding, on_segment, on_progress, keys=keys, show_values=show_values)
    out, error = ffi.new("tcpwhy_report **"), error_buffer()
    if isinstance(capture, (bytes, bytearray, memoryview)):
        buffer = ffi.from_buffer("uint8_t[]", capture)
        status = lib.tcpwhy_analyze_memory(buffer, len(buffer), options.c, out, error, len(error))
    elif isinstance(capture, list):
        paths = [ffi.new("char[]", os.fsencode(path)) for path in capture]
        status = lib.tcpwhy_analyze_files(ffi.new("char *[]", paths), len(paths), options.c, out, error, len(error))
    else:
        status = lib.tcpwhy_analyze_file(os.fsencode(capture), options.c, out, error, len(error))
    options.check(status, error)
    return Report(out[0])


def _fill_endpoint(c: Any, end: tuple[str, int] | Endpoint) -> None:
    address = end.address if isinstance(end, Endpoint) else ipaddress.ip_address(end[0])
    c.address[0:len(address.packed)] = list(address.packed)
    c.version = address.version
    c.port = end.port if isinstance(end, Endpoint) else end[1]


class Session:
    """An analysis that is fed packet by packet, by one thread at a time. End it with finish() or close(), or use it in a
    `with`, which closes it."""

    def __init__(
        self,
        link_type: int = 1,
        *,
        streams: str | None = None,
        keep_exchanges: bool = True,
        keep_spans: bool = True,
        keep_waits: int = 0,
        interval_ns: int = 0,
        memory_bytes: int = 0,
        threads: int = 0,
        on_connection: OnConnection | None = None,
        on_finding: OnFinding | None = None,
        on_segment: OnSegment | None = None,
        on_incident: OnIncident | None = None,
        incident_ns: int = 0,
        keys: str | None = None,
        show_values: bool = False,
    ) -> None:
        """link_type: a LINKTYPE_ value, of packets that do not say; 1 is Ethernet. on_incident: with each wait of an open
        connection of incident_ns and more (0: 40 ms), once it is over. The rest as for analyze()."""
        self.link_type = link_type
        self._options = _Options(None, streams, keep_exchanges, keep_spans, keep_waits, interval_ns, memory_bytes, threads,
                                 on_connection, on_finding, on_segment, None, on_incident, incident_ns, keys, show_values)
        out, error = ffi.new("tcpwhy_session **"), error_buffer()
        self._options.check(lib.tcpwhy_session_new(self._options.c, out, error, len(error)), error)
        self._session: Any = ffi.gc(out[0], lib.tcpwhy_session_free)

    def _alive(self) -> Any:
        if self._session is None:
            raise ArgumentError("the session is closed")
        return self._session

    def push(self, packet: Bytes, time_ns: int, *, original_length: int | None = None, link_type: int | None = None) -> None:
        """Feed the next packet: its bytes, its time since the epoch in nanoseconds, and how long it was on the wire. A bad
        packet is a fact in the report, never an error."""
        buffer = ffi.from_buffer("uint8_t[]", packet)
        c = ffi.new("struct tcpwhy_packet *")
        c.struct_size = ffi.sizeof("struct tcpwhy_packet")
        c.link_type = self.link_type if link_type is None else link_type
        c.time_ns = time_ns
        c.captured_len = len(buffer)
        c.original_len = len(buffer) if original_length is None else original_length
        c.bytes = buffer
        self._options.check(lib.tcpwhy_session_push(self._alive(), c))

    def push_parsed(self, time_ns: int, source: tuple[str, int] | Endpoint, destination: tuple[str, int] | Endpoint, *, seq: int, ack: int = 0,
                    flags: int, window: int, length: int = 0, payload: Bytes = b"", wscale: int | None = None,
                    sack: Sequence[tuple[int, int]] = (), **fields: Any) -> None:
        """Feed the next segment by the fields of its headers: from a program that parsed it. length: payload on the wire.
        fields: others of struct tcpwhy_parsed, as mss, sack_permitted, timestamps, tsval, tsecr, ttl, options_unknown."""
        buffer = ffi.from_buffer("uint8_t[]", payload)
        c = ffi.new("struct tcpwhy_parsed *", {"struct_size": ffi.sizeof("struct tcpwhy_parsed"), "time_ns": time_ns, "seq": seq, "ack": ack,
                                               "flags": flags, "window": window, "len": length or len(buffer), **fields})
        _fill_endpoint(c.source, source)
        _fill_endpoint(c.destination, destination)
        if wscale is not None:
            c.has_wscale, c.wscale = True, wscale
        c.n_sack = len(sack)
        for i, ends in enumerate(sack[:4]):
            c.sack[i] = ends
        if len(buffer) > 0:
            c.payload, c.payload_len = buffer, len(buffer)
        self._options.check(lib.tcpwhy_session_push_parsed(self._alive(), c))

    def connection(self, end: tuple[str, int] | Endpoint, other_end: tuple[str, int] | Endpoint) -> Report:
        """The report of one open connection as it stands, by its two ends in any order."""
        ends = ffi.new("struct tcpwhy_endpoint[2]")
        _fill_endpoint(ends[0], end)
        _fill_endpoint(ends[1], other_end)
        out = ffi.new("tcpwhy_report **")
        self._options.check(lib.tcpwhy_session_connection(self._alive(), ends, ends + 1, out))
        return Report(out[0])

    def snapshot(self) -> Report:
        """The report so far; the session goes on."""
        out = ffi.new("tcpwhy_report **")
        self._options.check(lib.tcpwhy_session_snapshot(self._alive(), out))
        return Report(out[0])

    def finish(self) -> Report:
        """End the analysis: explain what is still open."""
        out = ffi.new("tcpwhy_report **")
        status = lib.tcpwhy_session_finish(self._alive(), out)
        if status != lib.TCPWHY_ERR_USAGE:
            self._forget()  # the library released it
        self._options.check(status)
        return Report(out[0])

    def _forget(self) -> None:
        ffi.gc(self._session, None)
        self._session = None

    def close(self) -> None:
        """End the analysis without a report. A session may be closed twice."""
        if self._session is not None:
            check(lib.tcpwhy_session_free(self._session))
            self._forget()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
