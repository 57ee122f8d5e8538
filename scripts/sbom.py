#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sbom.py FOLDER... [--file FILE...]: the bill of materials (CycloneDX 1.5) of what was built: tcpwhy, what is copied into its
sources, and of each folder the libraries: those that scripts/static.sh linked, or that meson found for a build folder. The
files that are shipped are named with their checksums."""
import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import urllib.parse

TOP = pathlib.Path(__file__).resolve().parent.parent
# The compiler's own, those of tests, and those of the plugin, which no file that is shipped here holds.
NOT_INSIDE = {"threads", "m", "cmocka", "wireshark", "libsystemd"}


def component(name, version, purl, **more):
    return {"type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version, "purl": purl, **more}


def linked(folder):
    """Of a static program; each line is a name, a version and, as a package URL has it, where it comes from."""
    for line in (folder / "linked").read_text().splitlines():
        name, version, origin = line.split()
        yield component(name, version, f"pkg:{origin}@{urllib.parse.quote(version)}")


def found(folder):
    done = subprocess.run(["meson", "introspect", "--dependencies", str(folder)], check=True, capture_output=True, text=True)
    for library in json.loads(done.stdout):
        if library["name"] not in NOT_INSIDE and library.get("version") not in (None, "", "unknown"):
            yield component(library["name"], library["version"], f"pkg:generic/{library['name']}@{library['version']}")


def copied():
    text = (TOP / "src/render/vendor/uplot/README.md").read_text()
    version = re.search(r"uplot@(\d+\.\d+\.\d+)", text)[1]
    yield component("uplot", version, f"pkg:npm/uplot@{version}", licenses=[{"license": {"id": "MIT"}}])


def shipped(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"type": "file", "bom-ref": f"file:{path.name}", "name": path.name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def bill(folders, files):
    version = re.search(r"^  version: '(.*)'", (TOP / "meson.build").read_text(), re.M)[1]
    own = component("tcpwhy", version, f"pkg:generic/tcpwhy@{version}", licenses=[{"license": {"id": "MIT"}}])
    own["type"] = "application"
    libraries = {c["bom-ref"]: c for folder in folders for c in (linked if (folder / "linked").exists() else found)(folder)}
    libraries.update({c["bom-ref"]: c for c in copied()})
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": own},
            "components": [libraries[ref] for ref in sorted(libraries)] + [shipped(path) for path in sorted(files)],
            "dependencies": [{"ref": own["bom-ref"], "dependsOn": sorted(libraries)}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=pathlib.Path)
    parser.add_argument("--file", dest="files", nargs="*", default=[], type=pathlib.Path)
    arguments = parser.parse_args()
    print(json.dumps(bill(arguments.folders, arguments.files), indent=2))


if __name__ == "__main__":
    main()
