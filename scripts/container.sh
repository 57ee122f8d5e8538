#!/bin/sh
# SPDX-License-Identifier: MIT
# container.sh [CAPTURE]: builds the image of packaging/Containerfile around the static program and diagnoses a capture in it,
# as the image's user. Nothing is pulled, and no daemon runs.
#
# Needs build-static/MACHINE/tcpwhy of scripts/static.sh (or STATIC, its folder) and buildah. Where buildah may not run, as in
# many containers, or with WITHOUT_BUILDAH=1, the steps of the Containerfile are walked by chroot, which needs root or user
# namespaces. WORK (by default build-container) holds the images.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
static=${STATIC:-$top/build-static/$(uname -m)}
work=${WORK:-$top/build-container}
capture=${1:-$top/pcaps/nginx_nagle_delack/client.pcap}
recipe=$top/packaging/Containerfile
[ -x "$static/tcpwhy" ] || { echo "no $static/tcpwhy: scripts/static.sh, or set STATIC" >&2; exit 77; }
rm -rf "$work/captures" "$work/context" "$work/storage" "$work/run" "$work/root" "$work/log"
mkdir -p "$work/captures" "$work/context"
chmod 755 "$work" "$work/captures"
cp "$static/tcpwhy" "$work/context/"
cp "$capture" "$work/captures/slow.pcap"
chmod 644 "$work/captures/slow.pcap"

image() {
    buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"
}

in_image() {
    image run --isolation chroot --volume "$work/captures:/captures:ro" "$container" -- /tcpwhy "$@"
}

# walk WORD...: the image's folder made by the steps, then its entry point with the words, as its user.
walk() {
    [ -d "$work/root" ] || {
        mkdir -p "$work/root"
        while read -r step words; do
            case $step in
            FROM) [ "$words" = scratch ] || { echo "FROM $words: not from scratch" >&2; exit 1; } ;;
            COPY) cp "$work/context/${words% *}" "$work/root${words#* }" ;;
            WORKDIR) mkdir -p "$work/root$words" && cp "$work/captures/slow.pcap" "$work/root$words/" ;;
            USER | ENTRYPOINT | '#'* | '') ;;
            *) echo "a step that is not known here: $step" >&2; exit 1 ;;
            esac
        done < "$recipe"
    }
    folder=$(sed -n 's/^WORKDIR //p' "$recipe")
    user=$(sed -n 's/^USER //p' "$recipe")
    program=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$recipe")
    if [ "$(id -u)" -eq 0 ]; then
        chroot --userspec="$user" "$work/root" "$program" "$@"
    else
        unshare -r chroot "$work/root" "$program" "$@"
    fi < /dev/null
    [ -d "$work/root$folder" ]
}

if [ -z "${WITHOUT_BUILDAH-}" ] && command -v buildah > /dev/null &&
    image build --quiet --isolation chroot -f "$recipe" -t tcpwhy "$work/context" > "$work/log" 2>&1; then
    [ "$(image inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}' tcpwhy)" = "65534:65534 [/tcpwhy]" ] ||
        { echo "the image has another user or entry point" >&2; exit 1; }
    container=$(image from tcpwhy)
    in_image --version
    in_image slow.pcap
    image rm "$container" > /dev/null
    echo "==> the image tcpwhy, by buildah" >&2
else
    [ ! -e "$work/log" ] || sed 's/^/buildah: /' "$work/log" >&2
    walk --version
    walk "$(sed -n 's/^WORKDIR //p' "$recipe")/slow.pcap"
    echo "==> the image's folder $work/root, by its steps" >&2
fi
