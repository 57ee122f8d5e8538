# SPDX-License-Identifier: MIT
"""Why is this TCP connection slow?

    >>> import tcpwhy
    >>> report = tcpwhy.analyze("capture.pcap")
    >>> for finding in report.findings:
    ...     print(finding.cause, finding.cost_ns / 1e6, "ms:", finding.summary, finding.remedy)

Over libtcpwhy: the one named in the environment (TCPWHY_LIBRARY=/path/to/libtcpwhy.so), else that of a wheel with the
library inside, else the installed one.
"""
from __future__ import annotations

from . import _library
from ._analysis import Session, analyze
from ._arrow import Table
from ._library import (
    ArgumentError,
    Error,
    FilterError,
    FormatError,
    OpenError,
    OutOfMemoryError,
    ReadError,
    Stopped,
    UsageError,
    version,
)
from ._model import (
    Capture,
    CauseInfo,
    Connection,
    Curve,
    Detail,
    Endpoint,
    Exchange,
    Fact,
    Finding,
    Flow,
    FlowRow,
    Interval,
    LedgerEntry,
    Listener,
    Openings,
    Part,
    Percentiles,
    Point,
    Ports,
    Quality,
    Repairs,
    Segment,
    Series,
    Span,
    StatusClasses,
    Traffic,
    Verdict,
    Wait,
    read,
)
from ._report import Report

__all__ = [
    "ArgumentError",
    "Capture",
    "CauseInfo",
    "Connection",
    "Curve",
    "Detail",
    "Endpoint",
    "Error",
    "Exchange",
    "Fact",
    "FilterError",
    "Finding",
    "Flow",
    "FlowRow",
    "FormatError",
    "Interval",
    "LedgerEntry",
    "Listener",
    "OpenError",
    "Openings",
    "OutOfMemoryError",
    "Part",
    "Percentiles",
    "Point",
    "Ports",
    "Quality",
    "ReadError",
    "Repairs",
    "Report",
    "Segment",
    "Series",
    "Session",
    "Span",
    "StatusClasses",
    "Stopped",
    "Table",
    "Traffic",
    "UsageError",
    "Verdict",
    "Wait",
    "analyze",
    "causes",
    "version",
]


def causes() -> dict[str, CauseInfo]:
    """Every cause by its name: what it is, how it is decided, how to confirm it on the host, how to mend it."""
    lib = _library.lib
    return {info.name: info for info in (read(lib.tcpwhy_cause_info(i)[0], lib) for i in range(1, lib.tcpwhy_cause_count()))}
