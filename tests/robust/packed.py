#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""packed.py TCPWHY CAPTURE: a compressed capture, in one member or many, gives the same result as the plain one."""
import bz2
import gzip
import json
import lzma
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)

# What unpacks to far more than it is may not show in memory. The address sanitizer keeps what was
# freed; not much, here.
MOST_KIB = 150 * 1024
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=8:" + os.environ.get("ASAN_OPTIONS", ""))


def by_command(*command):
    return lambda content: subprocess.run(command, input=content, capture_output=True, check=True).stdout


def packers():
    """Name, function; None where the tool for it is not here."""
    yield "gzip", gzip.compress
    yield "xz", lzma.compress
    for name, command in (("zstd", ("zstd", "-q", "-c")), ("lz4", ("lz4", "-q", "-c", "-B4"))):
        yield name, by_command(*command) if shutil.which(name) else None


def document(tool, path, stdin=None, options=()):
    """What tcpwhy says of it, but for the file's name; or its error."""
    done = subprocess.run([tool, "--json", *options, str(path)], input=stdin, capture_output=True, timeout=120, env=ENVIRONMENT, check=False)
    if done.returncode:
        return done.stderr.decode(errors="replace")
    said = json.loads(done.stdout)
    del said["capture"]["file"]
    return said


def facts(said):
    return sorted(q["fact"] for q in said["capture"]["quality"]) if isinstance(said, dict) else said


def differs(got, wanted):
    return None if got == wanted else f"not as plain: {str(got)[:300]}"


def check_format(tap, tool, folder, name, pack, content):
    plain = document(tool, "-", content)
    whole = pack(content)
    file = folder / "capture.pcap"  # the name tells nothing

    def read(packed):
        file.write_bytes(packed)
        return document(tool, file)

    tap.check(f"{name}: a file reads as it does plain", differs(read(whole), plain))
    tap.check(f"{name}: standard input too", differs(document(tool, "-", whole), plain))
    parts = [content[i:i + 10007] for i in range(0, len(content), 10007)]
    tap.check(f"{name}: {len(parts)} members, one behind the other, are one capture", differs(read(b"".join(map(pack, parts))), plain))
    tap.check(f"{name}: compressed twice is read too", differs(read(pack(whole)), plain))
    half = read(whole[:len(whole) // 2])
    tap.check(f"{name}: cut short it is read to the cut, and says so",
              None if isinstance(half, dict) and "cut_short" in facts(half) and half["capture"]["frames"] > 0 else f"{facts(half)}")
    spoilt = bytearray(whole)
    spoilt[len(whole) // 2:len(whole) // 2 + 64] = bytes(64)
    got = read(bytes(spoilt))
    known = {"damaged_archive", "bad_record"}  # what comes out before a checksum fails may be no record
    tap.check(f"{name}: damaged it is read to the damage, and says so", None if known & set(facts(got)) else f"{facts(got)}")


def check_bomb(tap, tool, folder):
    frames = 150000
    record = struct.pack("<IIII", 1, 0, 1400, 1400) + bytes(1400)
    file = folder / "bomb"
    with gzip.open(file, "wb", 1) as packed:
        packed.write(HEADER)
        for _ in range(frames // 1000):  # piece by piece: a child's peak is never below its parent's
            packed.write(record * 1000)
    said = document(tool, file)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    ok = isinstance(said, dict) and said["capture"]["frames"] == frames
    tap.check(f"{file.stat().st_size} bytes that unpack to {len(record) * frames} take no more memory", [
        *([] if ok else [str(said)[:300]]), *([f"{after} KiB"] if after > MOST_KIB else [])])
    for threads in ("1", "2"):
        said = document(tool, file, options=("--unpack-limit", "10M", "--threads", threads))
        want = (10 * 2**20 - len(HEADER)) // len(record)
        ok = isinstance(said, dict) and said["capture"]["frames"] == want and "unpack_limit" in facts(said)
        tap.check(f"with --unpack-limit it is read to the limit, and says so ({threads} threads)", None if ok else f"{str(said)[:300]}")
    said = document(tool, file, options=("--unpack-limit", "10G"))
    tap.check("a limit beyond its end is not told", None if "unpack_limit" not in facts(said) else "told")


def main():
    tool, capture = sys.argv[1], pathlib.Path(sys.argv[2])
    content = capture.read_bytes()
    with tempfile.TemporaryDirectory() as name, Tap() as tap:
        folder = pathlib.Path(name)
        for name, pack in packers():
            if not pack:
                tap.skip(f"{name} captures", f"no {name} here")
            elif "built without" in str(document(tool, "-", pack(content))):
                tap.skip(f"{name} captures", "built without it")
            else:
                check_format(tap, tool, folder, name, pack, content)
        said = document(tool, "-", bz2.compress(content))
        tap.check("what we do not decompress is refused with the command that does", None if "bzcat FILE | tcpwhy -" in str(said) else str(said)[:300])
        check_bomb(tap, tool, folder)


if __name__ == "__main__":
    main()
