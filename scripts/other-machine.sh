#!/bin/sh
# SPDX-License-Identifier: MIT
# other-machine.sh [DEBIAN-ARCHITECTURE [TEST...]]: builds for another processor and runs the unit tests on it, emulated. By
# default s390x, whose byte order is the other one; arm64 is tried as well. Says which do not pass.
#
# Needs Debian and: mmdebstrap qemu-user-static, and gcc-s390x-linux-gnu (gcc-aarch64-linux-gnu). Packages of the other
# architecture are unpacked below WORK (by default build-ARCHITECTURE), this system is left as it is. Takes ten minutes.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
architecture=${1:-s390x}
[ $# -eq 0 ] || shift
case $architecture in
s390x) triplet=s390x-linux-gnu machine=s390x order=big ;;
arm64) triplet=aarch64-linux-gnu machine=aarch64 order=little ;;
*) echo "s390x or arm64, not $architecture" >&2; exit 2 ;;
esac
for tool in mmdebstrap "qemu-$machine-static" "$triplet-gcc" meson ninja; do
    command -v "$tool" > /dev/null || { echo "no $tool here: the first lines of $0 say what is needed" >&2; exit 77; }
done
build=${WORK:-$top/build-$architecture}
root=$build.root
release=${RELEASE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}

[ -d "$root/usr/include/glib-2.0" ] || mmdebstrap --quiet --variant=extract --architectures="$architecture" \
    --include=libc6-dev,libglib2.0-dev,libpcap-dev,zlib1g-dev,libzstd-dev,liblz4-dev,liblzma-dev,libnghttp2-dev,nettle-dev,libsqlite3-dev,libcmocka-dev \
    "$release" "$root"
cat > "$build.cross" << END
[binaries]
c = '$triplet-gcc'
ar = '$triplet-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-$machine-static', '-L', '$root']
[built-in options]
c_args = ['--sysroot=$root']
c_link_args = ['--sysroot=$root']
[properties]
sys_root = '$root'
pkg_config_libdir = ['$root/usr/lib/$triplet/pkgconfig', '$root/usr/share/pkgconfig']
[host_machine]
system = 'linux'
cpu_family = '$machine'
cpu = '$machine'
endian = '$order'
END
[ -f "$build/build.ninja" ] ||
    env -u CC -u CXX -u CC_LD -u CXX_LD meson setup "$build" "$top" --cross-file "$build.cross" -Dbuildtype=debug -Doptimization=1 \
        -Dwireshark=disabled -Dsandbox=disabled
meson test -C "$build" --suite unit -t 10 --print-errorlogs "$@"
