#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Four busy CPUs sampled for 10 seconds of the guest (or SECONDS_OF_STORM) at a rate that
# is just not throttled: the ledger is what happened, the kernel says nothing, a heartbeat
# goes on.  Beyond the rate samples are throttled, which the file, the recorder and the
# kernel's log say.
# Run by hand on an idle machine: with the truth of each sample the box takes minutes.
set -u
cd "$(dirname "$0")/.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for program in work heartbeat; do
	gcc -O1 -Wall -Wextra -static -pthread "progs/$program.c" -o "$tmp/$program" || exit 1
done
PMUBOX_TIMEOUT=${PMUBOX_TIMEOUT:-900} ./run --smp 4 --truth "$tmp/truth" --skid 40 --add "$tmp/work" --add "$tmp/heartbeat" \
	--add tests/expect.sh --add tests/sample-storm.guest --get /tmp/storm:"$tmp/storm" \
	-- ./sample-storm.guest "pmi-storm=${SECONDS_OF_STORM:-10}=instructions -F 10000" \
	"pebs-storm=6=instructions:pp -F 3000" || exit 1
tests/sample-storm.py "$tmp/truth" "$tmp/storm"
