# SPDX-License-Identifier: MIT
"""All scenarios, in one list."""
from . import applications, crowded, healthy, linux, mixtures, network, others, paths, rare, repaired, shapers, stacks, timers, windows


def table():
    families = (healthy, applications, timers, windows, network, mixtures, others, paths, rare, crowded, shapers, linux, stacks)
    rows = [row for family in families for row in family.table()]
    rows += list(repaired.of(rows))
    names = [row["scenario"] for row in rows]
    assert len(names) == len(set(names)), "two scenarios share a name"
    return rows
