#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Run by sample-exact-*.test: sample-exact.sh KERNEL PROFILE...
#
# pmuctl record takes one sample every 10007 user instructions of each task, neither
# more nor less, by interrupt and by PEBS: one thread, 8 threads on 4 CPUs, fork, fork
# and exec, hopping between CPUs, two processes taking turns on one CPU.  Each sample
# is of the task and at the instruction that the truth has for it.
set -u
cd "$(dirname "$0")/.." || exit 1
kernel=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

gcc -O1 -Wall -Wextra -static -pthread progs/work.c -o "$tmp/work" || exit 1

# The format of a profile's PEBS records.
pebs_format() {
	case $1 in
	core2) echo 0 ;;
	nehalem | sandybridge | ivybridge) echo 1 ;;
	haswell) echo 2 ;;
	skylake) echo 3 ;;
	*) echo 4 ;;
	esac
}

# A processor's skid on half of the profiles, none on the others.
skid() {
	case $1 in
	nehalem | ivybridge | skylake) echo 40 ;;
	*) echo 0 ;;
	esac
}

for cpu; do
	rm -rf "$tmp/samples"
	./run --cpu "$cpu" --kernel "$kernel" --smp 4 --truth "$tmp/truth" --skid "$(skid "$cpu")" \
		--add "$tmp/work" --add tests/sample-exact.guest --get /tmp/samples:"$tmp/samples" \
		-- ./sample-exact.guest pmi=instructions:u pebs=instructions:upp || failed=1
	tests/sample-exact.py "$tmp/truth" "$tmp/samples" 10007 "$(skid "$cpu")" \
		"$(pebs_format "$cpu")" || failed=1
	echo "$kernel $cpu done"
done
exit $failed
