# SPDX-License-Identifier: MIT
"""What scenarios are made of: the record itself, the link's settings, and the usual flows between the two hosts."""
import host

MBIT = 1e6
PORT = 9000
# Small next to any round trip, and large enough to fill the link: 64 full frames.
QUEUE = 64 * 1514


def link(rtt_ms, rate_mbit=0, queue=QUEUE, down=None, up=None):
    """Both directions alike, except for `down` (server to client) and `up`."""
    both = {"delay_us": rtt_ms * 500}
    if rate_mbit:
        both |= {"rate_bps": rate_mbit * MBIT, "queue_bytes": queue}
    return {"a2b": both | (up or {}), "b2a": both | (down or {})}


def endpoint(who, family, port):
    """The side that can fix it, as `expected.endpoint` writes it."""
    if who == "client":
        return host.CLIENT[family]
    if who == "server":
        address = host.SERVER[family]
        return f"[{address}]:{port}" if family == "6" else f"{address}:{port}"
    return who


def scenario(name, primary, at, flows, path, **more):
    """One row of the table. `at` is the side that can fix the cause; everything in `more` replaces a default below.

    `blind` names causes that are right only from one end, {"server": ["none"]}, where that end cannot see the trouble.
    """
    expected = {"primary": primary, "endpoint": endpoint(at, more.get("family", "4"), flows[0]["port"])}
    for key in ("alternatives", "never", "never_certain", "contains", "detail", "blind"):
        value = more.pop(key, None)
        if value:
            expected[key] = value
    defaults = {
        "seconds": 30, "linger_ms": 60, "family": "4", "mtu": 1500, "offload": False, "one_by_one": False, "until_ms": 0,
        "sysctl": {}, "setup": {}, "stack": {}, "stack_settings": {}, "snap": {"client": 128, "server": 128},
    }  # fmt: skip
    unknown = set(more) - set(defaults)
    assert not unknown, f"{name}: {unknown}"
    return {"scenario": name, "expected": expected, "link": path, "flows": flows} | defaults | more


def flow(client, server, port=PORT, **more):
    """`server` ends by waiting for the client to close, so that its TCP_INFO covers everything."""
    return {"port": port, "client": client, "server": [*server, ["drain"]]} | more


def pieces(sizes, gap_ms):
    """Writes with a pause between each two."""
    steps = []
    for i, size in enumerate(sizes):
        if i and gap_ms:
            steps.append(["sleep", gap_ms])
        steps.append(["write", size])
    return steps


def exchanges(count, request=(100,), reply=(1000,), think_ms=0, gap_ms=0, idle_ms=0, request_gap_ms=0, **more):
    """Requests and replies in turn on one connection; sizes of the writes are given for each."""
    think = [["sleep", think_ms]] if think_ms else []
    idle = [["sleep", idle_ms]] if idle_ms else []
    client = ["repeat", count, ["begin"], *pieces(request, request_gap_ms), ["read", sum(reply)], ["end"], *idle]
    server = ["repeat", count, ["read", sum(request)], *think, *pieces(reply, gap_ms)]
    return flow([client], [server], **more)


def download(size, chunk=0, **more):
    write = ["write_chunks", size, chunk] if chunk else ["write", size]
    return flow([["begin"], ["write", 100], ["read", size], ["end"]], [["read", 100], write], **more)


def upload(size, chunk=0, **more):
    write = ["write_chunks", size, chunk] if chunk else ["write", size]
    return flow([["begin"], write, ["read", 10], ["end"]], [["read", size], ["write", 10]], **more)


def name_ms(value):
    """0.3 as "0p3": dots do not belong in folder names."""
    return f"{value:g}".replace(".", "p")
