# SPDX-License-Identifier: MIT
"""Expected cause and said cause, by where the capture was made."""
import collections

from . import case as cases
from .markdown import share, table

HEADING = "confusion"
VANTAGES = {"sender": "At the sender", "receiver": "At the receiver", "middle": "In the middle"}

Row = collections.namedtuple("Row", "name view vantage expected said confidence right")


def measure(case):
    rows = []
    for view, document in case.documents.items() if case.expected else ():
        verdict = document["verdict"]
        right = cases.is_right(case.expected, view, verdict, verdict["cause"])
        rows.append(Row(case.name, view, case.vantage(view), case.expected["primary"], verdict["cause"], verdict.get("confidence"), right))
    return rows


def said_instead(rows):
    counts = collections.Counter(r.said for r in rows if not r.right)
    return ", ".join(f"{cause} {n}" for cause, n in counts.most_common()) or "-"


def matrix(rows):
    """One row an expected cause: every cause that was said, those that are right as well (two limits at once) among them."""
    by_cause = collections.defaultdict(list)
    for r in rows:
        by_cause[r.expected].append(r)
    for cause, of_cause in sorted(by_cause.items(), key=lambda item: -len(item[1])):
        exactly = sum(r.said == cause and r.right for r in of_cause)
        right = sum(r.right for r in of_cause)
        also = collections.Counter(r.said for r in of_cause if r.right and r.said != cause)
        yield [cause, len(of_cause), exactly, right - exactly, len(of_cause) - right, share(right, len(of_cause)),
               ", ".join(f"{c} {n}" for c, n in also.most_common(4)) or "-", said_instead(of_cause)]  # fmt: skip


def lines(measured):
    rows = [row for of_case in measured for row in of_case]
    heads = ["expected", "captures", "said so", "another right one", "wrong", "right", "the other right ones", "said wrongly"]
    for vantage, words in VANTAGES.items():
        here = [r for r in rows if r.vantage == vantage]
        if here:
            right = sum(r.right for r in here)
            yield f"{words}: {right} of {len(here)} verdicts right ({share(right, len(here))})."
            yield ""
            yield from table(heads, matrix(here))
            yield ""
