#!/bin/sh
# SPDX-License-Identifier: MIT
# reproducible.sh [MESON-OPTION...]: builds the command and the library twice, from folders of other names and depths, once inside
# of the sources and once beside them, and compares the bytes.
#
# Needs what ./diagnose installs, and git. Takes the time of two builds; -Doptimization=0 -Db_lto=false is quick.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# copy FOLDER: what git has of the sources, with changes that are not committed; captures are no part of a build.
copy() {
    mkdir -p "$1"
    (cd "$top" && git ls-files -z --cached --others --exclude-standard -- . ':!pcaps' | tar -c --null -T - -f -) | tar -x -C "$1"
}

# build SOURCES FOLDER MESON-OPTION...
build() {
    sources=$1 folder=$2
    shift 2
    copy "$sources"
    # A cache of the compiler that ignores the folder would hide what is looked for.
    export CCACHE_DISABLE=1
    meson setup "$folder" "$sources" --buildtype=release -Ddefault_library=shared -Dtests=false -Dwireshark=disabled "$@" > "$work/log" ||
        { tail -20 "$work/log" >&2; exit 1; }
    ninja -C "$folder" tools/tcpwhy/tcpwhy >> "$work/log" || { sed -n '/^FAILED/,$p' "$work/log" >&2; exit 1; }
}

build "$work/a" "$work/a/build" "$@"
build "$work/another/place/tcpwhy" "$work/another/made" "$@"
failed=0
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$top/meson.build")
for file in tools/tcpwhy/tcpwhy "src/libtcpwhy.so.$version"; do
    if cmp "$work/a/build/$file" "$work/another/made/$file"; then
        echo "$file: the same $(wc -c < "$work/a/build/$file") bytes"
    else
        failed=1
    fi
done
exit $failed
