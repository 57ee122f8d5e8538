#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_cdef.py INCLUDE: write tcpwhy/_cdef.py, the public headers as cffi wants them: without comments and preprocessor."""
import pathlib
import re
import sys

OUT = pathlib.Path(__file__).resolve().parent / "tcpwhy/_cdef.py"
HEAD = '''# SPDX-License-Identifier: MIT
"""The library's public headers. Made by make_cdef.py, which the test "headers" asks for when it is out of date."""

'''


def in_order(include, name="tcpwhy/tcpwhy.h", seen=None):
    """The text of a header, after those that it includes."""
    seen = seen if seen is not None else set()
    if name in seen:
        return ""
    seen.add(name)
    text = (include / name).read_text()
    return "".join(in_order(include, other, seen) for other in re.findall(r"#include <(tcpwhy/\w+\.h)>", text)) + text


def declarations(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"\\\n", "", text)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M).replace("TCPWHY_API ", "")
    return "".join(line.rstrip() + "\n" for line in text.splitlines() if line.strip())


def constants(text):
    return re.findall(r"^#define TCPWHY_(\w+) +(\d+)$", text, re.M)


def make(include):
    """What _cdef.py should hold."""
    text = in_order(pathlib.Path(include))
    numbers = constants(text)
    body = declarations(text)
    for name, value in numbers:
        body = re.sub(rf"\bTCPWHY_{name}\b", value, body)
    return HEAD + "".join(f"{name} = {value}\n" for name, value in numbers) + f'\nCDEF = """\n{body}"""\n'


if __name__ == "__main__":
    OUT.write_text(make(sys.argv[1] if len(sys.argv) > 1 else OUT.parents[2] / "include"))
