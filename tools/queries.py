#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""queries.py OUT FILE.sql...: the questions of `tcpwhy query` as a C table: name, what it answers, SQL."""
import json
import pathlib
import sys


def entry(path):
    text = path.read_text(encoding="utf-8")
    first, second = text.split("\n")[:2]
    if not (first.startswith("-- ") and second.startswith("-- ")):
        raise SystemExit(f"{path}: begins with two lines: -- what it answers, -- what to know")
    sql = "\n".join(f"     {json.dumps(line + chr(10))}" for line in text.splitlines())
    return f"    {{ {json.dumps(path.stem)}, {json.dumps(first[3:])}, {json.dumps(second[3:])},\n{sql} }},\n"


def main():
    out, files = pathlib.Path(sys.argv[1]), sorted(pathlib.Path(f) for f in sys.argv[2:])
    entries = "".join(entry(path) for path in files)
    out.write_text("/* SPDX-License-Identifier: MIT */\n/* Made by tools/queries.py. */\n#include <stddef.h>\n\n#include \"query/questions.h\"\n\n"
                   f"const struct question questions[] = {{\n{entries}    {{ NULL, NULL, NULL, NULL }},\n}};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
