#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""queries.py OUT PAGE.css VIEWS.sql FILE.sql...: the queries of `tcpwhy query` as a C table (name, description, note,
SQL), and the style sheet of pages. The views that queries ask become tables of their own: an archive's are refused."""
import json
import pathlib
import re
import sys

VIEW = re.compile(r"^CREATE TEMP VIEW (\w+) AS\n(.*?);$", re.M | re.S)


def entry(path, tables):
    text = path.read_text(encoding="utf-8")
    first, second = text.split("\n")[:2]
    if not (first.startswith("-- ") and second.startswith("-- ")):
        raise SystemExit(f"{path}: begins with two lines: -- what it answers, -- what to know")
    return f"    {{ {json.dumps(path.stem)}, {json.dumps(first[3:])}, {json.dumps(second[3:])},\n{quoted(whole(text, tables))} }},\n"


def whole(text, tables):
    """The query, after the tables that it asks."""
    if not re.search(r"\b(told|copies)\b", text):
        return text
    own = re.search(r"^(WITH )?(?=SELECT|\w+ AS \()", re.sub(r"^--.*$", lambda line: " " * len(line[0]), text, flags=re.M), re.M)
    return f"WITH {tables}" + (", " if own[1] else "\n") + text[own.end():]


def quoted(text):
    return "\n".join(f"     {json.dumps(line + chr(10), ensure_ascii=False)}" for line in text.splitlines())


def main():
    out, css, *files = map(pathlib.Path, sys.argv[1:])
    css, views = css.read_text(encoding="utf-8"), files.pop(0).read_text(encoding="utf-8")
    tables = ", ".join(f"{name} AS MATERIALIZED (\n{sql}\n)" for name, sql in VIEW.findall(views))
    if "</" in css:
        raise SystemExit(f"{sys.argv[2]}: holds markup that would end its element")
    entries = "".join(entry(path, tables) for path in files)
    out.write_text("/* SPDX-License-Identifier: MIT */\n/* Made by tools/dev/queries.py. */\n#include <stddef.h>\n\n#include \"query/questions.h\"\n\n"
                   f"const struct question questions[] = {{\n{entries}    {{ NULL, NULL, NULL, NULL }},\n}};\n\nconst char *const page_css[] = {{\n"
                   + quoted(css).replace("\n", ",\n") + ",\n     NULL,\n};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
