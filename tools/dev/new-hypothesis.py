#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""new-hypothesis.py [--top FOLDER] NAME PHRASE: create a cause: hypothesis, test and page, added to the build.

NAME is the identifier in JSON and on the command line (lower_case), PHRASE the title ("Nagle waits for a delayed ACK").
"""
import argparse
import pathlib
import re
import sys

HYPOTHESIS = """/* SPDX-License-Identifier: MIT */
/*
 * {phrase}.
 */
#include "explain/causes/hypothesis.h"

static bool weigh(const struct tw_gap *w, struct tw_release *r)
{{
    if (tw_pause_is(w)) /* nothing let it go */
        return false;
    r->party = tw_party_of(w->sender);
    r->odds = TW_ODDS_POSSIBLE;
    return true;
}}

const struct tw_hypothesis tw_hypothesis_{name} = {{
    {member},
    TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE,
    weigh,
}};
"""

TEST = """# SPDX-License-Identifier: MIT
# {phrase}: a gap that shows it, changed in one thing.

test it_takes_no_gap_that_nothing_shows_it_in
    gap
    expect no {name}
"""

PAGE = """# {name}: {phrase}

## What it is

What happens, in a few sentences, and what it costs.

## The packets

```
sender                       receiver
  | data ---------------------> |
  | <---------------------- ACK |
```

## How it is decided

What refutes it, what shows it and with which odds, what makes it doubtful, what changes at other vantages, and the source
of each constant (RFC section, kernel symbol). At most 120 words.

## What looks like it and is not

- Other causes, and how they differ.

## How to confirm it

- `ss -ti`, `nstat`, `strace -e trace=setsockopt`, `sysctl`: evidence on the host.

## How to fix it

- The setting's name in common servers, languages and systems.
"""


def insert_before(path, pattern, line):
    """Insert a line before the first match of `pattern`."""
    text = path.read_text(encoding="utf-8")
    found = re.search(pattern, text, re.M)
    if not found:
        sys.exit(f"{path}: no place for the new line: {line.strip()}")
    path.write_text(text[:found.start()] + line + text[found.start():], encoding="utf-8")


def create(path, content):
    if path.exists():
        sys.exit(f"{path} exists already")
    path.write_text(content, encoding="utf-8")
    print(f"wrote {path}")


def add_cause(top, member):
    """Numbers of causes never change, so a new one stands last."""
    header, counts = top / "include/tcpwhy/types.h", top / "src/base/counts.h"
    text = header.read_text(encoding="utf-8")
    enum = re.search(r"enum tcpwhy_cause \{.*?\n\};", text, re.S)
    last, number = re.findall(r"^    (TCPWHY_\w+) = (\d+)", enum.group(), re.M)[-1]
    at = enum.end() - len("};")
    header.write_text(f"{text[:at]}    {member} = {int(number) + 1},\n{text[at:]}", encoding="utf-8")
    counts.write_text(counts.read_text(encoding="utf-8").replace(f"({last} + 1)", f"({member} + 1)"),
                      encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("name")
    parser.add_argument("phrase")
    asked = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", asked.name):
        sys.exit("the name is lower case: letters, digits and _")
    top, words = asked.top, {"name": asked.name, "phrase": asked.phrase.rstrip("."), "member": f"TCPWHY_{asked.name.upper()}"}
    create(top / f"src/explain/causes/{asked.name}.c", HYPOTHESIS.format(**words))
    create(top / f"tests/unit/scripts/weighed_{asked.name}.script", TEST.format(**words))
    create(top / f"docs/causes/{asked.name}.md", PAGE.format(**words))
    add_cause(top, words["member"])
    insert_before(top / "src/explain/meson.build", r"^\]", f"  '{asked.name}',\n")
    insert_before(top / "tests/unit/meson.build", r"^  'weighed_hold',", f"  'weighed_{asked.name}',\n")
    print(f"""left to do:
  src/explain/causes/                what refutes it, what it predicts, and its odds (docs/how-verdicts-are-reached.md)
  src/explain/attribute/priors.h     how likely it is before looking, if not as likely as others
  src/report/findings/advice.c       the text of its finding and remedy
  src/report/findings/materiality.c  when it is material, if the general rule does not fit
  pcaps/                             a case that shows it, and a negative one that resembles it""")


if __name__ == "__main__":
    main()
