# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by same-bytes-*.test: runs one command in the box again and again, the later ones
# beside a busy loop; all must give one checksum.  In check-full those of both kernels run
# at once, so that there are two loops, and two guests.

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; kill $(jobs -p) 2>/dev/null || :' EXIT
failed=0
unset PMUBOX_PARALLEL
files=(output errors truth perf.data)

gcc -O1 -Wall -Wextra -static -pthread progs/work.c -o "$tmp/work"
gcc -O1 -Wall -Wextra -static -pthread progs/order.c -o "$tmp/order"

sum() {
	sha256sum | cut -c1-16
}

# once CPU KERNEL SEED DIRECTORY
once() {
	mkdir -p "$4"
	./run --smp 4 --cpu "$1" --kernel "$2" --seed "$3" --truth "$4/truth" \
		--add "$tmp/work" --add "$tmp/order" --add tests/same-bytes.guest \
		--get /tmp/perf.data:"$4/perf.data" -- ./same-bytes.guest \
		>"$4/output" 2>"$4/errors"
}

busy() {
	sh -c 'while :; do :; done' &
}

idle() {
	# shellcheck disable=SC2046 # several
	kill $(jobs -p)
	wait
}

# differs WHAT: shows where the run in again parts from the one in first.
differs() {
	local file
	for file in "${files[@]}"; do
		cmp "$tmp/first/$file" "$tmp/again/$file" && continue
		echo "$1: $file differs between two runs:"
		diff -a "$tmp/first/$file" "$tmp/again/$file" | head -n 10 || :
	done
	failed=1
}

# complete CPU: the run got to the end of its log, and sampled where the PMU works and Linux drives
# it, which it does not of the first Pentium.
complete() {
	grep -q 'Linux version' "$tmp/first/output" || return
	[[ $1 = faulty-zero || $1 = p5* || -s $tmp/first/perf.data ]]
}

checksum() {
	(cd "$1" && cat "${files[@]}") | sum
}

# same CPU KERNEL SEED RUNS BESIDE: so many of the runs beside a busy loop
same() {
	local what="$1 $2 seed $3" to=$tmp/first run first others=0
	rm -rf "$to"
	for ((run = 1; run <= $4; run++)); do
		((run != $4 - $5 + 1)) || busy
		once "$1" "$2" "$3" "$to"
		[ $run != 1 ] || first=$(checksum "$to")
		if [ "$(checksum "$to")" != "$first" ]; then
			differs "$what, run $run"
			((++others))
		fi
		to=$tmp/again
	done
	(($5 == 0)) || idle
	complete "$1" || {
		echo "$what: output or file is missing:"
		head -n 20 "$tmp/first/output"
		failed=1
	}
	echo "note: $what: output $(sum <"$tmp/first/output"), truth $(sum <"$tmp/first/truth")," \
		"$4 runs, $5 beside a busy loop, all of them $first but $others"
}

# others CPU FROM: every sixth profile that has a PMU, from that one, or all with
# SAME_BYTES_RUNS; but not CPU.
others() {
	local every=$2~6p
	[ -z "${SAME_BYTES_RUNS-}" ] || every=p
	sed -n 's/^\([a-z][^ ]*\) .*pmu-profile=.*/\1/p' qemu/profiles | sed -n "$every" |
		grep -v -x "$1"
}

# same_on KERNEL CPU FROM: three runs with that CPU, one of them beside a busy loop, and two of
# others, as above, beside what else make check-full has to do.  SAME_BYTES_RUNS says how many
# instead of either, nearly half of them beside the loop.
same_on() {
	local cpu first=${SAME_BYTES_RUNS:-3} runs=${SAME_BYTES_RUNS:-2}
	same "$2" "$1" 1 "$first" $(((first - 1) / 2))
	same "$2" "$1" 7 2 1
	for cpu in $(others "$2" "$3"); do
		same "$cpu" "$1" 1 "$runs" $(((runs - 1) / 2))
	done
}
