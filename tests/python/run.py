#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP LIBTCPWHY_SO: run the tests of the Python package with pytest (test_tcpwhy.py), and check its types with
mypy."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sanitizer  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

try:
    import cffi  # noqa: F401
    import pytest
except ImportError as missing:
    skip_all(f"{missing} here")


def run(*command):
    return subprocess.run(command, text=True, capture_output=True, check=False)


class Told:
    """Each test of pytest as a test of ours; its name is a sentence."""

    def __init__(self, tap):
        self.tap = tap

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.split("::")[-1].removeprefix("test_").replace("_", " ")
        if report.skipped:
            self.tap.skip(name, report.longrepr[2])
        elif report.when == "call" or report.failed:
            self.tap.check(name, report.longreprtext if report.failed else None)


def main():
    top, library = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    sanitizer.come_first(library)
    os.environ["TCPWHY_LIBRARY"] = os.path.realpath(library)
    os.environ["TCPWHY_TOP"] = str(top)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(top / "python"))
    with Tap() as tap:
        tests = str(pathlib.Path(__file__).with_name("test_tcpwhy.py"))
        status = pytest.main(["-p", "no:cacheprovider", "-p", "no:terminal", "-c", os.devnull, tests], plugins=[Told(tap)])
        tap.check("pytest ran", None if status in (0, 1) else f"it ended with {status}")
        if shutil.which("mypy"):
            os.environ.pop("LD_PRELOAD", None)
            os.environ["MYPYPATH"] = str(top / "python")
            done = run("mypy", "--cache-dir", os.devnull, "--config-file", str(top / "python/pyproject.toml"), str(top / "python/tcpwhy"))
            tap.check("mypy --strict finds nothing", done.stdout + done.stderr if done.returncode else None)
            done = run("mypy", "--cache-dir", os.devnull, "--config-file", str(top / "python/pyproject.toml"), str(top / "examples/python/slow_requests.py"))
            tap.check("nor in a program that uses the package", done.stdout + done.stderr if done.returncode else None)
        else:
            tap.skip("mypy --strict finds nothing", "no mypy here")


if __name__ == "__main__":
    main()
