#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOP: the Debian packages build, pass lintian, install into an empty root, and work."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap, skip_all  # noqa: E402

PACKAGES = {"tcpwhy", "libtcpwhy0", "libtcpwhy-dev", "python3-tcpwhy", "wireshark-plugin-tcpwhy"}
# The maintainer has no address: who builds packages puts in his own.
NO_ADDRESS = "malformed-contact"
NOBODY = 65534

# What people look for, and which package brings it; * is the architecture's folder.
CONTENTS = {
    "tcpwhy": ("usr/bin/tcpwhy", "usr/share/man/man1/tcpwhy.1.gz", "usr/share/bash-completion/completions/tcpwhy",
               "usr/share/zsh/vendor-completions/_tcpwhy", "usr/share/fish/vendor_completions.d/tcpwhy.fish", "usr/share/tcpwhy/tcpwhy-1.schema.json"),
    "libtcpwhy0": ("usr/lib/*/libtcpwhy.so.0",),
    "libtcpwhy-dev": ("usr/include/tcpwhy/tcpwhy.h", "usr/lib/*/libtcpwhy.so", "usr/lib/*/libtcpwhy.a", "usr/lib/*/pkgconfig/tcpwhy.pc",
                      "usr/lib/*/cmake/tcpwhy/tcpwhy-config.cmake", "usr/share/man/man3/libtcpwhy.3.gz", "usr/share/doc/libtcpwhy-dev/examples/diagnose.c"),
    "python3-tcpwhy": ("usr/lib/python3/dist-packages/tcpwhy/__init__.py", "usr/lib/python3/dist-packages/tcpwhy/py.typed"),
    "wireshark-plugin-tcpwhy": ("usr/lib/*/wireshark/plugins/*/epan/tcpwhy.so",),
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
    run("git", "init", "-q", cwd=source)
    run("git", "add", "-A", cwd=source)
    return run("dpkg-buildpackage", "-b", "-us", "-uc", cwd=source, env=environment)


def unclean(source):
    """What git would tell of after a build; the rest is known, or to be ignored."""
    done = run("git", "status", "--porcelain", cwd=source)
    return said(done) or [line for line in done.stdout.splitlines() if line[1] != " "]


def missing(root, package):
    listed = set(run("dpkg", f"--root={root}", "-L", package).stdout.splitlines())
    for pattern in CONTENTS[package]:
        found = list(root.glob(pattern))
        if not found or not any(f"/{path.relative_to(root)}" in listed for path in found):
            yield f"{pattern} is not in {package}"


def use(root, top):
    """Run the tests that the packages bring (autopkgtest) as if the root were the system's."""
    libraries = str(next(root.glob("usr/lib/*/libtcpwhy.so.0")).parent)
    environment = {"PATH": f"{root}/usr/bin:/usr/bin:/bin", "LD_LIBRARY_PATH": libraries, "LC_ALL": "C.UTF-8", "PKG_CONFIG_SYSROOT_DIR": str(root),
                   "PKG_CONFIG_LIBDIR": f"{libraries}/pkgconfig:" + run("pkg-config", "--variable", "pc_path", "pkg-config").stdout.strip(),
                   "CMAKE_PREFIX_PATH": f"{root}/usr", "PYTHONPATH": f"{root}/usr/lib/python3/dist-packages", "HOME": str(root.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    if plugins := list(root.glob("usr/lib/*/wireshark/plugins")):
        environment["WIRESHARK_PLUGIN_DIR"] = str(plugins[0])
    # tshark reads the plugins of such a folder as an ordinary user only.
    nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    control = (top / "debian/tests/control").read_text()
    for name in re.findall(r"^Tests: (.*)", control, re.M):
        if name == "python" and run("/usr/bin/python3", "-I", "-c", "import cffi").returncode:
            yield name, "no cffi for the system's Python here", False
            continue
        if name == "cmake" and not shutil.which("cmake"):
            yield name, "no cmake here", False
            continue
        user = nobody if name == "plugin" else {}
        done = run(top / "debian/tests" / name, cwd=top, env={**environment, "AUTOPKGTEST_TMP": str(root.parent)}, **user)
        yield name, said(done) or (None if done.returncode == 0 else f"exit {done.returncode}"), True


def check(tap, top, folder):
    done = build(top, folder)
    packages = sorted(folder.glob("*.deb"))
    tap.check("dpkg-buildpackage builds the packages", said(done) or (None if {p.name.split("_")[0] for p in packages} == PACKAGES else str(packages)))
    if done.returncode:
        return
    tap.check("the build leaves nothing in the sources that git would tell of", unclean(folder / "tcpwhy"))
    if shutil.which("lintian"):
        done = run("lintian", "--allow-root", "--fail-on", "warning", "--suppress-tags", NO_ADDRESS, *packages)
        tap.check("lintian has nothing to complain of", said(done))
    else:
        tap.skip("lintian has nothing to complain of", "no lintian here")
    root = folder / "root"
    for name in ("info", "updates", "triggers"):
        (root / "var/lib/dpkg" / name).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    # What they depend on is the system's; that it is named is seen below.
    dpkg = ("dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--force-script-chrootless", "--log=/dev/null")
    # Scripts of Python packages compile what the system has installed, and not the root.
    (folder / "bin").mkdir()
    for name in ("py3compile", "py3clean"):
        (folder / "bin" / name).symlink_to("/bin/true")
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    done = run(*dpkg, "-i", *packages, env=environment)
    tap.check("they install into an empty root", said(done))
    for package in sorted(PACKAGES):
        tap.check(f"{package} holds what it should", list(missing(root, package)))
    depends = {p.name.split("_")[0]: run("dpkg-deb", "-f", p, "Depends").stdout for p in packages}
    tap.check("they name what they depend on", [f"{a}: {depends[a]}" for a, b in (("tcpwhy", "libtcpwhy0 ("), ("libtcpwhy0", "libpcap0.8"),
                                                                                 ("libtcpwhy-dev", "libtcpwhy0 (= "), ("python3-tcpwhy", "libtcpwhy0 (>= "),
                                                                                 ("wireshark-plugin-tcpwhy", "libwireshark")) if b not in depends[a]])
    folder.chmod(0o755)
    for name, problem, ran in use(root, top):
        (tap.check if ran else tap.skip)(f"autopkgtest: {name}", problem)
    done = run(*dpkg, "-P", *PACKAGES, env=environment)
    left = [str(p) for p in (root / "usr").rglob("*") if not p.is_dir()] if (root / "usr").exists() else []
    tap.check("they leave nothing behind", said(done) or left)


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    for tool in ("dpkg-buildpackage", "dh", "git", "pkg-config"):
        if not shutil.which(tool):
            skip_all(f"no {tool} here")
    if run("dpkg-checkbuilddeps", top / "debian/control").returncode:
        skip_all("what the packages are built with is not installed")
    with Tap() as tap, tempfile.TemporaryDirectory() as folder:
        check(tap, top, pathlib.Path(folder))


if __name__ == "__main__":
    main()
