#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TCPWHY: files that are not captures, or truncated ones, get one clear message.

Nothing readable: exit status 1, nothing on stdout, one line on stderr that names the file. Partly readable: exit status
0 and a note in the document. Sanitizer reports fail the test, too.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
REPORT = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:")


def ethernet(kind, payload):
    return bytes(12) + struct.pack(">H", kind) + payload


def ipv4(protocol, payload):
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0, b"\x0a\x00\x00\x01", b"\x0a\x00\x00\x02") + payload


SYN = ethernet(0x0800, ipv4(6, struct.pack(">HHIIHHHH", 40000, 80, 1000, 0, 0x5002, 65535, 0, 0)))
UDP = ethernet(0x0800, ipv4(17, struct.pack(">HHHH", 53, 53, 8, 0)))


def record(packet, second=1, captured=None, original=None):
    return struct.pack("<IIII", second, 0, len(packet) if captured is None else captured,
                       len(packet) if original is None else original) + packet


def run(tool, *arguments, stdin=None):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, timeout=60, check=False,
                          input=stdin, stdin=subprocess.DEVNULL if stdin is None else None)


def refused(tool, path, stdin=None):
    """Problems, when the file should have been refused."""
    done = run(tool, path, stdin=stdin)
    said = done.stderr.decode(errors="replace")
    out = []
    if REPORT.search(said):
        return [said]
    if done.returncode != 1:
        out.append(f"exit {done.returncode}, not 1")
    if done.stdout:
        out.append(f"something on stdout: {done.stdout[:200]!r}")
    if said.count("\n") != 1 or not said.startswith("tcpwhy: ") or (path != "-" and str(path) not in said):
        out.append(f"not one line 'tcpwhy: FILE: what, and what to do': {said!r}")
    return out


def read_in_part(tool, path, frames, noted, says=b""):
    """Problems, when the beginning should have been read; noted: the rest is told in capture.quality; says: on the screen."""
    done = run(tool, "--json", path)
    said = done.stderr.decode(errors="replace")
    if REPORT.search(said):
        return [said]
    if done.returncode:
        return [f"exit {done.returncode}, not 0: {said}"]
    capture = json.loads(done.stdout)["capture"]
    out = [] if capture["frames"] == frames else [f"{capture['frames']} frames read, not {frames}"]
    if noted and not capture.get("quality"):
        out.append("nothing noted in capture.quality")
    screen = run(tool, path)
    if screen.returncode or not screen.stdout or says not in screen.stdout + screen.stderr:
        out.append(f"the screen: exit {screen.returncode}, {screen.stdout!r} {screen.stderr!r}")
    return out


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder, Tap() as tap:
        at = pathlib.Path(folder)

        def file(name, content):
            (at / name).write_bytes(content)
            return at / name

        tap.check("a file that does not exist is refused", refused(tool, at / "missing.pcap"))
        tap.check("a directory is refused", refused(tool, at))
        tap.check("an empty file is refused", refused(tool, file("empty.pcap", b"")))
        tap.check("a text file is refused", refused(tool, file("notes.txt", b"This is no capture.\n" * 50)))
        tap.check("a file that ends inside its header is refused", refused(tool, file("short.pcap", HEADER[:13])))
        tap.check("an empty standard input is refused", refused(tool, "-", stdin=b""))

        tap.check("a capture without frames is read", read_in_part(tool, file("none.pcap", HEADER), 0, False))
        tap.check("a capture without TCP is read, and says so",
                  read_in_part(tool, file("udp.pcap", HEADER + record(UDP)), 1, False, b"no TCP"))
        tap.check("a capture that ends inside a record is read to there",
                  read_in_part(tool, file("cut.pcap", HEADER + record(SYN) + record(SYN)[:40]), 1, True))
        tap.check("a capture that ends inside a record's header is read to there",
                  read_in_part(tool, file("cut2.pcap", HEADER + record(SYN) + record(SYN)[:7]), 1, True))
        tap.check("a record longer than any packet ends the reading",
                  read_in_part(tool, file("huge.pcap", HEADER + record(SYN) + record(SYN, captured=0x7FFFFFFF)), 1, True))
        tap.check("a packet that claims less on the wire than was captured is noted",
                  read_in_part(tool, file("longer.pcap", HEADER + record(SYN, original=20)), 1, True))
        longer = SYN[:16] + struct.pack(">H", 60000) + SYN[18:]
        tap.check("an IP length longer than the frame is read as far as it goes",
                  read_in_part(tool, file("claims.pcap", HEADER + record(longer)), 1, False))
        tap.check("a TCP header that ends too early is read over",
                  read_in_part(tool, file("header.pcap", HEADER + record(SYN[:40]) + record(SYN)), 2, False))
        whole = run(tool, "--json", "-", stdin=HEADER + record(SYN))
        tap.check("standard input is read", None if whole.returncode == 0 else whole.stderr.decode(errors="replace"))
        usage = run(tool, "--no-such-option")
        tap.check("an unknown option is a matter of usage (exit 2)", None if usage.returncode == 2 else f"exit {usage.returncode}")


if __name__ == "__main__":
    main()
