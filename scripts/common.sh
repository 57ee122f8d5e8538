# SPDX-License-Identifier: MIT
# What ./diagnose and ./check share: say what happens, install what is missing, build.
# Sourced by sh; $top is the top of the tree.

say() {
  printf '==> %s\n' "$*" >&2
}

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# What is needed, as "Debian package:how to see that it is there". Asking for the thing itself, not for
# the package, makes the list hold for other systems and for tools from elsewhere.
needs_build='
  gcc:command:cc
  libc6-dev:header:stdio.h
  meson:command:meson
  ninja-build:command:ninja
  pkg-config:command:pkg-config
  python3:command:python3
  libglib2.0-dev:module:glib-2.0
  libpcap-dev:module:libpcap
  zlib1g-dev:module:zlib
  libzstd-dev:module:libzstd
  liblz4-dev:module:liblz4
  liblzma-dev:module:liblzma
  libseccomp-dev:module:libseccomp
  libnghttp2-dev:module:libnghttp2
  nettle-dev:module:nettle
'
needs_test='
  g++:command:c++
  git:command:git
  libcmocka-dev:module:cmocka
  tshark:command:tshark
  zstd:command:zstd
  lz4:command:lz4
  clang-format:command:clang-format
  clang-tidy:command:clang-tidy
  doxygen:command:doxygen
  abigail-tools:command:abidiff
  libwireshark-dev:module:wireshark
  libsystemd-dev:module:libsystemd
  iproute2:command:ip
  libsqlite3-dev:module:sqlite3
  python3-jsonschema:python:jsonschema
  reuse:command:reuse
  dpkg-dev:command:dpkg-buildpackage
  debhelper:command:dh
  dh-python:command:dh_python3
  lintian:command:lintian
  valgrind:command:valgrind
  zsh:command:zsh
  fish:command:fish
  python3-cffi:python:cffi
  python3-pytest:python:pytest
  python3-pip:python:pip
  mypy:command:mypy
'
# Not everywhere a package (Ubuntu has Chromium as a snap): without it the test of the page is skipped.
wants_test='
  chromium:command:chromium
'

# What a test uses when it is there, and what does not belong on everybody's machine: a server starts, Spark is large.
needs_ci='
  iproute2:command:ip
  nginx:command:nginx
  openjdk-17-jre-headless:command:java
'
# moto 5.2.1 answers the end of an upload with what pyarrow 26 takes for an error.
python_ci='pandas pyspark moto[server]>=5.2.5 check-jsonschema cyclonedx-python-lib[json-validation]'

# is_there KIND NAME
is_there() {
  case $1 in
  command) command -v "$2" >/dev/null 2>&1 ;;
  module) pkg-config --exists "$2" 2>/dev/null ;;
  python) python3 -c "import $2" >/dev/null 2>&1 ;;
  header) printf '#include <%s>\n' "$2" | cc -E - >/dev/null 2>&1 ;;
  esac
}

# missing_of LIST: the packages of the list that are not there.
missing_of() {
  for need in $1; do
    package=${need%%:*}
    probe=${need#*:}
    is_there "${probe%%:*}" "${probe#*:}" || printf '%s ' "$package"
  done
}

# install_missing LIST: quiet when nothing is missing.
install_missing() {
  missing=$(missing_of "$1")
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null 2>&1 ||
    fail "no apt-get here; install these (Debian's names) with your package manager, then repeat: $missing"
  root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail "needs root or sudo; as root, run: apt-get install $missing"
    root='sudo'
  fi
  say "Installing: $missing"
  log=$(mktemp)
  # shellcheck disable=SC2086 # word splitting is meant
  {
    $root apt-get -q update &&
      $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 \
        --no-install-recommends install $missing
  } </dev/null >"$log" 2>&1 || {
    cat "$log" >&2
    fail "apt-get could not install: $missing"
  }
  rm -f "$log"
  missing=$(missing_of "$1")
  [ -z "$missing" ] || fail "installed, but still not found: $missing"
}

# has_release NAME[>=VERSION]: is the Python package there, and new enough?
has_release() {
  python3 -c '
import importlib.metadata, sys

def numbers(version):
    return [int(part) for part in version.split(".") if part.isdigit()]

name, _, least = sys.argv[1].partition(">=")
sys.exit(numbers(importlib.metadata.version(name.partition("[")[0])) < numbers(least))' "$1" 2>/dev/null
}

# python_packages NAME[>=VERSION]...: what Debian has no package of, from PyPI, into $PYTHONPATH, where tests find it. They
# are skipped without. Most of it is never imported: it is not compiled before.
python_packages() {
  for name in "$@"; do
    has_release "$name" && continue
    say "Installing: $name (PyPI) in $PYTHONPATH"
    python3 -m pip install --quiet --no-compile --disable-pip-version-check --root-user-action=ignore --target "$PYTHONPATH" "$name" </dev/null ||
      say "No $name: tests that need it are skipped"
  done
}

# build DIRECTORY MESON_OPTION...: configure once, then compile everything, or $targets; output is shown when it fails.
build() {
  directory=$1
  shift
  if [ ! -f "$directory/build.ninja" ]; then
    say "Configuring $(basename "$directory")/"
    meson setup "$directory" "$top" "$@" </dev/null >"$directory.log" 2>&1 || {
      cat "$directory.log" >&2
      fail "meson could not configure $directory"
    }
    mv "$directory.log" "$directory/setup.log"
  fi
  say "Building in $(basename "$directory")/"
  # shellcheck disable=SC2086 # word splitting is meant
  ninja -C "$directory" ${targets-} </dev/null >"$directory/build.log" 2>&1 || {
    sed -n '/^FAILED/,$p' "$directory/build.log" >&2
    fail "the build failed; if $directory was made by another version, remove it and repeat"
  }
}
