#!/bin/sh
# SPDX-License-Identifier: MIT
# compile-check.sh [TARGET...]: does the library compile for other systems? Checks syntax and types of every source file
# with the headers of "zig cc" for each target, and this system's of GLib, libpcap and the decoders (of 64 bits).
#
# Needs: a build folder (BUILD, by default build), pkg-config, and zig: "pip install ziglang" (ZIG="python3 -m ziglang"), for
# FreeBSD one that has its headers, as 0.17 does and 0.13 does not.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$top/build}
zig=${ZIG:-python3 -m ziglang}
[ $# -gt 0 ] || set -- aarch64-linux-gnu s390x-linux-gnu x86_64-linux-musl aarch64-macos x86_64-freebsd

$zig version > /dev/null 2>&1 || { echo "no zig: pip install ziglang, or set ZIG" >&2; exit 77; }
[ -d "$build/src" ] || { echo "no build folder $build: meson setup build, or set BUILD" >&2; exit 77; }
headers=$(mktemp -d)
cd "$headers"
trap 'rm -rf "$headers"' EXIT
# Beside GLib's lie the C library's headers of this system, which must not come before the target's.
for file in pcap pcap.h zlib.h zconf.h zstd.h zstd_errors.h lz4frame.h lz4.h lzma lzma.h nghttp2 nettle; do
    for folder in /usr/include /usr/include/"$(cc -dumpmachine)"; do
        [ ! -e "$folder/$file" ] || ln -s "$folder/$file" "$headers/"
    done
done
failed=0
for target; do
    wrong=0
    n=0
    for source in "$top"/src/*/*.c "$top"/src/*/*/*.c "$build"/src/*/*.c; do
        case $source in */sweep*) continue ;; esac # compiled with -Dsweep alone
        [ -e "$source" ] || continue
        n=$((n + 1))
        # shellcheck disable=SC2046,SC2086
        $zig cc -target "$target" -c -o /dev/null -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-format \
            -I"$top/include" -I"$top/src" -I"$build/src" -I"$build/include" -I"$headers" $(pkg-config --cflags glib-2.0) \
            "$source" || wrong=$((wrong + 1))
    done
    echo "$target: $wrong of $n files do not compile"
    [ "$wrong" -eq 0 ] || failed=1
done
exit $failed
