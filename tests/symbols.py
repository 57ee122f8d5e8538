# SPDX-License-Identifier: MIT
"""What src/tcpwhy.map exports."""
import re


def exported(top):
    """Each function's name, with the version that brought it."""
    nodes, node = {}, None
    for line in (top / "src/tcpwhy.map").read_text(encoding="utf-8").splitlines():
        begins, name = re.match(r"(TCPWHY_[\d.]+) \{", line), re.match(r"\s+(tcpwhy_\w+);", line)
        node = begins.group(1) if begins else node
        if name:
            nodes[name.group(1)] = node
    return nodes
