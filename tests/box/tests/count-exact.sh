#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Run by count-exact-*.test: count-exact.sh KERNEL PROFILE...
#
# What pmuctl stat says of user instructions and branches is what retired: one
# thread, 8 threads on 4 CPUs, fork, fork and exec, hopping between CPUs, and
# losing the CPU it runs on.  Linux perf, counting the same program in the same
# guest, is held to the truth of its own run.  instructions:k between two marks
# differs from the truth by a fixed number: what start and stop cost.
set -eu
cd "$(dirname "$0")/.."
kernel=$1
shift
out=$(realpath -m "${O:-../../build}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

gcc -O1 -Wall -Wextra -static -pthread progs/work.c -o "$tmp/work"
gcc -O1 -Wall -Wextra -pthread -I ../../lib -L "$out" "-Wl,-rpath-link=$out" \
	progs/kernel-mark.c -o "$tmp/kernel-mark" -lpmuctl

wrong() {
	echo "$kernel $cpu: $*"
	failed=1
}

user_counts() {
	local run event value true
	# two lines of each of the nine runs
	[ "$(wc -l <"$tmp/counts")" -eq 18 ] || wrong "18 lines expected, got: $(cat "$tmp/counts")"
	while read -r run event value; do
		true=$(./truth "$tmp/truth" "/root/$run" user "$event")
		[ "$value" = "$true" ] || wrong "$run: $event:u is $value, truth $true"
	done <"$tmp/counts"
}

for cpu; do
	./run --cpu "$cpu" --kernel "$kernel" --smp 4 --truth "$tmp/truth" \
		--add "$tmp/work" --add "$tmp/kernel-mark" --add tests/unplug.guest \
		--add tests/count-exact.guest --add tests/count-kernel.guest \
		--get /tmp/kernel:"$tmp/kernel" --get /tmp/user:"$tmp/counts" \
		-- sh -ec './count-exact.guest >/tmp/user; ./count-kernel.guest >/tmp/kernel' ||
		wrong "the guest failed"
	user_counts
	tests/count-kernel.py "$tmp/truth" "$tmp/kernel" || wrong "kernel instructions"
	echo "$kernel $cpu done"
done
exit $failed
