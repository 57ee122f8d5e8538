#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nulls.py TOP LIBTCPWHY_SO CAPTURE: each function of the public headers is called with each of its pointers NULL in turn. That
is TCPWHY_ERR_USAGE, or nothing found, where the header does not allow it; and nowhere a crash. A new function is tried as soon
as it is declared."""
import ctypes
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sanitizer  # noqa: E402
from tap import Tap  # noqa: E402

USAGE, ARGUMENT = -8, -5
# NULL means the default there, or that nothing is asked for.
OPTIONAL = {"options", "how", "user", "annotated", "error"}
# What else NULL means in a place, as the header says.
ALLOWED = {("tcpwhy_render", "report"): ARGUMENT, ("tcpwhy_table_stream", "report"): ARGUMENT, ("tcpwhy_session_free", "session"): 0,
           ("tcpwhy_follow_free", "follow"): 0, ("tcpwhy_endpoint_format", "endpoint"): "text"}
# Room for any struct: what a newer program knows, and leaves 0, is ignored.
STRUCT_BYTES = 1024
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


def declarations(include):
    """(name, type, [(type, name) of each parameter]) of each function that has a pointer."""
    text = re.sub(r"/\*.*?\*/", "", "".join(p.read_text() for p in sorted(include.rglob("*.h"))), flags=re.S)
    for kind, name, parameters in re.findall(r"^TCPWHY_API\s+([^;()]*?)\b(\w+)\(([^;]*?)\);", text, re.M | re.S):
        parts = [re.fullmatch(r"(.*?)(\w+)", " ".join(p.split())).groups() for p in parameters.split(",")]
        if any(is_pointer(p) for p, _ in parts):
            yield name, " ".join(kind.split()), parts


def is_pointer(kind):
    return kind.rstrip().endswith("*") or kind.rstrip().endswith("_fn")


class Program:
    """A program with an object of each kind."""

    def __init__(self, library, capture):
        self.library, self.capture = library, capture.encode()
        self.callback = CALLBACK(lambda *_: True)
        self.handles = {}
        self.open("report", library.tcpwhy_analyze_file, self.capture, None, out=2)
        self.open("session", library.tcpwhy_session_new, None, out=1)
        self.open("live", library.tcpwhy_live_follow, self.capture, None, out=2)
        self.open("follow", library.tcpwhy_follow_new, None, self.callback, None, out=3)
        self.open("comparison", library.tcpwhy_compare, self.handles["report"], self.handles["report"], out=2)

    def open(self, kind, function, *arguments, out):
        handle = ctypes.c_void_p()
        assert len(arguments) == out and function(*arguments, ctypes.byref(handle), None, ctypes.c_size_t(0)) == 0
        self.handles[kind] = handle

    @staticmethod
    def struct():
        room = ctypes.create_string_buffer(STRUCT_BYTES)
        ctypes.c_size_t.from_buffer(room).value = STRUCT_BYTES
        return room

    def value(self, kind, name):
        """An argument that is allowed."""
        if kind.strip() == "const char *":
            return self.capture if name == "path" else b"lo"
        if kind.strip().endswith("_fn"):
            return self.callback
        handle = re.fullmatch(r"(?:const )?tcpwhy_(\w+) \*", kind.strip())
        if handle:
            return self.handles[handle[1]]
        if name in ("paths", "files"):  # of one that is NULL
            return ctypes.byref(ctypes.c_void_p())
        if is_pointer(kind):
            return self.struct() if name != "user" else None
        return {"size": ctypes.c_size_t(STRUCT_BYTES), "n": ctypes.c_size_t(1), "len": ctypes.c_size_t(8),
                "error_size": ctypes.c_size_t(STRUCT_BYTES)}.get(name, 0)

    def call(self, name, kind, parameters, null):
        function = getattr(self.library, name)
        function.restype = {"int": ctypes.c_int, "bool": ctypes.c_bool, "size_t": ctypes.c_size_t, "void": None}.get(kind, ctypes.c_void_p)
        return function(*(None if n == null else self.value(k, n) for k, n in parameters))


def apart(work):
    """What a child process returns of it, or by which signal it ends."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, repr(work()).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        text = said.read()
    status = os.waitpid(child, 0)[1]
    return text if status == 0 else f"a crash ({status})"


def main():
    sanitizer.come_first(sys.argv[2])
    program = Program(ctypes.CDLL(sys.argv[2]), sys.argv[3])
    with Tap() as tap:
        for name, kind, parameters in declarations(pathlib.Path(sys.argv[1]) / "include"):
            wrong = []
            for null in [n for k, n in parameters if is_pointer(k)]:
                found = apart(lambda name=name, kind=kind, parameters=parameters, null=null: program.call(name, kind, parameters, null))
                want = ALLOWED.get((name, null), USAGE if kind == "int" else None)
                settles = null in OPTIONAL and not name.endswith("_init")
                right = {repr(want), "0", "False", "None"} if kind != "int" else {repr(want)}
                if "crash" in found or not (settles or want == "text" or found in right):
                    wrong.append(f"{null} NULL: {found}, not {want}")
            tap.check(f"{name} without each of its pointers", wrong)


if __name__ == "__main__":
    main()
