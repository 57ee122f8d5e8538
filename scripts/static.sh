#!/bin/sh
# SPDX-License-Identifier: MIT
# static.sh [MACHINE [CAPTURE]]: builds the command as one file that needs no library of the system, with musl, for x86_64 or
# aarch64 (by default this machine): build-static/MACHINE/tcpwhy. Its libraries are built from Debian's sources and kept for the
# next run. If this machine can run it, it diagnoses a capture in an empty root
# and is tested.
#
# Needs Debian and: dpkg-dev flex bison gperf m4 tcl make gcc meson ninja-build pkg-config, and zig: "pip install ziglang==0.13.0"
# (ZIG="python3 -m ziglang"). No root. Takes ten minutes at first. musl looks up names in /etc/hosts and /etc/resolv.conf alone.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
machine=${1:-$(uname -m)}
capture=${2:-$top/pcaps/nginx_nagle_delack/client.pcap}
zig=${ZIG:-python3 -m ziglang}
jobs=${JOBS:-$(nproc)}
case $machine in
x86_64 | aarch64) ;;
*) echo "x86_64 or aarch64, not $machine" >&2; exit 2 ;;
esac
for tool in apt-get apt-cache dpkg-source flex bison gperf m4 tclsh make cc meson ninja pkg-config; do
    command -v "$tool" > /dev/null || { echo "no $tool here: the first lines of $0 say what is needed" >&2; exit 77; }
done
$zig version > /dev/null 2>&1 || { echo "no zig: pip install ziglang, or set ZIG" >&2; exit 77; }
shared=${WORK:-$top/build-static}
build=$shared/$machine
root=$build/root
mkdir -p "$shared/sources" "$build/bin" "$build/made" "$root/include" "$root/lib/pkgconfig"
unset CC CXX CC_LD CXX_LD CFLAGS LDFLAGS

# The compiler and its tools by one word each, as configure scripts want them.
# Meson asks which linker it is, and knows zig's as LLD; it tries options with one that zig has not.
cat > "$build/bin/musl-cc" << END
#!/bin/sh
for word; do
    shift
    case \$word in
    -Wl,--version) echo 'LLD (compatible with GNU linkers)'; exit ;;
    -Wl,--fatal-warnings) ;;
    *) set -- "\$@" "\$word" ;;
    esac
done
exec $zig cc -target $machine-linux-musl "\$@"
END
printf '#!/bin/sh\nexec %s ar "$@"\n' "$zig" > "$build/bin/musl-ar"
printf '#!/bin/sh\nexec %s ranlib "$@"\n' "$zig" > "$build/bin/musl-ranlib"
chmod +x "$build/bin"/musl-*
PATH=$build/bin:$PATH

# apt PROGRAM WORD...: with lists of its own, which do not mix with the system's.
apt() {
    program=$1
    shift
    "$program" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$shared/parts" -o Dir::State::lists="$shared/lists" \
        -o Dir::Cache="$shared/cache" -o APT::Sandbox::User= "$@"
}

# The sources of the packages that this system has.
lists() {
    [ ! -e "$shared/lists.done" ] || return 0
    mkdir -p "$shared/lists/partial" "$shared/parts" "$shared/cache/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list"
    done > "$shared/parts/debian.list"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" > "$shared/parts/$(basename "$list")"
    done
    apt apt-get update > "$shared/apt.log" 2>&1 || { cat "$shared/apt.log" >&2; exit 1; }
    touch "$shared/lists.done"
}

