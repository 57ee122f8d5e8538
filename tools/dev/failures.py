#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""failures.py FAILURES_H PAGES OUTPUT DEPFILE: the pages of docs/failures/ as a C table.

Each member of enum tcpwhy_failure_kind needs PAGES/<name>.md with the title `# name: phrase` and the headings of SECTIONS, in
at most MOST_WORDS words.
"""
import pathlib
import re
import sys

import causes

SECTIONS = {
    "What it is": "what",
    "How it is decided": "decided",
    "How to fix it": "mend",
}
MOST_WORDS = 140


def members(header):
    """The members of enum tcpwhy_failure_kind in order, with their names."""
    body = re.search(r"enum tcpwhy_failure_kind \{(.*?)\};", header.read_text(encoding="utf-8"), re.S).group(1)
    return [(m, m.removeprefix("TCPWHY_FAILURE_").lower()) for m in re.findall(r"^\s*(TCPWHY_\w+)", body, re.M)]


def row(pages, member, name):
    page = pages / f"{name}.md"
    words = len(page.read_text(encoding="utf-8").split())
    if words > MOST_WORDS:
        raise ValueError(f"{page}: {words} words, at most {MOST_WORDS}")
    fields = "".join(f"        .{k} = {causes.literal(v)},\n" for k, v in causes.parse(page, name, SECTIONS).items())
    return f"    [{member}] = {{\n        .kind = {member},\n        .name = \"{name}\",\n{fields}    }},\n"


def main():
    header, pages, output, depfile = map(pathlib.Path, sys.argv[1:])
    kinds = members(header)
    names = {name for _, name in kinds}
    missing = sorted(n for n in names if not (pages / f"{n}.md").exists())
    strangers = sorted(p.name for p in pages.glob("*.md") if p.stem not in names)
    if missing or strangers:
        sys.exit(f"docs/failures: pages missing: {missing}; pages without a failure: {strangers}")
    try:
        rows = [row(pages, member, name) for member, name in kinds]
    except ValueError as error:
        sys.exit(str(error))
    # REUSE-IgnoreStart
    output.write_text("/* SPDX-License-Identifier: MIT */\n/* Written by tools/dev/failures.py from docs/failures/. */\n"
                      '#include "base/failures.h"\n\n'
                      "const struct tcpwhy_failure_info tw_failure_table[TW_N_FAILURES] = {\n" + "".join(rows) + "};\n",
                      encoding="utf-8")
    # REUSE-IgnoreEnd
    depfile.write_text(f"{output}: " + " ".join(str(pages / f"{n}.md").replace(" ", "\\ ") for n in sorted(names)) + "\n")


if __name__ == "__main__":
    main()
