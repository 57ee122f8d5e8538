#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP BUILD: what makes releases fits what is built: recipes of packages, workflows, the bill of materials."""
import fnmatch
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

# The folders that names of a recipe stand for.
MACROS = {"%{_bindir}": "/bin", "%{_mandir}": "/share/man", "%{_datadir}": "/share", "%{_libdir}": "/lib", "%{_includedir}": "/include"}
# Of Meson itself, among the options that recipes set.
OF_MESON = {"default_library", "prefer_static", "buildtype"}


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **more)


def said(done):
    return done.stdout + done.stderr if done.returncode else None


def has_module(name):
    return importlib.util.find_spec(name) is not None


def build_options(build):
    return {o["name"]: o["value"] for o in json.loads((build / "meson-info/intro-buildoptions.json").read_text())}


def installed(build):
    """Where a build installs its files, below the prefix, with the folder of libraries as /lib."""
    options = build_options(build)
    for path in json.loads((build / "meson-info/intro-installed.json").read_text()).values():
        yield path.removeprefix(options["prefix"]).replace(f"/{options['libdir']}/", "/lib/")


def listed(spec):
    """The patterns of the files of an RPM's packages, in the same form."""
    for section in re.findall(r"^%files.*\n((?:.+\n)+)", spec, re.M):
        for line in section.splitlines():
            if not line.startswith(("%doc", "%license")):
                for macro, folder in MACROS.items():
                    line = line.replace(macro, folder)
                yield line


def unlike(spec, build):
    """Files in no package, and patterns of no file. An RPM has no static library, and no plugin."""
    files = [f for f in installed(build) if not f.endswith(".a") and "/wireshark/" not in f]
    patterns = list(listed(spec))
    for file in files:
        if not any(fnmatch.fnmatch(file, p + "*" if p.endswith("/") else p) for p in patterns):
            yield f"{file} is in no package"
    for pattern in patterns:
        if not any(fnmatch.fnmatch(file, pattern + "*" if pattern.endswith("/") else pattern) for file in files):
            yield f"{pattern} is no file"


def misplaced(changelog, version):
    """What is wrong with the order of the releases. What is not released yet stands before them, if there is any."""
    _, *sections = re.split(r"^## ", changelog, flags=re.M)
    titles = [section.partition("\n")[0] for section in sections]
    if titles[0] == "[Unreleased]":
        if not re.search(r"^- ", sections[0], re.M):
            yield "nothing is unreleased"
        titles.pop(0)
    dated = [re.fullmatch(r"\[([\d.]+)\] - (\d{4}-\d\d-\d\d)", title) for title in titles]
    if not all(dated):
        yield f"{titles}: not each is [VERSION] - DATE"
        return
    if dated[0][1] != version:
        yield f"{dated[0][1]} comes first"
    numbers = [[int(n) for n in d[1].split(".")] for d in dated]
    if numbers != sorted(numbers, reverse=True) or [d[2] for d in dated] != sorted((d[2] for d in dated), reverse=True):
        yield f"{titles}: not the newest first"


def check_recipes(tap, top, build):
    spec, apk = (top / "packaging/tcpwhy.spec").read_text(), (top / "packaging/APKBUILD").read_text()
    version = re.search(r"^  version: '(.*)'", (top / "meson.build").read_text(), re.M)[1]
    versions = {"tcpwhy.spec": re.search(r"^Version: *(.*)", spec, re.M)[1], "APKBUILD": re.search(r"^pkgver=(.*)", apk, re.M)[1],
                "pyproject.toml": re.search(r'^version = "(.*)"', (top / "python/pyproject.toml").read_text(), re.M)[1],
                "debian/changelog": re.match(r"tcpwhy \(([^)-]*)", (top / "debian/changelog").read_text())[1]}
    tap.check("the recipes and packages have the version of the project", [f"{name} has {v}" for name, v in versions.items() if v != version])
    tap.check("the changelog is by release, the project's first", list(misplaced((top / "CHANGELOG.md").read_text(), version)))
    known = set(re.findall(r"^option\('(\w+)'", (top / "meson_options.txt").read_text(), re.M)) | OF_MESON
    used = {name: set(re.findall(r"-D(\w+)=", text)) for name, text in (("tcpwhy.spec", spec), ("APKBUILD", apk))}
    tap.check("the options that they set are there", [f"{name}: {o}" for name, options in used.items() for o in options - known])
    name = "each file that is installed is in a package of the RPM, and no other"
    if build_options(build)["default_library"] == "static":
        tap.skip(name, "this build has no shared library")
    else:
        tap.check(name, list(unlike(spec, build)))
    tap.check("the recipe for Alpine is shell", said(run("sh", "-n", top / "packaging/APKBUILD")))
    for tool, *arguments in (("rpmspec", "-P"), ("rpmlint", "-r", top / "packaging/tcpwhy.rpmlintrc")):
        name = f"{tool} takes the RPM's recipe"
        if shutil.which(tool):
            tap.check(name, said(run(tool, *arguments, top / "packaging/tcpwhy.spec")))
        else:
            tap.skip(name, f"no {tool} here")


def check_workflows(tap, top):
    workflows = sorted((top / ".github/workflows").glob("*.yml"))
    names = {(w.name, s) for w in workflows for s in re.findall(r"(?:^|[ &])(scripts/[\w.-]+|\./[\w]+)", w.read_text())}
    tap.check("what the workflows run is there, and can be run", [f"{w}: {s}" for w, s in sorted(names) if not os.access(top / s, os.X_OK)])
    if has_module("check_jsonschema"):
        done = run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
        tap.check("the workflows are valid by the schema of GitHub's", said(done))
    else:
        tap.skip("the workflows are valid by the schema of GitHub's", "no check-jsonschema here")


def check_bill(tap, top, build, folder):
    shipped = folder / "shipped"
    shipped.write_bytes(b"bytes")
    done = run(sys.executable, top / "scripts/sbom.py", build, "--file", shipped)
    if tap.check("there is a bill of materials", said(done)) or done.returncode:
        return
    bill = json.loads(done.stdout)
    refs = [c["bom-ref"] for c in bill["components"]]
    tap.check("it names each library once, and what is copied into the sources",
              [f"not one {name}" for name in ("glib-2.0", "libpcap", "uplot") if sum(r.startswith(name + "@") for r in refs) != 1])
    digest = hashlib.sha256(b"bytes").hexdigest()
    tap.check("it has the checksum of what is shipped", None if digest in done.stdout else done.stdout)
    (folder / "linked").write_text("zlib 1:1.2 deb/debian/zlib\n")
    static = json.loads(run(sys.executable, top / "scripts/sbom.py", folder).stdout)
    tap.check("of a static program it names what was linked", None if "pkg:deb/debian/zlib@1%3A1.2" in [c["purl"] for c in static["components"]] else str(static))
    name = "it is valid by the schema of CycloneDX 1.5"
    if has_module("cyclonedx") and has_module("jsonschema"):
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
        wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(done.stdout)
        tap.check(name, str(wrong) if wrong else None)
    else:
        tap.skip(name, "no cyclonedx-python-lib here")


def main():
    top, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not (build / "meson-info/intro-installed.json").exists():
        skip_all("no build folder of Meson")
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        check_recipes(tap, top, build)
        check_workflows(tap, top)
        check_bill(tap, top, build, pathlib.Path(folder))


if __name__ == "__main__":
    main()
