# SPDX-License-Identifier: MIT
"""A scenario as the tables read it: its truth, and what tcpwhy says of it from each end and from the middle."""
import hashlib
import ipaddress
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import check  # noqa: E402
import host  # noqa: E402
from . import middle  # noqa: E402

ENDS = ("client", "server")
# Scenarios of which no cause is expected: those by chance (dice.py), and the mended twins (scenarios/repaired.py).
CHANCE, TWIN, NEARER = "dice", "_repaired", "_nearer"
OTHER = {"client": "server", "server": "client"}
# Here the data waits at one end, and the other can fix it.
OF_THE_RECEIVER = {"receive_window_limited", "zero_window", "delayed_ack"}


class Case:
    """`views` are the captures' names; with `work`, a folder, one from the middle is added where the delays are known."""

    def __init__(self, tool, folder, work=None):
        self.tool, self.name, self.folder = tool, os.path.basename(os.path.normpath(folder)), folder
        with open(os.path.join(folder, "truth.json")) as f:
            self.truth = json.load(f)
        self.paths = {view: path for view in ENDS if os.path.exists(path := os.path.join(folder, f"{view}.pcap"))}
        link = self.truth.get("set_up", {}).get("link")
        if work and link and len(self.paths) == 2 and all("delay_us" in way for way in link.values()):
            self.paths["middle"] = os.path.join(work, "middle.pcap")
            addresses = {end: self._addresses(end) for end in ENDS}
            middle.write(folder, link, addresses, self.paths["middle"])
        self.documents = {view: self._explain(path) for view, path in self.paths.items()}
        self.expected = None if self.name.startswith(CHANCE) or self.name.endswith((TWIN, NEARER)) else self.truth["expected"]

    def _addresses(self, end):
        table = host.CLIENT if end == "client" else host.SERVER
        return {ipaddress.ip_address(a).packed for a in table.values()}

    def _explain(self, path):
        done = subprocess.run([self.tool, "explain", "--json", path], capture_output=True, text=True, timeout=120, check=True)
        return json.loads(done.stdout)

    def sender(self):
        """The end whose data the expected cause holds; without a cause, the end that sends more."""
        expected = self.expected or {"primary": "none"}
        at = str(expected.get("endpoint") or "").strip("[")
        if expected["primary"] in check.HEALTHY or not at:
            streams = next(iter(self.documents.values()))["streams"]
            down, up = (sum(s[f"bytes_to_{end}"] for s in streams) for end in ENDS)
            return "server" if down >= up else "client"
        holder = "client" if at.split("]")[0] in {*host.CLIENT.values()} else "server"
        return OTHER[holder] if expected["primary"] in OF_THE_RECEIVER else holder

    def vantage(self, view):
        if view == "middle":
            return view
        return "sender" if view == self.sender() else "receiver"


def right_causes(expected, view):
    """Causes that are right from a capture; the middle is as blind as both ends together."""
    blind = expected.get("blind", {})
    views = ENDS if view == "middle" else (view,)
    right = {expected["primary"], *expected.get("alternatives", [])}.union(*(blind.get(v, []) for v in views))
    return right | check.HEALTHY if "none" in right else right


def is_right(expected, view, verdict, cause):
    """Whether the cause, and the end that is said to be able to fix it, are as they were made."""
    if cause not in right_causes(expected, view):
        return False
    at = expected.get("endpoint")
    if not at or cause in check.HEALTHY or cause != expected["primary"] or cause != verdict["cause"]:
        return True
    return str(verdict.get("endpoint")).strip("[").startswith(at.strip("["))


def fingerprint(folder):
    with open(os.path.join(folder, "client.pcap"), "rb") as f:
        return hashlib.sha256(f.read()).digest()


def folders(roots):
    """Every scenario below the roots, in order of names; the same capture in two of them counts once."""
    seen = set()
    for root in roots:
        for name in sorted(os.listdir(root)):
            folder = os.path.join(root, name)
            if all(os.path.exists(os.path.join(folder, f)) for f in ("truth.json", "client.pcap")) and (mark := fingerprint(folder)) not in seen:
                seen.add(mark)
                yield folder


def measure(tool, folder, tables):
    """(name, what each table measured) of one scenario."""
    with tempfile.TemporaryDirectory() as work:
        case = Case(tool, folder, work)
        return case.name, [table.measure(case) for table in tables]
