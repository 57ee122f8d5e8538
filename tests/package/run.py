#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP: the Debian packages build, pass lintian, install into an empty root, and work."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

PACKAGES = {"tcpwhy", "libtcpwhy0", "libtcpwhy-dev"}
# What people look for, and which package brings it; * is the architecture's folder.
CONTENTS = {
    "tcpwhy": ("usr/bin/tcpwhy", "usr/share/man/man1/tcpwhy.1.gz", "usr/share/bash-completion/completions/tcpwhy",
               "usr/share/zsh/vendor-completions/_tcpwhy", "usr/share/fish/vendor_completions.d/tcpwhy.fish", "usr/share/tcpwhy/tcpwhy-1.schema.json"),
    "libtcpwhy0": ("usr/lib/*/libtcpwhy.so.0",),
    "libtcpwhy-dev": ("usr/include/tcpwhy/tcpwhy.h", "usr/lib/*/libtcpwhy.so", "usr/lib/*/libtcpwhy.a", "usr/lib/*/pkgconfig/tcpwhy.pc",
                      "usr/share/man/man3/libtcpwhy.3.gz", "usr/share/doc/libtcpwhy-dev/examples/diagnose.c"),
}


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **more)


def said(done):
    """Of a run that failed, its end."""
    return (done.stdout + done.stderr)[-4000:] if done.returncode else None


def left_out(top):
    """What makes the tree large, and is in no package: repository, builds, captures, corpora."""
    def chosen(folder, names):
        outermost = pathlib.Path(folder) == top
        return [n for n in names if n in ("corpus", "__pycache__") or (outermost and (n in (".git", "pcaps") or n.startswith("build")))]
    return chosen


def build(top, folder):
    """The packages, built fast: the tests test what is optimised."""
    source = folder / "tcpwhy"
    shutil.copytree(top, source, ignore=left_out(top))
    environment = {**os.environ, "DEB_BUILD_OPTIONS": f"nocheck noopt noautodbgsym parallel={os.cpu_count()}", "DEB_CFLAGS_APPEND": "-g0", "LC_ALL": "C.UTF-8"}
    for name in ("DESTDIR", "CFLAGS", "LDFLAGS", "MALLOC_PERTURB_"):
        environment.pop(name, None)
    return run("dpkg-buildpackage", "-b", "-us", "-uc", cwd=source, env=environment)


def missing(root, package):
    listed = set(run("dpkg", f"--root={root}", "-L", package).stdout.splitlines())
    for pattern in CONTENTS[package]:
        found = list(root.glob(pattern))
        if not found or not any(f"/{path.relative_to(root)}" in listed for path in found):
            yield f"{pattern} is not in {package}"


def use(root, top, folder):
    """Run the command and build a program as if the root were the system's."""
    libraries = str(next(root.glob("usr/lib/*/libtcpwhy.so.0")).parent)
    environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": libraries, "LC_ALL": "C.UTF-8", "PKG_CONFIG_SYSROOT_DIR": str(root),
                   "PKG_CONFIG_LIBDIR": f"{libraries}/pkgconfig:" + run("pkg-config", "--variable", "pc_path", "pkg-config").stdout.strip()}
    capture = top / "pcaps/nginx_nagle_delack/client.pcap"
    done = run(root / "usr/bin/tcpwhy", capture, env=environment)
    yield "the command in it explains a capture", said(done) or (None if "TCP_NODELAY" in done.stdout else done.stdout)
    flags = run("pkg-config", "--cflags", "--libs", "tcpwhy", env=environment).stdout.split()
    example = root / "usr/share/doc/libtcpwhy-dev/examples/diagnose.c"
    done = run("cc", "-std=c11", example, "-o", folder / "diagnose", *flags, env=environment)
    yield "an example that comes with it builds through its pkg-config file", said(done)
    done = run(folder / "diagnose", capture, env=environment)
    yield "and names the cause", said(done) or (None if "verdict: nagle_delayed_ack" in done.stdout else done.stdout)


def check(tap, top, folder):
    done = build(top, folder)
    packages = sorted(folder.glob("*.deb"))
    tap.check("dpkg-buildpackage builds the packages", said(done) or (None if {p.name.split("_")[0] for p in packages} == PACKAGES else str(packages)))
    if done.returncode:
        return
    if shutil.which("lintian"):
        done = run("lintian", "--allow-root", "--fail-on", "warning", *packages)
        tap.check("lintian has nothing to complain of", said(done))
    else:
        tap.skip("lintian has nothing to complain of", "no lintian here")
    root = folder / "root"
    for name in ("info", "updates", "triggers"):
        (root / "var/lib/dpkg" / name).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    # What they depend on is the system's; that it is named is seen below.
    dpkg = ("dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--force-script-chrootless", "--log=/dev/null")
    done = run(*dpkg, "-i", *packages)
    tap.check("they install into an empty root", said(done))
    for package in sorted(PACKAGES):
        tap.check(f"{package} holds what it should", list(missing(root, package)))
    depends = {p.name.split("_")[0]: run("dpkg-deb", "-f", p, "Depends").stdout for p in packages}
    tap.check("they name what they depend on", [f"{a}: {depends[a]}" for a, b in (("tcpwhy", "libtcpwhy0 ("), ("libtcpwhy0", "libpcap0.8"),
                                                                                 ("libtcpwhy-dev", "libtcpwhy0 (= ")) if b not in depends[a]])
    for name, problem in use(root, top, folder):
        tap.check(name, problem)
    done = run(*dpkg, "-P", *PACKAGES)
    left = [str(p) for p in (root / "usr").rglob("*") if not p.is_dir()] if (root / "usr").exists() else []
    tap.check("they leave nothing behind", said(done) or left)


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    for tool in ("dpkg-buildpackage", "dh", "pkg-config"):
        if not shutil.which(tool):
            skip_all(f"no {tool} here")
    if run("dpkg-checkbuilddeps", top / "debian/control").returncode:
        skip_all("what the packages are built with is not installed")
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        check(tap, top, pathlib.Path(folder))


if __name__ == "__main__":
    main()
