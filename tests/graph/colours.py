#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""colours.py TOP: the colours of the causes are distinguishable, on light and dark background, also for dichromats.

Dichromacy is simulated as in Machado, Oliveira and Fernandes (2009), at full severity; distances are CIE 1976 in
CIELAB.
"""
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

VISIONS = {
    "normal vision": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green cones": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue cones": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# About four times what is just noticed side by side.
LEAST = 10
# "none" stands for time that no stream has: it never meets another.
APART = {"CAUSE_NONE"}


def linear(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def lab(rgb):
    xyz = [sum(a * b for a, b in zip(row, rgb)) for row in
           ((0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047), (0.2126, 0.7152, 0.0722), (0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883))]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(color, vision):
    return lab([min(1, max(0, sum(a * b for a, b in zip(row, linear(color))))) for row in VISIONS[vision]])


def too_close(colors, vision):
    places = {name: seen(color, vision) for name, color in colors.items()}
    for a, b in itertools.combinations(places, 2):
        distance = sum((x - y) ** 2 for x, y in zip(places[a], places[b])) ** 0.5
        if distance < LEAST:
            yield f"{a} and {b}: {distance:.1f}"


def main():
    source = (pathlib.Path(sys.argv[1]) / "src/render/writers/palette.c").read_text()
    rows = re.findall(r'\[TCPWHY_(\w+)\] = \{ "(#\w{6})", "(#\w{6})" \}', source)
    with Tap() as tap:
        for at, ground in ((1, "light"), (2, "dark")):
            colors = {row[0]: row[at] for row in rows if row[0] not in APART}
            for vision in VISIONS:
                tap.check(f"{len(colors)} causes on {ground} ground are told apart with {vision}", list(too_close(colors, vision)))


if __name__ == "__main__":
    main()
