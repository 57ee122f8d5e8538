#!/bin/sh
# SPDX-License-Identifier: MIT
# alpine.sh [CAPTURE]: walks packaging/APKBUILD as Alpine's abuild does, where there is no abuild: build, check, package, and the
# subpackages, which take their files out of the package by abuild's rules. Says what each holds, and diagnoses a capture with
# the command and the library out of their packages. That the code builds with musl is shown by scripts/static.sh.
#
# Needs meson, ninja, git and the libraries of ./diagnose; shellcheck is used if it is there. No root. WORK (by default
# build-alpine) holds everything; COMPILER is the compiler. Takes as long as a release build.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=${WORK:-$top/build-alpine}
capture=$(realpath "${1:-$top/pcaps/nginx_nagle_delack/client.pcap}")
for tool in meson ninja git; do
    command -v "$tool" > /dev/null || { echo "no $tool here: the first lines of $0 say what is needed" >&2; exit 77; }
done
! command -v shellcheck > /dev/null || shellcheck --shell=dash --exclude=SC2034,SC2154 "$top/packaging/APKBUILD"
unset CC CXX CC_LD CXX_LD LDFLAGS DESTDIR
export CFLAGS='-O2' CC="${COMPILER:-cc}"
# shellcheck source=/dev/null
. "$top/packaging/APKBUILD"
pkgname=${pkgname:?} pkgver=${pkgver:?} subpackages=${subpackages:?} pkgdir=$work/pkg/$pkgname
rm -rf "$work"
mkdir -p "$work/bin" "$work/src/$pkgname-$pkgver" "$work/pkg/$pkgname"
git -C "$top" archive HEAD | tar -x -C "$work/src/$pkgname-$pkgver"

# As Alpine's package of Meson has it, without the optimisation at link time, which takes long.
cat > "$work/bin/abuild-meson" << 'END'
#!/bin/sh
exec meson setup --prefix=/usr --libdir=/usr/lib --bindir=/usr/bin --includedir=/usr/include --datadir=/usr/share \
    --mandir=/usr/share/man --buildtype=plain --wrap-mode=nodownload "$@"
END
chmod +x "$work/bin/abuild-meson"
PATH=$work/bin:$PATH

for step in build check package; do
    echo "==> $step" >&2
    (cd "$work/src/$pkgname-$pkgver" && "$step") > "$work/$step.log" 2>&1 || { tail -40 "$work/$step.log" >&2; exit 1; }
done

# take SUBPACKAGE PATTERN...: what the patterns name, below /usr, moves there.
take() {
    name=$1
    shift
    # shellcheck disable=SC2068 # patterns are for names here
    for path in $(cd "$pkgdir/usr"; ls -d $@ 2> /dev/null || :); do
        path=usr/$path
        mkdir -p "$work/pkg/$name/$(dirname "$path")"
        mv "$pkgdir/$path" "$work/pkg/$name/$path"
    done
    [ -d "$work/pkg/$name" ] || { echo "$name is empty" >&2; exit 1; }
}

for name in $subpackages; do
    case $name in
    *-doc) take "$name" share/man share/doc share/info ;;
    *-dev) take "$name" include 'lib/*.so' 'lib/*.a' lib/pkgconfig lib/cmake ;;
    *-libs) take "$name" 'lib/*.so.*' ;;
    *-bash-completion) take "$name" share/bash-completion ;;
    *-zsh-completion) take "$name" share/zsh ;;
    *-fish-completion) take "$name" share/fish ;;
    *) echo "a subpackage that is not known here: $name" >&2; exit 1 ;;
    esac
done
find "$pkgdir" -type d -empty -delete
(cd "$work/pkg" && find . ! -type d | sort | sed 's,^\./,,')
LD_LIBRARY_PATH=$work/pkg/$pkgname-libs/usr/lib "$pkgdir/usr/bin/tcpwhy" "$capture" | sed -n 1,8p
