# SPDX-License-Identifier: MIT
"""What a report holds, as Python objects. Their fields are those of the C structs of the same meaning, and are described in
the library's reference; `from` is called `sender` here. Times are integers in nanoseconds, None where nothing is known;
causes, parties and so on are words: "nagle_delayed_ack", "server"."""
from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar, overload

from ._library import UNKNOWN, ffi, text_of, word

T = TypeVar("T")


class View(Sequence[T], Generic[T]):
    """A sequence in the library's memory, which it keeps from being released; each item is made when it is asked for."""

    __slots__ = ("_owner", "_get", "_n")

    def __init__(self, owner: object, get: Callable[[int], Any], n: int) -> None:
        """get gives a pointer to the row at an index."""
        self._owner = owner
        self._get = get
        self._n = n

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._n))]
        if not -self._n <= index < self._n:
            raise IndexError(index)
        item: T = read(self._get(index % self._n), self._owner)
        return item

    def __iter__(self) -> Iterator[T]:
        return (self[i] for i in range(self._n))

    def __repr__(self) -> str:
        return repr(list(self)) if self._n <= 3 else f"[{self[0]!r}, ... {self._n} in all]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address with its port; port 0 is any."""

    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    port: int

    def __str__(self) -> str:
        if self.port == 0:
            return str(self.address)
        return f"[{self.address}]:{self.port}" if self.address.version == 6 else f"{self.address}:{self.port}"


@dataclass(frozen=True, slots=True)
class Quality:
    """Something to know of the capture before believing any verdict."""

    fact: str
    text: str
    count: int
    frames: Sequence[int]


@dataclass(frozen=True, slots=True)
class Part:
    """One of several files that were read as one capture; error: why it was not, or not to its end."""

    file: str
    error: str | None
    first_frame: int
    frames: int


@dataclass(frozen=True, slots=True)
class Capture:
    """The capture as it was read."""

    file: str
    comment: str
    frames: int
    tcp_frames: int
    bytes: int
    first_ns: int | None
    last_ns: int | None
    quality: Sequence[Quality]
    parts: Sequence[Part]
    streams: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The costliest material cause of a connection or a capture, "none": no time was lost; and what failed, "none": nothing."""

    cause: str
    party: str
    confidence: str
    rival: str
    endpoint: Endpoint | None
    cost_ns: int
    share: float
    streams: int
    failure: str
    failures: int


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """The time of one connection that one cause took. A connection's entries add up to its life."""

    cause: str
    party: str
    sender: str
    confidence: str
    rival: str
    ns: int
    count: int
    first_ns: int


@dataclass(frozen=True, slots=True)
class Span:
    """One interval of a connection's life and its cause."""

    from_ns: int
    to_ns: int
    cause: str
    party: str
    sender: str
    confidence: str
    rival: str
    first_frame: int
    last_frame: int


@dataclass(frozen=True, slots=True)
class Detail:
    """A number or a text of a finding; the unit is in the name."""

    name: str
    text: str | None
    number: float


@dataclass(frozen=True, slots=True)
class Wait:
    """One of the waits that a finding sums up."""

    stream: int
    ns: int
    frames: Sequence[int]


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause at one endpoint: what it cost, the frames that prove it, and what to change."""

    cause: str
    party: str
    confidence: str
    rival: str
    endpoint: Endpoint | None
    peer: Endpoint | None
    stream: int
    streams: int
    cost_ns: int
    count: int
    median_ns: int | None
    frames: Sequence[int]
    details: Sequence[Detail]
    summary: str
    remedy: str
    waits: Sequence[Wait]


@dataclass(frozen=True, slots=True)
class Clue:
    """One observation that speaks for what a failure says; name is a stable word."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that broke: what failed, who did it, how the user's program sees it, and what proves it."""

    kind: str
    failed: str
    seen_as: str
    who: str
    confidence: str
    stream: int
    client: Endpoint | None
    server: Endpoint | None
    time_ns: int
    after_ns: int | None
    frames: Sequence[int]
    clues: Sequence[Clue]
    summary: str
    remedy: str


@dataclass(frozen=True, slots=True)
class FailureInfo:
    """What is to be known of a failure without a capture."""

    kind: str
    name: str
    title: str
    what: str
    decided: str
    mend: str


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Latencies of exchanges, nearest rank."""

    count: int
    min_ns: int | None
    p50_ns: int | None
    p75_ns: int | None
    p90_ns: int | None
    p99_ns: int | None
    max_ns: int | None
    first_ns: int | None
    last_ns: int | None


@dataclass(frozen=True, slots=True)
class StatusClasses:
    """How many answers had a status of each class: n[2] is 2xx, n[0] other."""

    n: Sequence[int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with its response."""

    protocol: str
    request: str
    status: int
    complete: bool
    request_frame: int
    request_last_frame: int
    response_frame: int
    response_last_frame: int
    start_ns: int
    first_byte_ns: int | None
    total_ns: int | None
    request_bytes: int
    response_bytes: int
    detail: str
    http2_stream: int
    request_messages: int
    response_messages: int
    window_wait_ns: int
    of_session: bool
    request_ns: int | None


