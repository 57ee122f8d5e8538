# SPDX-License-Identifier: MIT
"""Tables in Markdown, and a page whose hand-written text stays when they are made anew."""
import re


def table(heads, rows):
    """Lines; the first column to the left, the others to the right."""
    texts = [[str(cell) for cell in row] for row in [heads, *rows]]
    widths = [max(3, *(len(row[i]) for row in texts)) for i in range(len(heads))]

    def line(cells):
        return "| " + " | ".join(c.ljust(w) if not i else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))) + " |"

    rule = ["-" * (w + 2) if not i else "-" * (w + 1) + ":" for i, w in enumerate(widths)]
    return [line(texts[0]), "|" + "|".join(rule) + "|", *map(line, texts[1:])]


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def thousands(number):
    return f"{number:,.0f}"


def between_markers(text, sections):
    """The page with each section's lines between <!-- accuracy: NAME --> and <!-- end of NAME -->; a section that the page lacks goes to its end."""
    for name, lines in sections.items():
        begin, end = f"<!-- accuracy: {name} -->", f"<!-- end of {name} -->"
        block = "\n".join([begin, *lines, end])
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        text = pattern.sub(lambda _, block=block: block, text) if pattern.search(text) else f"{text.rstrip()}\n\n{block}\n"
    return text
