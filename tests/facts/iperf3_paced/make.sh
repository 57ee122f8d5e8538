#!/bin/sh
# SPDX-License-Identifier: MIT
# make.sh: iperf3 sends 20 Mbit/s in writes of 8 KiB over a loopback of its own; leaves the capture
# and what each end of iperf3 counted. So small writes at a set pace fill no send buffer: what iperf3
# counts is what passes. Run as root; client.json and server.json are then cut to their intervals.
set -eu
cd "$(dirname "$0")"
if [ "${1-}" != inside ]; then
  exec unshare -n "$0" inside
fi
ip link set lo up mtu 9000
tcpdump -i lo -s 96 -w loopback.pcap --time-stamp-precision=nano -U 2>/dev/null &
capture=$!
sleep 0.5
iperf3 -s -1 -D -J --logfile server.json
sleep 0.3
iperf3 -c 127.0.0.1 -b 20M -l 8K -t 5 -J >client.json
sleep 0.5
kill "$capture"
gzip -9nf loopback.pcap
