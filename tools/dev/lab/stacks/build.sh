#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh [STACK...]: build the programs that give a host of the lab another TCP: gvisor (needs Go), smoltcp
# (needs cargo), lwip (needs a C compiler and liblwip-dev). They go to build/lab-stacks.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../../../build/lab-stacks
mkdir -p "$out"

gvisor() {
    (cd "$here/gvisor" && go build -trimpath -o "$out/gvisor" .)
}

smoltcp() {
    cargo build --quiet --release --locked --manifest-path "$here/smoltcp/Cargo.toml" --target-dir "$out/cargo"
    cp "$out/cargo/release/lab-smoltcp" "$out/smoltcp"
}

lwip() {
    # Its headers are those of the library's own options; warnings of theirs are not ours.
    ${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -Wall -Wextra $(pkg-config --cflags lwip | sed 's/-I/-isystem /g') -o "$out/lwip" \
        "$here"/lwip/*.c $(pkg-config --libs lwip) -lpthread
}

for stack in ${*:-gvisor smoltcp lwip}; do
    case $stack in
    gvisor | smoltcp | lwip) "$stack" && echo "$stack" ;;
    *) echo "build.sh: no stack is called $stack" >&2 && exit 2 ;;
    esac
done
