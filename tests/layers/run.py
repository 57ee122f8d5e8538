#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP: every #include points left, and within src/explain down.

source -> dissect -> names -> track -> log -> explain -> failures -> report -> render -> annotate; base is left of all, engine right of all, tools
include public headers only, and only the source includes libpcap. The folders of src/explain are layered as in ROOMS. No
module includes itself by way of others.
"""
import graphlib
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

STAGES = ["base", "source", "dissect", "names", "track", "log", "app", "explain", "failures", "report", "render", "tables", "annotate", "engine"]
# The folders of src/explain, lowest first. All may include the files beside them, except explain.h.
ROOMS = ["vantage", "sender", "loss", "model", "path", "timeline", "causes", "attribute", "distance"]
# The folders of a stage, in the same order; those of one line may include each other.
FOLDERS = {"render": ["writers", "view", "as", "pictures", "page"],
           "report": ["rows facts findings", "failures", "compare", "flow", "figures", "series"]}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def of_libpcap(name):
    return name == "pcap.h" or name.startswith("pcap/")


def of_glib(name):
    return name in ("glib.h", "gio/gio.h") or name.startswith("glib/")


def wrong_in_public(name, quoted):
    if quoted:
        return "public headers include each other as <tcpwhy/...>"
    if of_glib(name) or of_libpcap(name):
        return "no GLib and no libpcap in public headers"
    return None


def wrong_in_stage(stage, path, name, quoted):
    if not quoted:
        return "libpcap lives in src/source only" if of_libpcap(name) and stage != "source" else None
    if (path.parent / name).exists() and "/" not in name:
        return None
    folder = name.split("/")[0]
    if folder not in STAGES:
        return "not a folder of src/"
    if STAGES.index(folder) > STAGES.index(stage):
        return f"{folder} stands right of {stage}"
    return None


def room_of(parts):
    """The layer of a file of src/explain, given as its path below that folder."""
    if len(parts) > 1:
        return ROOMS.index(parts[0])
    return len(ROOMS) if parts[0].startswith("explain.") else -1


def wrong_in_explain(path, name, top):
    if not name.startswith("explain/"):
        return None
    here, there = path.relative_to(top / "src" / "explain").parts, pathlib.Path(name).parts[1:]
    for parts in (here, there):
        if len(parts) > 1 and parts[0] not in ROOMS:
            return "no room of that name; add the folder to ROOMS here and to ARCHITECTURE.md"
    return f"{there[0]} stands above {here[0]}" if room_of(there) > room_of(here) else None


def wrong_in_folder(stage, path, name):
    """An include within a stage that reaches a folder right of its own."""
    layer = {folder: i for i, folders in enumerate(FOLDERS[stage]) for folder in folders.split()}
    here, target = path.parent.name, name.split("/")
    if target[0] != stage or len(target) < 3 or here == stage:
        return None
    for folder in (here, target[1]):
        if folder not in layer:
            return f"{stage}/{folder} is no folder of that stage; add it to FOLDERS here and to ARCHITECTURE.md"
    return f"{stage}/{target[1]} stands right of {stage}/{here}" if layer[target[1]] > layer[here] else None


def wrong_in_tools(path, name, quoted, top):
    beside = (path.parent / name).exists() or (path.parent / f"{name}.in").exists()
    if quoted and not (beside or name.startswith(str(path.parent.relative_to(top)) + "/")):
        return "a tool includes <tcpwhy/...>, the system, and its own folder"
    return None


def wrong(path, name, quoted, top):
    """Why this include is not allowed, or None."""
    parts = path.relative_to(top).parts
    if parts[0] == "include":
        return wrong_in_public(name, quoted)
    if parts[0] == "tools":
        return wrong_in_tools(path, name, quoted, top)
    if len(parts) < 3 or parts[1] not in STAGES:
        return "no stage of that name; add the folder to STAGES here and to ARCHITECTURE.md"
    if parts[1] == "explain" and quoted and wrong_in_explain(path, name, top):
        return wrong_in_explain(path, name, top)
    inside = wrong_in_folder(parts[1], path, name) if quoted and parts[1] in FOLDERS else None
    return inside or wrong_in_stage(parts[1], path, name, quoted)


def module_of(path, top):
    return str(path.relative_to(top / "src").with_suffix(""))


def modules(top):
    """Each module, which is a file and its header, with those that it includes."""
    edges = {}
    for stage in STAGES:
        for path in sorted((top / "src" / stage).rglob("*.[ch]")):
            names = [name for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")) if bracket == '"']
            targets = {module_of(top / "src" / name, top) for name in names if (top / "src" / name).exists()}
            here = module_of(path, top)
            edges.setdefault(here, set()).update(targets - {here})
    return edges


def cycles(edges):
    """The modules from which includes lead back to themselves."""
    reach = {m: set(n) for m, n in edges.items()}
    grows = True
    while grows:
        grows = False
        for module, found in reach.items():
            more = set().union(*(reach.get(n, ()) for n in found)) - found
            found |= more
            grows = grows or bool(more)
    return sorted(m for m, found in reach.items() if m in found)


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    with Tap() as tap:
        for folder in ("include", "src", "tools"):
            problems, n = [], 0
            for path in sorted((top / folder).rglob("*.[ch]")):
                for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                    n += 1
                    why = wrong(path, name, bracket == '"', top)
                    if why:
                        problems.append(f"{path.relative_to(top)}: {name}: {why}")
            tap.check(f"the {n} includes of {folder}/ point left", problems if n or folder == "tools" else "found none")
        tap.check("a cycle is found", None if cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["b", "c"] else "it is not")
        tap.check("no module of src/ includes itself by way of others", cycles(modules(top)))


if __name__ == "__main__":
    main()
