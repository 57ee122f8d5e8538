# SPDX-License-Identifier: MIT
"""libtcpwhy, loaded once; its errors as exceptions, its enumerations as words."""
from __future__ import annotations

import functools
import os
from typing import Any

import cffi

from ._cdef import CDEF, ERROR_TEXT

# The library whose headers _cdef.py holds, by its soname: another one may have other structs.
SONAME = "libtcpwhy.so.0"

# TCPWHY_NS_UNKNOWN
UNKNOWN = -(2**63)


class Error(Exception):
    """The library could not do what was asked. The text says what is wrong, and what to do."""


class OpenError(Error, OSError):
    """No such file, no permission, a directory."""


class FormatError(Error, ValueError):
    """Not a capture that tcpwhy reads."""


class FilterError(Error, ValueError):
    """The BPF expression does not compile."""


class ReadError(Error, OSError):
    """The operating system refused to read on."""


class ArgumentError(Error, ValueError):
    """An option or a stream that cannot be."""


class Stopped(Error):
    """A callback returned False."""


class OutOfMemoryError(Error, MemoryError):
    """Memory ran out."""


class UsageError(Error, RuntimeError):
    """A call that the library does not allow: of a session, from within one of its callbacks."""


_ERRORS: dict[int, type[Error]] = {
    -1: OpenError,
    -2: FormatError,
    -3: FilterError,
    -4: ReadError,
    -5: ArgumentError,
    -6: Stopped,
    -7: OutOfMemoryError,
    -8: UsageError,
}


def _name() -> str:
    """In a wheel for one platform the library lies beside this file."""
    beside = os.path.join(os.path.dirname(__file__), SONAME)
    return os.environ.get("TCPWHY_LIBRARY") or (beside if os.path.exists(beside) else SONAME)


def _load() -> tuple[Any, Any]:
    ffi = cffi.FFI()
    ffi.cdef(CDEF)
    try:
        return ffi, ffi.dlopen(_name())
    except OSError as error:
        raise ImportError(f"{error}: install libtcpwhy (meson install), or name it in TCPWHY_LIBRARY") from None


def _refuse_other_layout() -> None:
    """Members that lie elsewhere than _cdef.py has them would be misread."""
    try:
        table = [lib.tcpwhy_layout(i) for i in range(lib.tcpwhy_layout_count())]
    except AttributeError:
        raise ImportError(f"{_name()} is older than this package: install a later one") from None
    members = {(ffi.string(m.of), ffi.string(m.name)): (m.offset, m.size) for m in table}
    for struct in (name for name in ffi.list_types()[1] if name.startswith("tcpwhy_")):
        for name, field in ffi.typeof(f"struct {struct}").fields or ():
            found = members.get((struct.encode(), name.encode()))
            if found != (field.offset, ffi.sizeof(field.type)):
                raise ImportError(f"{_name()} has another struct {struct} than this package (member {name}): install the "
                                  "package and the library of one version")


ffi, lib = _load()
_refuse_other_layout()


def check(status: int, text: str = "") -> None:
    """Raise what a negative status means."""
    if status < 0:
        raise _ERRORS.get(status, Error)(text or text_of(lib.tcpwhy_strerror(status)))


def error_buffer() -> Any:
    return ffi.new("char[]", ERROR_TEXT)


def text_of(pointer: Any) -> str:
    """A text of the library: UTF-8, but names off the wire may be anything."""
    return str(ffi.string(pointer).decode("utf-8", "replace"))


def version() -> str:
    """The library's version."""
    return text_of(lib.tcpwhy_version())


def _cause_name(cause: int) -> str:
    return text_of(lib.tcpwhy_cause_info(cause).name)


_NAMES: dict[str, Any] = {
    "enum tcpwhy_cause": _cause_name,
    "enum tcpwhy_party": lambda n: text_of(lib.tcpwhy_party_name(n)),
    "enum tcpwhy_confidence": lambda n: text_of(lib.tcpwhy_confidence_name(n)),
    "enum tcpwhy_vantage": lambda n: text_of(lib.tcpwhy_vantage_name(n)),
    "enum tcpwhy_class": lambda n: text_of(lib.tcpwhy_class_name(n)),
    "enum tcpwhy_silence": lambda n: text_of(lib.tcpwhy_silence_name(n)),
    "enum tcpwhy_failure_kind": lambda n: text_of(lib.tcpwhy_failure_info(n).name),
    "enum tcpwhy_failed": lambda n: text_of(lib.tcpwhy_failed_name(n)),
    "enum tcpwhy_seen_as": lambda n: text_of(lib.tcpwhy_seen_as_name(n)),
    "enum tcpwhy_culprit": lambda n: text_of(lib.tcpwhy_culprit_name(n)),
    "enum tcpwhy_graph": lambda n: text_of(lib.tcpwhy_graph_name(n)),
}


@functools.lru_cache(maxsize=None)
def word(enumeration: str, value: int) -> str:
    """What the library calls a value; where it has no word, the end of its name in C."""
    if enumeration in _NAMES:
        return str(_NAMES[enumeration](value))
    names: dict[int, str] = ffi.typeof(enumeration).elements
    return names[value].removeprefix("TCPWHY_").rsplit("_", 1)[-1].lower()


def number(enumeration: str, text: str) -> int:
    """The value that a word stands for."""
    names: dict[str, int] = ffi.typeof(enumeration).relements
    for value in names.values():
        if value >= 0 and word(enumeration, value) == text:
            return value
    known = ", ".join(word(enumeration, v) for v in sorted(names.values()) if v >= 0)
    raise ArgumentError(f"{text!r} is none of: {known}")
