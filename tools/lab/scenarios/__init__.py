# SPDX-License-Identifier: MIT
"""All scenarios, in one list."""
from . import applications, crowded, healthy, linux, mixtures, network, others, paths, rare, shapers, timers, windows


def table():
    rows = [row for family in (healthy, applications, timers, windows, network, mixtures, others, paths, rare, crowded, shapers, linux) for row in family.table()]
    names = [row["scenario"] for row in rows]
    assert len(names) == len(set(names)), "two scenarios share a name"
    return rows
