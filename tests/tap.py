# SPDX-License-Identifier: MIT
"""Test Anything Protocol for meson: one line per test, named by a sentence."""
import sys

# Of what is said of one test; the rest is more of the same.
MOST_LINES = 60


class Tap:
    """Collects results; use as `with Tap() as tap:`, which closes with the plan and the exit code."""

    def __init__(self):
        self.n = 0
        self.failed = 0

    def __enter__(self):
        return self

    def check(self, name, problem=None):
        """A test: it failed when problem (text, or a list of texts) is not empty."""
        self.n += 1
        problems = [problem] if isinstance(problem, str) and problem else list(problem or [])
        self.failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {self.n} - {name.replace('#', '')}")
        lines = [line for text in problems for line in str(text).splitlines()]
        if len(lines) > MOST_LINES:
            lines[MOST_LINES:] = [f"... and {len(lines) - MOST_LINES} lines more"]
        if lines:
            # To stderr: meson shows that of a failed test, and keeps stdout for itself.
            print(f"{name}:", *lines, sep="\n    ", file=sys.stderr, flush=True)

    def skip(self, name, why):
        self.n += 1
        print(f"ok {self.n} - {name} # SKIP {why}")

    def note(self, text=""):
        for line in str(text).splitlines() or [""]:
            print(f"# {line}")

    def __exit__(self, kind, value, trace):
        if kind:
            return False
        if self.n == 0:
            skip_all("nothing to test here")
        print(f"1..{self.n}")
        sys.stdout.flush()
        sys.exit(1 if self.failed else 0)


def skip_all(why):
    """The whole program has nothing to do here."""
    print(f"1..0 # SKIP {why}")
    sys.exit(0)
