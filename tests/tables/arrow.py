#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arrow.py LIBTCPWHY_SO CAPTURE: pyarrow reads each table of a report through the Arrow C stream, and finds it valid
and consistent. Skipped without pyarrow."""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sanitizer  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

try:
    import pyarrow as pa
except ImportError:
    skip_all("no pyarrow here")

TABLES = ["captures", "connections", "exchanges", "findings", "ledger", "failures"]
TEXT, STRUCT_BYTES = 1024, 256


class Options(ctypes.Structure):
    """struct tcpwhy_options, as far as this test needs it."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("filter", ctypes.c_char_p), ("streams", ctypes.c_char_p),
                ("callbacks", ctypes.c_void_p), ("interval_ns", ctypes.c_int64), ("memory_bytes", ctypes.c_uint64),
                ("threads", ctypes.c_uint32), ("keep_waits", ctypes.c_uint32), ("keep_streams", ctypes.c_uint32),
                ("keep_exchanges", ctypes.c_bool)]


def analyse(library, path):
    options, report = Options(keep_exchanges=True), ctypes.c_void_p()
    options.struct_size = ctypes.sizeof(options)
    error = ctypes.create_string_buffer(TEXT)
    if library.tcpwhy_analyze_file(path.encode(), ctypes.byref(options), ctypes.byref(report), error, ctypes.c_size_t(len(error))):
        raise SystemExit(error.value.decode())
    return report


def read(library, report, number):
    stream = ctypes.create_string_buffer(STRUCT_BYTES)
    assert library.tcpwhy_table_stream(report, number, None, stream) == 0
    return pa.RecordBatchReader._import_from_c(ctypes.addressof(stream))


def problem_of(reader):
    """A reader's table, and what is wrong with it."""
    table = reader.read_all()
    table.validate(full=True)
    wrong = [f"{field.name} has nulls" for field in table.schema if not field.nullable and table[field.name].null_count]
    return table, wrong


def sums_differ(tables):
    """The ledger of each connection adds up to its length."""
    spent = tables["ledger"].group_by(["stream"]).aggregate([("cost_ms", "sum")]).to_pylist()
    connections = tables["connections"].select(["stream", "duration_ms"])
    lasted = {row["stream"]: row["duration_ms"] for row in connections.to_pylist()}
    return [f"stream {row['stream']}: {row['cost_ms_sum']} of {lasted[row['stream']]}" for row in spent
            if abs(row["cost_ms_sum"] - lasted[row["stream"]]) > 1e-6 * max(1, lasted[row["stream"]])]


def main():
    sanitizer.come_first(sys.argv[1])
    library = ctypes.CDLL(sys.argv[1])
    report, tables = analyse(library, sys.argv[2]), {}
    readers = [read(library, report, number) for number in range(len(TABLES))]
    library.tcpwhy_report_free(report)
    with Tap() as tap:
        for name, reader in zip(TABLES, readers):
            tables[name], wrong = problem_of(reader)
            tap.check(f"pyarrow finds {name} valid after its report is gone", wrong)
            kind = tables[name].schema.metadata[b"tcpwhy.table"].decode()
            tap.check(f"the metadata of {name} names it", kind != name and kind)
        counted = tables["captures"]["connections"].to_pylist()
        tap.check("captures counts the rows of connections",
                  counted != [tables["connections"].num_rows] and f"{counted}")
        tap.check("times are timestamps in UTC with nanoseconds",
                  str(tables["captures"].schema.field("first_utc_ns").type) != "timestamp[ns, tz=UTC]" and "no")
        tap.check("the ledger of each connection adds up to its length", sums_differ(tables))
        tap.check("there are exchanges", not tables["exchanges"].num_rows and "none")


if __name__ == "__main__":
    main()
