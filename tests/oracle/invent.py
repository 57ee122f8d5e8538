# SPDX-License-Identifier: MIT
"""Generate captures of connections that no stack would have: random flags, numbers at decision boundaries, few frames
each.

They reach the limits of tshark's comparisons, which real traffic does not. Reproducible by seed.
"""
import random
import struct

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
ODD_FLAGS = [0, FIN, SYN | FIN, PSH, PSH | FIN, PSH | ACK | FIN, SYN | ACK | FIN, SYN | RST, SYN | RST | FIN, RST | FIN,
             RST | ACK | FIN, SYN | RST | ACK]
ISNS = [0, 1000, 0x7ffffff8, 123456789, 0xfffffff0, 0xffffffff]
LINKTYPE_RAW = 101
MASK = 0xffffffff


def header():
    return struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, LINKTYPE_RAW)


def record(time_us, source, destination, tcp, length, snap):
    """source and destination: (address, port); tcp: everything of the header after the ports; snap: bytes kept."""
    segment = struct.pack("!HH", source[1], destination[1]) + tcp + b"x" * length
    packet = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0, 64, 6, 0) + source[0] + destination[0] + segment
    return struct.pack("<IIII", time_us // 10**6, time_us % 10**6, min(len(packet), snap), len(packet)) + packet[:snap]


class Connection:
    """A few frames between two ends; each draws on what the ends have sent so far."""

    def __init__(self, dice, number, odd):
        self.dice, self.odd = dice, odd
        self.ends = [(bytes([10, 0, number >> 8 & 255, number & 255]), 1024 + number % 60000), (bytes([10, 1, 0, 1]), 80)]
        self.isn = [dice.choice([*ISNS, dice.getrandbits(32)]) for _ in range(2)]
        self.midstream = dice.random() < .3
        self.next = [n + self.midstream for n in self.isn]
        self.acked = [0, 0]
        self.window = [dice.choice([0, 100, 1000]) for _ in range(2)]
        self.time_us = 10**12 + number * 10**6

    def kind(self, index):
        """Sender, flags and length of a frame; the first three are mostly a handshake."""
        dice = self.dice
        side = dice.randint(0, 1)
        if not self.midstream and index == 0:
            return 0, SYN, 0
        if not self.midstream and index == 1 and dice.random() < .8:
            return 1, SYN | ACK, 0
        length = dice.choice([0, 0, 0, 1, 1, 2, 10, 10, 20])
        if not self.midstream and index == 2 and dice.random() < .8:
            return 0, ACK, length
        flags = dice.choices([ACK | FIN, RST, RST | ACK, SYN | ACK, SYN, PSH | ACK, dice.choice(ODD_FLAGS), ACK],
                             [6, 2, 2, 3, 3, 25, 4 if self.odd else 0, 55])[0]
        return side, flags, length

    def numbers(self, side, flags):
        dice = self.dice
        seq, ack = self.next[side], self.next[1 - side] if dice.random() < .6 else self.acked[side]
        if flags & SYN:
            seq = self.isn[side] + (0 if dice.random() < .85 else dice.choice([1, 7, 100]))
        elif dice.random() < .25:
            seq += dice.choice([-1, -1, -1, -2, -10, -20, -20, -30, 1, 10, 20])
        if dice.random() < .12:
            ack += dice.choice([1, 10, 20, -10, -1])
        if not flags & ACK and dice.random() < .9:
            ack = 0
        return seq & MASK, ack & MASK

    def options(self, side, flags):
        dice = self.dice
        if flags & SYN:
            return bytes([3, 3, dice.choice([0, 2, 7, 15]), 1]) if dice.random() < .5 else b""
        if dice.random() > .08:
            return b""
        lefts = [(self.next[1 - side] + dice.choice([-20, -10, 0, 10])) & MASK for _ in range(dice.randint(1, 4))]
        blocks = b"".join(struct.pack("!II", left, (left + dice.choice([5, 10, 20])) & MASK) for left in lefts)
        return bytes([1, 1, 5, 2 + len(blocks)]) + blocks

    def header_words(self, options, length):
        """The header's length as it tells it; sometimes too short for a header, or longer than the segment."""
        dice = self.dice
        whole = (20 + options) // 4
        if not self.odd or dice.random() > .04:
            return whole
        longer = (20 + options + length) // 4 + 1
        return dice.choice([dice.randint(0, 4), dice.randint(longer, 15) if longer < 16 else whole])

    def snap(self):
        """Sometimes a frame ends within its TCP header, behind the window field."""
        dice = self.dice
        return dice.randint(36, 66) if self.odd and dice.random() < .1 else 65535

    def frame(self, index):
        dice = self.dice
        side, flags, length = self.kind(index)
        seq, ack = self.numbers(side, flags)
        options = self.options(side, flags)
        self.time_us += dice.choice([0, 100, 1000, 1000, 2500, 5000, 15000, 25000, 300000])
        if self.odd and dice.random() < .03:
            self.time_us -= dice.choice([1, 1000, 100000])
        if dice.random() < .15:
            self.window[side] = dice.choice([0, 0, 10, 20, 100, 1000])
        end = (seq + length + bool(flags & (SYN | FIN))) & MASK
        if (end - self.next[side]) & MASK < 1 << 31:
            self.next[side] = end
        self.acked[side] = ack
        words = self.header_words(len(options), length)
        tcp = struct.pack("!IIBBHHH", seq, ack, words << 4, flags, self.window[side], 0, 0) + options
        return record(self.time_us, self.ends[side], self.ends[1 - side], tcp, length, self.snap())


def capture(seed, connections, odd):
    """A pcap file's bytes. odd: flags that contradict themselves, frames cut short and a clock that jumps back, too."""
    dice = random.Random(seed)
    parts = [header()]
    for number in range(connections):
        connection = Connection(dice, number, odd)
        parts += [connection.frame(index) for index in range(dice.randint(3, 14))]
    return b"".join(parts)
