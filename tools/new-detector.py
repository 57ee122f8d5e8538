#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""new-detector.py [--top FOLDER] NAME PHRASE: begin a cause: its detector, its test and its page, entered where they belong.

NAME is the word in JSON and on the command line (lower_case), PHRASE its title ("Nagle waits for a delayed ACK").
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
/* {phrase}: on hand-made waits, at the limit, just below it, with an unknown end, with nothing. */
#include "tests/unit.h"

#include "explain/model/gap.h"

extern const struct tw_detector tw_detect_{name};

static void a_wait_that_nothing_is_known_of_is_left_alone(void **state)
{{
    (void)state;
    struct tw_gap wait = {{ 0 }};
    struct tw_claim claim = {{ 0 }};

    assert_false(tw_detect_{name}.claim(&wait, &claim));
}}

int main(void)
{{
    const struct CMUnitTest tests[] = {{
        cmocka_unit_test(a_wait_that_nothing_is_known_of_is_left_alone),
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

What must hold, as seen at the sender, with the source of each constant: the RFC's section, the kernel's function.

## What looks like it and is not

- Its rivals, and what tells them apart.

## How to confirm it

- `ss -ti`, `nstat`, `strace -e trace=setsockopt`, `sysctl`: what shows it on the host.

## How to mend it

- The setting's name in common servers, languages and systems.
"""


def insert_before(path, pattern, line):
    """Put a line in front of the first one that matches."""
    text = path.read_text(encoding="utf-8")
    found = re.search(pattern, text, re.M)
    if not found:
        sys.exit(f"{path}: no place found for the new line: {line.strip()}")
    path.write_text(text[:found.start()] + line + text[found.start():], encoding="utf-8")


def create(path, content):
    if path.exists():
        sys.exit(f"{path} is there already")
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
    parser.add_argument("--top", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
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
  src/explain/meson.build   move '{asked.name}' to its place: the first detector that claims a wait has it
  src/report/findings/advice.c       its finding in words, and its remedy
  src/report/findings/materiality.c  when it is worth a verdict, where the general rule does not do
  pcaps/                    a case that shows it, and one that looks like it and is not""")


if __name__ == "__main__":
    main()
