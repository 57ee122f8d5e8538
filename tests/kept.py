# SPDX-License-Identifier: MIT
"""What other programs say of the same input each time, kept from one build folder to the next in the user's cache
(or TCPWHY_KEPT), under a hash of all that it depends on. What was not used for a month is removed."""
import contextlib
import functools
import gzip
import hashlib
import json
import os
import pathlib
import tempfile
import time

UNUSED_S = 30 * 24 * 3600


@functools.cache
def folder(name):
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    path = pathlib.Path(os.environ.get("TCPWHY_KEPT") or pathlib.Path(cache) / "tcpwhy-tests", name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        # A user without a home: kept for this run alone.
        return pathlib.Path(tempfile.mkdtemp(prefix="tcpwhy-tests-"))
    for old in path.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another run was quicker
            if old.stat().st_mtime < time.time() - UNUSED_S:
                old.unlink()
    return path


def key_of(*parts):
    """A key of bytes and texts, each with its length."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        total.update(b"%d " % len(data) + data)
    return total.hexdigest()


def value(name, key, make, keeps=lambda made: True):
    """What make() returned for that key, in this run or an earlier one: values of JSON, if keeps() takes them."""
    path = folder(name) / f"{key}.json.gz"
    try:
        found = json.loads(gzip.decompress(path.read_bytes()))
        os.utime(path)
        return found
    except (OSError, EOFError, ValueError):  # there is none, or a broken one
        made = make()
    if not keeps(made):
        return made
    own = path.with_suffix(f".{os.getpid()}")
    own.write_bytes(gzip.compress(json.dumps(made).encode(), 1))
    own.replace(path)
    return made