# fetch PACKAGE: its source, once; an older version if a mirror lacks files of the newest.
fetch() {
    [ ! -d "$shared/sources/$1" ] || return 0
    lists
    rm -rf "$shared/sources/$1.new"
    mkdir "$shared/sources/$1.new"
    (
        cd "$shared/sources/$1.new"
        for version in $(apt apt-cache showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -rVu); do
            if apt apt-get source --download-only "$1=$version" > "$shared/apt.log" 2>&1; then
                break
            fi
            rm -f ./*
        done
        ls ./*.dsc > /dev/null && dpkg-source --no-check -x ./*.dsc source > dpkg.log || { cat "$shared/apt.log" >&2; exit 1; }
        mv source "../$1"
        mv ./*.dsc ../
    )
    rm -rf "$shared/sources/$1.new"
}

# library PACKAGE COMMANDS: builds it in a copy of its source, once; what it says is in its log.
library() {
    [ ! -e "$build/$1.done" ] || return 0
    echo "==> $1" >&2
    fetch "$1"
    rm -rf "$build/made/$1"
    cp -a "$shared/sources/$1" "$build/made/$1"
    (cd "$build/made/$1" && sh -ec "$2") > "$build/$1.log" 2>&1 || { tail -20 "$build/$1.log" >&2; exit 1; }
    touch "$build/$1.done"
}

cat > "$build/cross" << END
[binaries]
c = 'musl-cc'
ar = 'musl-ar'
strip = 'strip'
pkgconfig = 'pkg-config'
[built-in options]
c_args = ['-I$root/include']
c_link_args = ['-static', '-L$root/lib']
[properties]
needs_exe_wrapper = $([ "$machine" = "$(uname -m)" ] && echo false || echo true)
pkg_config_libdir = '$root/lib/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = '$machine'
cpu = '$machine'
endian = 'little'
END

export CC=musl-cc AR=musl-ar RANLIB=musl-ranlib PKG_CONFIG_LIBDIR="$root/lib/pkgconfig"
export CFLAGS="-O2 -fPIC -fstack-protector-strong -I$root/include" LDFLAGS="-static -L$root/lib"
configured="./configure --prefix=$root --host=$machine-linux-musl --disable-shared --enable-static"
library zlib "CHOST=$machine-linux ./configure --prefix=$root --static; make -j$jobs libz.a; make install"
library libzstd "make -C lib -j$jobs PREFIX=$root install-static install-includes install-pc"
library lz4 "make -C lib -j$jobs PREFIX=$root BUILD_SHARED=no TARGET_OS=Linux install"
library xz-utils "$configured --disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-scripts --disable-doc --disable-nls
  make -j$jobs -C src/liblzma install"
library libpcap "$configured --with-pcap=linux --without-libnl --disable-dbus --disable-rdma --disable-bluetooth --disable-usb
  make -j$jobs libpcap.a; make install"
library libseccomp "$configured; make -j$jobs -C src libseccomp.la; make -C src install-libLTLIBRARIES; make -C include install; make install-pkgconfDATA"
# Its source has no configure script without autotools, and its library needs none.
library nghttp2 "version=\$(sed -n 's/^AC_INIT(\[nghttp2\], \[\([0-9.]*\).*/\1/p' configure.ac)
  sed -e s/@PACKAGE_VERSION@/\$version/ -e s/@PACKAGE_VERSION_NUM@/0/ lib/includes/nghttp2/nghttp2ver.h.in > lib/includes/nghttp2/nghttp2ver.h
  cd lib; musl-cc $CFLAGS -Iincludes -DNGHTTP2_STATICLIB -DHAVE_ARPA_INET_H -DHAVE_NETINET_IN_H -DHAVE_TIME_H -DHAVE_CLOCK_GETTIME -DHAVE_DECL_CLOCK_MONOTONIC=1 -c *.c; musl-ar rcs $root/lib/libnghttp2.a *.o
  cp -r includes/nghttp2 $root/include/
  printf 'Name: libnghttp2\nDescription: HTTP/2\nVersion: %s\nLibs: -L%s -lnghttp2\nCflags: -I%s -DNGHTTP2_STATICLIB\n' \
    \$version $root/lib $root/include > $root/lib/pkgconfig/libnghttp2.pc"
library nettle "CC_FOR_BUILD=cc $configured --libdir=$root/lib --disable-public-key --disable-openssl --disable-documentation
  make desdata; make -j$jobs libnettle.a nettle.pc; make install-headers; cp libnettle.a $root/lib/; cp nettle.pc $root/lib/pkgconfig/"
library sqlite3 "BUILD_CC=cc BCC=cc $configured --disable-tcl --disable-readline; make CROSS_BUILDING=yes BCC='cc -O1' sqlite3.c
  musl-cc $CFLAGS -DSQLITE_OMIT_LOAD_EXTENSION -c sqlite3.c; musl-ar rcs $root/lib/libsqlite3.a sqlite3.o
  cp sqlite3.h $root/include/; cp sqlite3.pc $root/lib/pkgconfig/"
library pcre2 "$configured; make -j$jobs libpcre2-8.la
  make install-libLTLIBRARIES lib_LTLIBRARIES=libpcre2-8.la install-nodist_includeHEADERS; cp libpcre2-8.pc $root/lib/pkgconfig/"
# GLib alone, of the libraries of its source: GObject, which is not built, is what wants libffi.
printf 'Name: libffi\nDescription: not linked\nVersion: 3.4\n' > "$root/lib/pkgconfig/libffi.pc"
library glib2.0 "meson setup made --cross-file $build/cross --prefix=$root --libdir=lib -Dbuildtype=release -Ddefault_library=static \
    -Dlibmount=disabled -Dselinux=disabled -Dxattr=false -Dnls=disabled -Dtests=false -Dlibelf=disabled -Dglib_debug=disabled -Dman=false -Dgtk_doc=false
  ninja -j$jobs -C made glib/libglib-2.0.a
  mkdir -p $root/include/glib-2.0; cp -r glib glib/glib.h $root/include/glib-2.0/; cp made/glib/*.h $root/include/glib-2.0/; cp made/glib/*.h $root/include/glib-2.0/glib/
  cp made/glib/libglib-2.0.a $root/lib/
  cp made/meson-private/glib-2.0.pc $root/lib/pkgconfig/"

unset CC AR RANLIB CFLAGS LDFLAGS
[ -e "$build/tcpwhy.build/build.ninja" ] ||
    meson setup "$build/tcpwhy.build" "$top" --cross-file "$build/cross" --buildtype=release -Ddefault_library=static -Dprefer_static=true \
        -Dtests=false -Dwireshark=disabled -Dgzip=enabled -Dzstd=enabled -Dlz4=enabled -Dxz=enabled -Dnghttp2=enabled \
        -Dnettle=enabled -Dsqlite=enabled -Dsandbox=enabled > "$build/tcpwhy.log" || { tail -20 "$build/tcpwhy.log" >&2; exit 1; }
ninja -j"$jobs" -C "$build/tcpwhy.build" tools/tcpwhy/tcpwhy >> "$build/tcpwhy.log" || { sed -n '/^FAILED/,$p' "$build/tcpwhy.log" >&2; exit 1; }
strip -o "$build/tcpwhy" "$build/tcpwhy.build/tools/tcpwhy/tcpwhy" 2> /dev/null || $zig objcopy --strip-all "$build/tcpwhy.build/tools/tcpwhy/tcpwhy" "$build/tcpwhy"

# What is in it, for scripts/sbom.py.
{
    for dsc in "$shared"/sources/*.dsc; do
        sed -n -e 's/^Source: *//p' -e '/^Version: */{s///p;q}' "$dsc" | paste -sd ' '
    done | sed 's,^\([^ ]*\) .*$,& deb/debian/\1,'
    echo "musl $($zig version) pypi/ziglang"
} > "$build/linked"

# Nothing loads it, and it needs no other file.
if LC_ALL=C readelf -ldW "$build/tcpwhy" | grep -E 'INTERP|NEEDED'; then
    echo "$build/tcpwhy is not static" >&2
    exit 1
fi
if [ "$machine" = "$(uname -m)" ]; then
    "$build/tcpwhy" --version
    rm -rf "$build/empty"
    mkdir "$build/empty"
    cp "$build/tcpwhy" "$build/empty/"
    cp "$capture" "$build/empty/capture"
    if unshare -r true 2> /dev/null; then
        unshare -r chroot "$build/empty" /tcpwhy /capture
    else
        echo "no user namespaces here: in this root instead" >&2
        "$build/tcpwhy" "$capture"
    fi
    # Signals, renames and the lock depend on the C library.
    for test in cli/outputs.py batch/bounds.py; do
        python3 "$top/tests/$test" "$build/tcpwhy" "$top/pcaps" > "$build/test.log" 2>&1 || { grep '^not ok' "$build/test.log" >&2; exit 1; }
    done
fi
echo "==> $build/tcpwhy, $(stat -c %s "$build/tcpwhy") bytes" >&2
