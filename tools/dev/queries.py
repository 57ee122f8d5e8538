#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""queries.py OUT PAGE.css COPIES.sql TOLD.sql FILE.sql...: the queries of `tcpwhy query` as a C table (name, description,
note, SQL), what makes the tables that they ask beside the archive's, and the style sheet of pages."""
import json
import pathlib
import sys


def entry(path):
    text = path.read_text(encoding="utf-8")
    first, second = text.split("\n")[:2]
    if not (first.startswith("-- ") and second.startswith("-- ")):
        raise SystemExit(f"{path}: begins with two lines: -- what it answers, -- what to know")
    return f"    {{ {json.dumps(path.stem)}, {json.dumps(first[3:])}, {json.dumps(second[3:])},\n{quoted(text)} }},\n"


def quoted(text):
    return "\n".join(f"     {json.dumps(line + chr(10), ensure_ascii=False)}" for line in text.splitlines())


def main():
    out, css, *files = map(pathlib.Path, sys.argv[1:])
    css, copies, told = (path.read_text(encoding="utf-8") for path in (css, files.pop(0), files.pop(0)))
    if "</" in css:
        raise SystemExit(f"{sys.argv[2]}: holds markup that would end its element")
    entries = "".join(entry(path) for path in files)
    out.write_text("/* SPDX-License-Identifier: MIT */\n/* Made by tools/dev/queries.py. */\n#include <stddef.h>\n\n#include \"query/questions.h\"\n\n"
                   f"const struct question questions[] = {{\n{entries}    {{ NULL, NULL, NULL, NULL }},\n}};\n\nconst char copies_sql[] =\n{quoted(copies)};\n\nconst char told_sql[] =\n{quoted(told)};\n\nconst char *const page_css[] = {{\n"
                   + quoted(css).replace("\n", ",\n") + ",\n     NULL,\n};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
