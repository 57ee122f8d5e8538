# SPDX-License-Identifier: MIT
"""Tables through Arrow's PyCapsule interface (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html)."""
from __future__ import annotations

import ctypes
from typing import Any

from ._library import check, ffi, lib, number

_NAME = b"arrow_array_stream"

_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)

# Streams that a capsule holds, by address.
_streams: dict[int, Any] = {}

# The capsule is passed as an address: it is being deallocated, and a reference to it must not be taken.
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


def _release(capsule: int, pointer: Any = _pointer, streams: dict[int, Any] = _streams, name: bytes = _NAME) -> None:
    """A capsule goes: if nobody has taken the stream over, which sets release to NULL, it is released."""
    stream = streams.pop(pointer(capsule, name))
    if stream.release:
        stream.release(stream)


_release_in_c = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_release)
# Capsules may outlive this module when the interpreter ends: their destructor stays.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_release_in_c))


class Table:
    """A table of a report, which it keeps. It may be read as often as you like."""

    def __init__(self, report: Any, name: str, path: str | None, integer_times: bool, batch_rows: int) -> None:
        self._report = report
        self._table = number("enum tcpwhy_table", name)
        self._path = ffi.new("char[]", path.encode()) if path is not None else ffi.NULL
        self._options = ffi.new("struct tcpwhy_table_options *")
        self._options.struct_size = ffi.sizeof("struct tcpwhy_table_options")
        self._options.path = self._path
        self._options.integer_times = integer_times
        self._options.batch_rows = batch_rows
        self.name = name

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """An ArrowArrayStream in a PyCapsule. Another schema than the table's is not given: whoever wants one converts."""
        stream = ffi.new("struct ArrowArrayStream *")
        check(lib.tcpwhy_table_stream(self._report, self._table, self._options, stream))
        address = int(ffi.cast("uintptr_t", stream))
        _streams[address] = stream
        return _new(address, _NAME, ctypes.cast(_release_in_c, ctypes.c_void_p))

    def __repr__(self) -> str:
        return f"<tcpwhy table {self.name!r}>"