@dataclass(frozen=True, slots=True)
class Repairs:
    """Retransmissions of data by what caused them."""

    fast: int
    probes: int
    timeouts: int
    after_timeouts: int
    spurious: int


@dataclass(frozen=True, slots=True)
class Connection:
    """One connection; `stream` is its number in tshark."""

    stream: int
    client: Endpoint
    server: Endpoint
    roles_inferred: bool
    complete_start: bool
    complete_end: bool
    vantage: str
    vantage_confidence: str
    start_ns: int
    duration_ns: int
    first_frame: int
    last_frame: int
    frames: int
    bytes_to_server: int
    bytes_to_client: int
    retransmissions: int
    repairs: Repairs
    rtt_min_ns: int | None
    rtt_median_ns: int | None
    rtt_max_ns: int | None
    verdict: Verdict
    ledger: Sequence[LedgerEntry]
    latency: Percentiles
    status: StatusClasses
    exchanges: Sequence[Exchange]
    spans: Sequence[Span]
    way_ns: Sequence[int | None]
    facts: Sequence[Fact]
    isn: Sequence[int]
    server_name: str | None


@dataclass(frozen=True, slots=True)
class Interval:
    """One interval of traffic over time."""

    frames: int
    bytes: int
    payload_bytes: Sequence[int]
    retransmissions: int
    syns: int
    syn_repeats: int
    unanswered: int
    refused: int
    opened: int


@dataclass(frozen=True, slots=True)
class Traffic:
    """Intervals of one width, without holes."""

    interval_ns: int
    first_ns: int
    intervals: Sequence[Interval]


@dataclass(frozen=True, slots=True)
class Openings:
    """How connections to one listener were opened, and how they ended."""

    syns: int
    syn_repeats: int
    unanswered_syns: int
    unanswered_share: float
    waited: int
    opened: int
    half_open: int
    refused: int
    rejected: int
    unreachable: int
    accept_overflows: int
    answers_lost: int
    resets_by_client: int
    resets_by_server: int
    peak_opened_per_s: float
    peak_syns_per_s: float
    silence: str
    silence_confidence: str
    silence_rival: str


