#!/bin/sh
# SPDX-License-Identifier: MIT
# rpm.sh [CAPTURE]: builds the RPM packages of packaging/tcpwhy.spec, looks at them with rpmlint, unpacks them into an empty root and
# diagnoses a capture there.
#
# Needs rpm, cpio, meson, ninja and the libraries of ./diagnose; rpmlint is used if it is there. Works on Debian as well: macros
# that Fedora has and the system lacks are defined here, and requirements are not asked of RPM's database. No root. WORK (by
# default build-rpm) holds everything; COMPILER is the compiler. What is not committed is not built. Takes as long as a release
# build.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=${WORK:-$top/build-rpm}
capture=${1:-$top/pcaps/nginx_nagle_delack/client.pcap}
for tool in rpmbuild rpm2cpio cpio meson ninja git; do
    command -v "$tool" > /dev/null || { echo "no $tool here: the first lines of $0 say what is needed" >&2; exit 77; }
done
unset CC CXX CC_LD CXX_LD CFLAGS LDFLAGS DESTDIR
[ -z "${COMPILER-}" ] || export CC="$COMPILER"
version=$(sed -n 's/^Version: *//p' "$top/packaging/tcpwhy.spec")
rm -rf "$work/BUILD" "$work/BUILDROOT" "$work/RPMS" "$work/SRPMS" "$work/root"
mkdir -p "$work/SOURCES" "$work/root"
git -C "$top" archive --prefix="tcpwhy-$version/" -o "$work/SOURCES/tcpwhy-$version.tar.gz" HEAD

# As Fedora's meson package defines them.
set --
case $(rpm --eval '%meson') in
%meson)
    cat > "$work/macros" << 'END'
%_vpath_builddir redhat-linux-build
%meson meson setup . %{_vpath_builddir} --buildtype=plain --prefix=%{_prefix} --libdir=%{_libdir} --bindir=%{_bindir} --includedir=%{_includedir} --datadir=%{_datadir} --mandir=%{_mandir} --wrap-mode=nodownload
%meson_build ninja %{?_smp_mflags} -C %{_vpath_builddir}
%meson_install DESTDIR=%{buildroot} meson install --no-rebuild -C %{_vpath_builddir}
END
    set -- --nodeps --load "$work/macros" --define "debug_package %{nil}"
    ;;
esac
rpmbuild -ba --define "_topdir $work" "$@" "$top/packaging/tcpwhy.spec" > "$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }

if command -v rpmlint > /dev/null; then
    # Packages that nobody signed, of no distribution; and what Fedora's macros do: strip, compress, ldconfig.
    {
        cat "$top/packaging/tcpwhy.rpmlintrc"
        for name in no-signature no-packager-tag no-group-tag no-changelogname-tag no-url-tag 'invalid-license MIT' \
            requires-on-release no-major-in-name unstripped-binary-or-object manpage-not-compressed no-manual-page-for-binary \
            library-without-ldconfig missing-hash-section 'outside-libdir-files /usr/share/licenses/' \
            'non-versioned-file-in-library-package /usr/lib/.build-id'; do
            printf 'addFilter("%s")\n' "$name"
        done
    } > "$work/rpmlintrc"
    rpmlint -r "$work/rpmlintrc" "$work"/RPMS/*/*.rpm "$work"/SRPMS/*.rpm > "$work/rpmlint.log" || { cat "$work/rpmlint.log" >&2; exit 1; }
else
    echo "no rpmlint here: packages are not looked at" >&2
fi
for package in "$work"/RPMS/*/*.rpm; do
    rpm2cpio "$package" | (cd "$work/root" && cpio -idm --quiet)
done
LD_LIBRARY_PATH="$work/root$(rpm --eval '%{_libdir}')" "$work/root/usr/bin/tcpwhy" "$capture" | sed -n 1,8p
ls "$work"/RPMS/*/*.rpm "$work"/SRPMS/*.rpm
