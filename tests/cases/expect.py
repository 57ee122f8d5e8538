# SPDX-License-Identifier: MIT
"""The format of a case's expected.json: {"both": {...}, "client": {...}, "server": {...}}, each a table from a fact of
tests/verdicts.py to its expected value:

    value                          equal to it
    {"any": [a, b]}                one of them
    {"begins": text}               a text that starts with it (an address with any port)
    {"min": x, "max": y}           in the range, either end may be omitted
    {"about": x, "within": 0.03}   within that relative distance of x
    {"has": [], "never": [], "only": []}   a list that contains these, none of these, only these
"""
import json


def problem(fact, value, want):
    """Why value is not what is wanted, or None."""
    if not isinstance(want, dict):
        return None if value == want else f"{fact} is {value!r}, not {want!r}"
    if "any" in want and value not in want["any"]:
        return f"{fact} is {value!r}, none of {want['any']}"
    if "begins" in want and not str(value).startswith(want["begins"]):
        return f"{fact} is {value!r}, and does not begin with {want['begins']}"
    if not (want.get("min", value) <= value <= want.get("max", value)) if "min" in want or "max" in want else False:
        return f"{fact} is {value!r}, outside {want}"
    if "about" in want and abs(value - want["about"]) > want["within"] * abs(want["about"]):
        return f"{fact} is {value!r}, not within {want['within']:.0%} of {want['about']}"
    missing = [x for x in want.get("has", []) if x not in value]
    extra = [x for x in want.get("never", []) if x in value]
    extra += [x for x in value if x not in want["only"]] if "only" in want else []
    if missing or extra:
        return f"{fact} is {value!r}" + (f"; missing {missing}" if missing else "") + (f"; too much {extra}" if extra else "")
    return None


def load(folder, side):
    """What is expected of one end, or None when nobody has said."""
    path = folder / "expected.json"
    if not path.exists():
        return None
    said = json.loads(path.read_text())
    return {**said.get("both", {}), **said.get(side, {})} or None


def problems(facts, want):
    """All differences; a fact that the document has not is one."""
    out = []
    for fact, wanted in want.items():
        if fact not in facts:
            out.append(f"{fact} is not in the document")
            continue
        try:
            out.append(problem(fact, facts[fact], wanted))
        except TypeError:
            out.append(f"{fact} is {facts[fact]!r}, which cannot be compared with {wanted!r}")
    return [text for text in out if text]
