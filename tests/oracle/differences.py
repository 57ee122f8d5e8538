# SPDX-License-Identifier: MIT
"""Which class of docs/tshark-differences.md a difference belongs to; None when to none.

A class is a function of a frame, or of a frame and a field. What the tests see of a frame is in a
Frame; a new class is a function here and a section of the same name in the document.
"""
import re
from dataclasses import dataclass, field

LINK_TYPES = {"eth", "sll", "null", "raw", "ppp", "loop", "ip", "ipv6"}


@dataclass
class Frame:
    """A frame as both tools see it; ours is None when tcpwhy does not see TCP in it."""
    tshark: dict
    ours: dict = None
    capture: "Capture" = None
    layers: list = field(default_factory=list)

    def __post_init__(self):
        self.layers = self.tshark["frame.protocols"].split(":")

    def before_tcp(self):
        """The protocols below the first TCP header."""
        return self.layers[:self.layers.index("tcp")] if "tcp" in self.layers else self.layers


@dataclass
class Capture:
    """What earlier frames of the same file were: tshark's streams that hold frames we do not see."""
    unseen_streams: dict = field(default_factory=dict)  # tshark's stream -> class of its first unseen frame
    first_unseen: str = None
    streams: dict = field(default_factory=dict)  # ours -> tshark's
    announced: set = field(default_factory=set)
