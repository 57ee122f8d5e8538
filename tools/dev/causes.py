#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""causes.py TYPES_H PAGES OUTPUT DEPFILE: the pages of docs/causes/ as a C table.

Each member of enum tcpwhy_cause needs PAGES/<name>.md with the title `# name: phrase` and the headings of SECTIONS.
Other headings ("The packets") stay out of the table.
"""
import pathlib
import re
import sys

# Heading of the page -> member of struct tcpwhy_cause_info.
SECTIONS = {
    "What it is": "what",
    "How it is decided": "decided",
    "What looks like it and is not": "unlike",
    "How to confirm it": "confirm",
    "How to fix it": "mend",
}
# C11 5.2.4.1: compilers need not accept longer string literals.
LONGEST = 4095


def members(types_h):
    """The members of enum tcpwhy_cause in order, with their names, without "any": TCPWHY_CAUSE_NONE is "none"."""
    body = re.search(r"enum tcpwhy_cause \{(.*?)\};", types_h.read_text(), re.S).group(1)
    found = re.findall(r"^\s*(TCPWHY_\w+)", body, re.M)
    return [(m, re.sub(r"^TCPWHY_(CAUSE_)?", "", m).lower()) for m in found if m != "TCPWHY_CAUSE_ANY"]


# Emphasised words, but not an asterisk in code: listen_addresses = '*'.
EMPHASIS = re.compile(r"(`[^`]*`)|\*([A-Za-z][^*`]*)\*")


def plain(lines):
    """Markdown to text: one line per paragraph or list item, code blocks verbatim, no back-quotes, no emphasis."""
    out, code = [], False
    for line in lines:
        if line.startswith("```"):
            code = not code
        elif code:
            out.append("    " + line)
        elif not line.strip():
            out.append("")
        elif out and out[-1] and not re.match(r"[-*] ", line) and not out[-1].startswith("    "):
            out[-1] += " " + line.strip()
        else:
            out.append(line.strip())
    out = [line if line.startswith("    ") else EMPHASIS.sub(lambda m: m[1] or m[2], line) for line in out]
    text = re.sub(r"\n{2,}", "\n\n", "\n".join(out)).strip()
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text.replace("`", ""))


def parse(path, name, headings):
    """A page as {member: text}; headings: {heading: member}."""
    lines = path.read_text(encoding="utf-8").splitlines()
    title = re.match(rf"# {name}: (.+)", lines[0] if lines else "")
    if not title:
        raise ValueError(f"{path}: the first line must be '# {name}: a short phrase'")
    page, section = {"title": title.group(1)}, None
    sections = {}
    for line in lines[1:]:
        if line.startswith("## "):
            section = line[3:].strip()
            sections[section] = []
        elif section:
            sections[section].append(line)
    for heading, member in headings.items():
        text = plain(sections.get(heading, []))
        if not text:
            raise ValueError(f"{path}: nothing under '## {heading}'")
        if len(text.encode()) > LONGEST:
            raise ValueError(f"{path}: '## {heading}' is longer than {LONGEST} bytes")
        page[member] = text
    return page


def literal(text):
    """A C string literal, one piece per line, UTF-8 unescaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return "\n            ".join(f'"{piece}"' for piece in re.split(r"(?<=\\n)", escaped.replace("\n", "\\n")) if piece)


def main():
    types_h, pages, output, depfile = map(pathlib.Path, sys.argv[1:])
    causes = members(types_h)
    names = {name for _, name in causes}
    missing = sorted(n for n in names if not (pages / f"{n}.md").exists())
    strangers = sorted(p.name for p in pages.glob("*.md") if p.stem not in names)
    if missing or strangers:
        sys.exit(f"docs/causes: pages missing: {missing}; pages without a cause: {strangers}")
    rows = []
    try:
        for member, name in causes:
            page = parse(pages / f"{name}.md", name, SECTIONS)
            fields = "".join(f"        .{k} = {literal(v)},\n" for k, v in page.items())
            rows.append(f"    [{member}] = {{\n        .cause = {member},\n        .name = \"{name}\",\n{fields}    }},\n")
    except ValueError as error:
        sys.exit(str(error))
    # REUSE-IgnoreStart
    output.write_text("/* SPDX-License-Identifier: MIT */\n/* Written by tools/dev/causes.py from docs/causes/. */\n"
                      '#include "base/causes.h"\n\n'
                      "const struct tcpwhy_cause_info tw_cause_table[TW_N_CAUSES] = {\n" + "".join(rows) + "};\n",
                      encoding="utf-8")
    # REUSE-IgnoreEnd
    depfile.write_text(f"{output}: " + " ".join(str(pages / f"{n}.md").replace(" ", "\\ ") for n in sorted(names)) + "\n")


if __name__ == "__main__":
    main()