@dataclass(frozen=True, slots=True)
class Listener:
    """What one server endpoint saw over all of its connections."""

    endpoint: Endpoint
    connections: int
    unanswered: int
    refused: int
    resets: int
    latency: Percentiles
    status: StatusClasses
    ledger: Sequence[LedgerEntry]
    openings: Openings
    traffic: Traffic
    server_name: str | None


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports that one client host used towards one listener."""

    client: Endpoint
    listener: Endpoint
    connections: int
    ports: int
    in_use: int
    range: int
    lowest: int
    highest: int
    reused: int
    reuse_failed: int
    exhausted: bool
    used_up: bool
    full_stream: int
    full_from_ns: int | None
    full_ns: int
    asked_ns: int
    errors: int
    errors_while_full: int
    errors_median_ns: int | None
    time_wait_client: int
    time_wait_server: int


@dataclass(frozen=True, slots=True)
class Fact:
    """Something about the whole capture, or a connection, that a reader should know beside the findings."""

    fact: str
    text: str
    confidence: str
    endpoint: Endpoint | None
    count: int
    of: int
    frame: int


@dataclass(frozen=True, slots=True)
class Segment:
    """One TCP frame."""

    frame: int
    time_ns: int | None
    relative_ns: int
    stream: int
    sender: str
    source: Endpoint
    destination: Endpoint
    flags: int
    seq: int
    ack: int
    len: int
    window_bytes: int
    window_raw: int
    frame_class: str
    ip_id: int
    ttl: int
    wscale: int
    mss: int
    sack_permitted: bool
    timestamps: bool
    tsval: int
    tsecr: int
    sack: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Incident:
    """One wait of an open connection, told once a frame ended it."""

    stream: int
    client: Endpoint
    server: Endpoint
    sender: str
    time_ns: int
    start_ns: int
    cost_ns: int
    cause: str
    party: str
    confidence: str
    rival: str
    first_frame: int
    last_frame: int
    decided_by: int


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve."""

    time_ns: int
    low: int
    high: int
    frame: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve of a graph; mark: "step", "bar" or "dot". Its points are columns of one length."""

    name: str
    mark: str
    time_ns: Sequence[int]
    low: Sequence[int]
    high: Sequence[int]
    frames: Sequence[int]

    @property
    def points(self) -> Sequence[Point]:
        """The same as rows."""
        return [Point(*row) for row in zip(self.time_ns, self.low, self.high, self.frames)]


@dataclass(frozen=True, slots=True)
class Series:
    """The curves of one graph: bytes, but bits a second of throughput and nanoseconds of round trips."""

    graph: str
    stream: int
    sender: str
    from_ns: int
    to_ns: int
    interval_ns: int
    ceiling: int
    ceiling_cause: str
    curves: Sequence[Curve]


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One row of a flow graph; kind: "frame", "run", "gap" or "cut"."""

    kind: str
    sender: str
    first_frame: int
    last_frame: int
    from_ns: int
    to_ns: int
    frame_class: str
    flags: int
    seq: int
    ack: int
    window_bytes: int
    bytes: int
    frames: int
    acks: int
    nth: int
    cause: str
    party: str
    confidence: str
    rival: str
    asks: Exchange | None
    answers: Exchange | None
    duplicate_acks: int


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow graph of one connection; shows: "whole", "asked", "exchange" or "span"."""

    stream: int
    shows: str
    rows: Sequence[FlowRow]


@dataclass(frozen=True, slots=True)
class CauseInfo:
    """What is to be known of a cause without a capture."""

    cause: str
    name: str
    title: str
    what: str
    decided: str
    unlike: str
    confirm: str
    mend: str


# Each of these is read from the struct of that name.
STRUCTS: dict[str, type[Any]] = {
    "tcpwhy_quality": Quality,
    "tcpwhy_part": Part,
    "tcpwhy_capture": Capture,
    "tcpwhy_verdict": Verdict,
    "tcpwhy_ledger_entry": LedgerEntry,
    "tcpwhy_span": Span,
    "tcpwhy_detail": Detail,
    "tcpwhy_wait": Wait,
    "tcpwhy_finding": Finding,
    "tcpwhy_clue": Clue,
    "tcpwhy_failure": Failure,
    "tcpwhy_failure_info": FailureInfo,
    "tcpwhy_percentiles": Percentiles,
    "tcpwhy_status_classes": StatusClasses,
    "tcpwhy_exchange": Exchange,
    "tcpwhy_repairs": Repairs,
    "tcpwhy_stream": Connection,
    "tcpwhy_interval": Interval,
    "tcpwhy_traffic": Traffic,
    "tcpwhy_openings": Openings,
    "tcpwhy_listener": Listener,
    "tcpwhy_ports": Ports,
    "tcpwhy_fact": Fact,
    "tcpwhy_segment": Segment,
    "tcpwhy_incident": Incident,
    "tcpwhy_curve": Curve,
    "tcpwhy_series": Series,
    "tcpwhy_flow_row": FlowRow,
    "tcpwhy_flow": Flow,
    "tcpwhy_cause_info": CauseInfo,
}

# Names that Python keeps for itself.
RENAMED = {"sender": "from"}


def count_name(name: str, names: set[str]) -> str | None:
    """The member that says how many a pointer points to; of a curve's columns there is one for all."""
    return next((n for n in (f"n_{name}", "n_points") if n in names), None)


def _endpoint(c: Any) -> Endpoint | None:
    if c.version == 0:
        return None
    address = bytes(ffi.buffer(c.address))
    return Endpoint(ipaddress.ip_address(address[:4] if c.version == 4 else address), c.port)


def _several(c: Any, name: str, n: int, owner: object) -> Sequence[Any]:
    pointer = getattr(c, name)
    if n == 0:
        return ()
    if ffi.typeof(pointer).item.kind == "primitive":
        return tuple(ffi.unpack(pointer, n))
    if ffi.typeof(pointer).item.kind == "array":
        return tuple(tuple(pointer[i]) for i in range(n))
    # Without an owner the memory is gone after the callback.
    return View(owner, pointer.__getitem__, n) if owner is not None else tuple(read(pointer[i], None) for i in range(n))


def _member(c: Any, name: str, kind: Any, counts: set[str], owner: object) -> Any:
    value = getattr(c, name)
    if kind.kind == "primitive":
        return None if kind.cname == "int64_t" and value == UNKNOWN else value
    if kind.kind == "enum":
        return word(kind.cname, value)
    if kind.kind == "struct":
        return read(value, owner)
    if kind.kind == "pointer" and kind.item.cname == "char":
        return text_of(value) if value else None
    count = count_name(name, counts)
    if count:
        return _several(c, name, getattr(c, count), owner)
    if kind.kind == "array":
        return tuple(None if v == UNKNOWN else v for v in value)
    return read(value[0], owner) if value else None


def read(c: Any, owner: object) -> Any:
    """A struct as the object that STRUCTS names for it. owner keeps its memory; None: copy everything."""
    struct = ffi.typeof(c)
    struct = struct.item if struct.kind == "pointer" else struct
    name = struct.cname.removeprefix("struct ")
    if name == "tcpwhy_endpoint":
        return _endpoint(c)
    members = dict(struct.fields)
    cls = STRUCTS[name]
    values = []
    for field in fields(cls):
        member = RENAMED.get(field.name, field.name)
        values.append(_member(c, member, members[member].type, set(members), owner))
    return cls(*values)
