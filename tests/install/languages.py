# SPDX-License-Identifier: MIT
"""Part of run.py: the examples for CMake, Go and Rust find the installed library, where their tools are."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sanitizer  # noqa: E402

FINDING = r"^28521\.1 ms nagle_delayed_ack \(certain\): .*TCP_NODELAY"
VERDICT = "^verdict: nagle_delayed_ack$"


def run(environment, *command, cwd=None):
    return subprocess.run([str(c) for c in command], text=True, capture_output=True, check=False, timeout=280, env=environment, cwd=cwd)


def said(done):
    return done.stdout + done.stderr if done.returncode else None


def cmake(environment, prefix, source, folder):
    flags = [f"-DCMAKE_C_FLAGS={' '.join(prefix.sanitize)}", f"-DCMAKE_PREFIX_PATH={prefix.prefix}"]
    done = run(environment, "cmake", "-S", source, "-B", folder / "cmake", *flags)
    return folder / "cmake/diagnose", done if done.returncode else run(environment, "cmake", "--build", folder / "cmake")


def go(environment, prefix, source, folder):
    environment = {**environment, "GOCACHE": str(folder / "go-cache"), "GOFLAGS": "-buildvcs=false", "CGO_ENABLED": "1"}
    return folder / "go-diagnose", run(environment, "go", "build", "-o", folder / "go-diagnose", ".", cwd=source)


def rust(environment, prefix, source, folder):
    # bindgen takes half a minute to build: kept beside the build.
    target = prefix.build / "cargo"
    return target / "debug/diagnose", run(environment, "cargo", "build", "--quiet", "--locked", "--manifest-path", source / "Cargo.toml",
                                          "--target-dir", target)


TOOLS = {"cmake": cmake, "go": go, "rust": rust}
COMMANDS = {"rust": "cargo"}


def without_network(done):
    return re.search("download|Could not resolve|failed to fetch|index", done.stderr) and done.returncode


def check_languages(tap, prefix, examples, capture):
    preload = sanitizer.preload(prefix.libraries / "libtcpwhy.so")
    for name, build in TOOLS.items():
        command, builds, works = COMMANDS.get(name, name), f"examples/{name} builds", f"examples/{name}: a finding and the verdict"
        if not shutil.which(command):
            tap.skip(builds, f"no {command} here")
            continue
        program, done = build(prefix.environment, prefix, examples / name, prefix.folder)
        if name == "rust" and without_network(done):
            tap.skip(builds, "crates cannot be fetched here")
            continue
        tap.check(builds, said(done))
        if done.returncode:
            continue
        done = run({**prefix.environment, **preload}, program, capture)
        missing = [f"not there: {p}" for p in (FINDING, VERDICT) if not re.search(p, done.stdout, re.M)]
        tap.check(works, [*missing, done.stdout, done.stderr] if done.returncode or missing else None)
