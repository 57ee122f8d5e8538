#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""embed.py OUTPUT NAME=FILE[,FILE...]...: files as C constants tw_asset_NAME, concatenated by name, with their hashes
for a Content-Security-Policy."""
import base64
import hashlib
import pathlib
import sys

HEAD = """/* SPDX-License-Identifier: MIT */
/* Written by tools/dev/embed.py. */
#include "render/writers/html_assets.h"
"""


def read(path):
    """The file's bytes; a licence as a comment, so that what it covers never travels without it."""
    data = path.read_bytes().rstrip()
    return b"/*!\n" + data + b"\n*/" if path.name == "LICENSE" else data


def constant(name, data):
    rows = [data[i:i + 32] for i in range(0, len(data), 32)]
    body = "".join("    " + "".join(f"{byte}," for byte in row) + "\n" for row in rows)
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    return (f"\nstatic const unsigned char {name}_bytes[] = {{\n{body}}};\n"
            f"const struct tw_asset tw_asset_{name} = {{ {name}_bytes, sizeof({name}_bytes), \"sha256-{digest}\" }};\n")


def main():
    text = HEAD
    for asset in sys.argv[2:]:
        name, files = asset.split("=", 1)
        data = b"\n".join(read(pathlib.Path(file)) for file in files.split(",")) + b"\n"
        # Nothing may end the element early in which the page holds it.
        if b"</" in data and (b"</script" in data.lower() or b"</style" in data.lower()) or b"<!--" in data:
            sys.exit(f"embed.py: {files}: holds markup that would end its element")
        text += constant(name, data)
    pathlib.Path(sys.argv[1]).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
