#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""new-detector.py [--top FOLDER] NAME PHRASE: create a cause: detector, test and page, added to the build.

NAME is the identifier in JSON and on the command line (lower_case), PHRASE the title ("Nagle waits for a delayed ACK").
"""
import argparse
import pathlib
import re
import sys

DETECTOR = """/* SPDX-License-Identifier: MIT */
/*
 * {phrase}.
 */
#include "explain/model/gap.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{{
    c->party = tw_party_of(w->sender);
    return false;
}}

const struct tw_detector tw_detect_{name} = {{ {member}, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE }};
"""

TEST = """/* SPDX-License-Identifier: MIT */
/* {phrase}: hand-made gaps at the limit, just below it, with an unknown end, and empty. */
#include "tests/unit.h"

#include "explain/model/gap.h"

extern const struct tw_detector tw_detect_{name};

static void an_empty_gap_is_not_claimed(void **state)
{{
    (void)state;
    struct tw_gap gap = {{ 0 }};
    struct tw_claim claim = {{ 0 }};

    assert_false(tw_detect_{name}.claim(&gap, &claim));
}}

int main(void)
{{
    const struct CMUnitTest tests[] = {{
        cmocka_unit_test(an_empty_gap_is_not_claimed),
    }};

    return cmocka_run_group_tests(tests, NULL, NULL);
}}
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

The rule at the sender, what changes at other vantages, the main doubt, and the source of each constant (RFC section,
kernel symbol). At most 120 words.

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
    create(top / f"src/explain/causes/{asked.name}.c", DETECTOR.format(**words))
    create(top / f"tests/unit/test_detect_{asked.name}.c", TEST.format(**words))
    create(top / f"docs/causes/{asked.name}.md", PAGE.format(**words))
    add_cause(top, words["member"])
    # Detectors are asked in order; `wire` and `unknown` take what is left.
    insert_before(top / "src/explain/meson.build", r"^  'wire',", f"  '{asked.name}',\n")
    insert_before(top / "tests/unit/meson.build", r"^\]", f"  'detect_{asked.name}',\n")
    print(f"""left to do:
  src/explain/meson.build   order: the first detector that claims a gap wins
  src/report/findings/advice.c       the text of its finding and remedy
  src/report/findings/materiality.c  when it is material, if the general rule does not fit
  pcaps/                    a case that shows it, and a negative one that resembles it""")


if __name__ == "__main__":
    main()
