#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP BUILD: the examples build against the installed library with pkg-config, in a temporary prefix, and work."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pcapfile  # noqa: E402
from languages import check_languages  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command, **more):
    return subprocess.run([str(c) for c in command], text=True, capture_output=True, check=False, timeout=120, **more)


class Prefix:
    """The library as `meson install` puts it into a temporary folder."""

    def __init__(self, build, folder):
        self.problem = None
        done = run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", folder / "root")
        if done.returncode:
            self.problem = done.stdout + done.stderr
            return
        pc = next((folder / "root").rglob("tcpwhy.pc"))
        self.libraries = pc.parent.parent
        self.prefix = folder / "root" / re.search(r"^prefix=/(.*)", pc.read_text(), re.M).group(1)
        self.folder, self.build = folder, build
        # As if it had been installed there: not every build system passes --define-variable on.
        pc.write_text(re.sub("^prefix=.*", f"prefix={self.prefix}", pc.read_text(), flags=re.M))
        self.environment = dict(os.environ, PKG_CONFIG_PATH=str(pc.parent), LD_LIBRARY_PATH=str(self.libraries),
                                UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")
        # A sanitized library wants programs that are built likewise.
        symbols = run("nm", "-D", self.libraries / "libtcpwhy.so").stdout
        self.sanitize = ["-fsanitize=address,undefined"] if "__asan_init" in symbols else []

    def flags(self, *more):
        done = run("pkg-config", *more, "tcpwhy", env=self.environment)
        return done.stdout.split()

    def compile(self, source, name, *more, static=False):
        """Compile an example. The program, and what went wrong."""
        plus = source.suffix == ".cpp"
        libraries = self.flags("--libs", *(["--static"] if static else []))
        if static:
            libraries[libraries.index("-ltcpwhy")] = "-l:libtcpwhy.a"
        command = ["c++", "-std=c++17"] if plus else ["cc", "-std=c11", "-D_DEFAULT_SOURCE"]
        done = run(*command, *WARNINGS, *self.sanitize, *self.flags("--cflags"), source, "-o", self.folder / name, *libraries, *more)
        return self.folder / name, done.stderr if done.returncode else None

    def run(self, program, *arguments):
        return run(program, *arguments, env=self.environment)


def outcome(done, *patterns):
    """What is wrong with a run that should succeed and print these."""
    missing = [f"not there: {p}" for p in patterns if not re.search(p, done.stdout, re.M)]
    if done.returncode or missing or done.stderr:
        return [f"exit {done.returncode}", *missing, done.stderr, done.stdout]
    return None


def as_svg(done):
    problem = outcome(done, r"Nagle \+ delayed ACK")
    if problem:
        return problem
    name = xml.dom.minidom.parseString(done.stdout).documentElement.tagName
    return None if name == "svg" else f"the document is a {name}"


def sniff_live(prefix, program, namespace):
    """Sniff the loopback of a network namespace while a server there lets its client wait; what it printed before it was
    interrupted, and all of it."""
    talk = pathlib.Path(__file__).with_name("slow_talk.py")
    sniffer = subprocess.Popen(["ip", "netns", "exec", namespace, program, "lo"], env=prefix.environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watchdog = threading.Timer(60, sniffer.kill)
    watchdog.start()
    time.sleep(1)
    talked = run("ip", "netns", "exec", namespace, sys.executable, talk)
    first = sniffer.stdout.readline()
    sniffer.send_signal(signal.SIGINT)
    rest, errors = sniffer.communicate()
    watchdog.cancel()
    return first, subprocess.CompletedProcess([], sniffer.returncode or talked.returncode, first + rest, talked.stderr + errors)


def check_live(tap, prefix, program):
    name = "sniff.c: a finding on an interface is told while it happens, the diagnosis at the end"
    namespace = f"tcpwhy{os.getpid()}"
    if not shutil.which("ip") or run("ip", "netns", "add", namespace).returncode:
        tap.skip(name, "no network namespaces here")
        return
    try:
        run("ip", "-n", namespace, "link", "set", "lo", "up")
        first, whole = sniff_live(prefix, program, namespace)
        tap.check(name, outcome(whole, "Server processing time") or
                  (None if re.match(r"server_think at 127.0.0.1:\d+, \d+", first) else f"first came: {first}"))
    finally:
        run("ip", "netns", "del", namespace)


def lines_of(capture, n):
    """The first segments of a capture (Ethernet, IPv4) as lines for parsed.c."""
    lines = []
    for r in pcapfile.read(capture)[1][:n]:
        if r.packet[23] != 6:
            continue
        ports = [int.from_bytes(r.packet[at:at + 2], "big") for at in (34, 36)]
        seq, ack = (int.from_bytes(r.packet[at:at + 4], "big") for at in (38, 42))
        source, destination = (".".join(map(str, r.packet[at:at + 4])) for at in (26, 30))
        window = int.from_bytes(r.packet[48:50], "big")
        lines.append(f"{r.ns} {source} {ports[0]} {destination} {ports[1]} {r.packet[47]} {seq} {ack} {window} {pcapfile.payload_length(r)}")
    return "\n".join(lines) + "\n"


def check_examples(tap, prefix, examples, nagle):
    program, problem = prefix.compile(examples / "diagnose.c", "diagnose")
    tap.check("diagnose.c builds without a warning", problem)
    tap.check("diagnose.c: a finding with cost, sentence, remedy",
              outcome(prefix.run(program, nagle), r"^28521\.1 ms nagle_delayed_ack \(certain\): .*TCP_NODELAY", "^verdict: nagle_delayed_ack$"))
    done = prefix.run(program, examples / "none.pcap")
    tap.check("diagnose.c: no such file is told with its name",
              None if done.returncode == 1 and "none.pcap: " in done.stderr else done.stderr or "silent")

    program, problem = prefix.compile(examples / "causes.cpp", "causes", "-pthread")
    tap.check("causes.cpp builds without a warning", problem)
    tap.check("causes.cpp: several captures at once", outcome(prefix.run(program, *[nagle] * 4), r"^ +114084\.\d ms  nagle_delayed_ack$"))

    program, problem = prefix.compile(examples / "flow_svg.c", "flow_svg")
    tap.check("flow_svg.c builds without a warning", problem)
    tap.check("flow_svg.c: a well-formed picture that names the wait", as_svg(prefix.run(program, nagle, "2")))

    program, problem = prefix.compile(examples / "sniff.c", "sniff", "-lpcap")
    tap.check("sniff.c builds without a warning", problem)
    tap.check("sniff.c: a savefile's findings, pushed packet by packet",
              outcome(prefix.run(program, nagle), r"^nagle_delayed_ack at 10\.9\.0\.2:8080, 28521\.1 ms: ", "28.5 s  certain"))
    check_live(tap, prefix, program)

    program, problem = prefix.compile(examples / "parsed.c", "parsed")
    tap.check("parsed.c builds without a warning", problem)
    tap.check("parsed.c: waits of segments that were parsed elsewhere, then the state of one connection",
              outcome(run(program, env=prefix.environment, input=lines_of(nagle, 600)),
                      r"^frame \d+: nagle_delayed_ack, 4\d\.\d ms, 10\.9\.0\.2:8080$", r"^last connection: nagle_delayed_ack, \d+\.\d ms of \d+\.\d ms$"))


def check_static(tap, prefix, examples, nagle):
    if not (prefix.libraries / "libtcpwhy.a").exists():
        tap.skip("a program is linked statically", "this build makes no static library")
        return
    program, problem = prefix.compile(examples / "diagnose.c", "diagnose-static", static=True)
    if re.search("cannot find -l(?!tcpwhy)", problem or ""):
        tap.skip("a program is linked statically", f"what libpcap stands on is not here: {problem.splitlines()[0]}")
        return
    tap.check("pkg-config --static links the static library", problem)
    needed = run("readelf", "-d", program).stdout
    tap.check("a program that is linked statically needs no libtcpwhy.so", needed if "libtcpwhy" in needed else None)
    tap.check("a program that is linked statically says the same", outcome(prefix.run(program, nagle), "^verdict: nagle_delayed_ack$"))


def main():
    top, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    for tool in ("meson", "pkg-config", "cc", "c++"):
        if not shutil.which(tool):
            skip_all(f"no {tool} here")
    nagle = top / "pcaps/nginx_nagle_delack/client.pcap"
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        prefix = Prefix(build, pathlib.Path(folder))
        tap.check("meson install", prefix.problem)
        if prefix.problem:
            return
        version = json.loads(run("meson", "introspect", "--projectinfo", build).stdout)["version"]
        tap.check("pkg-config knows the version", outcome(run("pkg-config", "--modversion", "tcpwhy", env=prefix.environment), f"^{version}$"))
        flags = run("pkg-config", "--cflags", "--libs", "tcpwhy", env=prefix.environment).stdout
        tap.check("the shared library asks for nothing but itself", flags if "glib" in flags or "pcap" in flags or "-ltcpwhy" not in flags else None)
        check_examples(tap, prefix, top / "examples", nagle)
        check_static(tap, prefix, top / "examples", nagle)
        check_languages(tap, prefix, top / "examples", nagle)


if __name__ == "__main__":
    main()
