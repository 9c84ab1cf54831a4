# SPDX-License-Identifier: GPL-2.0-only
# Sourced by profiles-*.test: boots every profile under one kernel; the kernel's
# own driver knows it by its name and counters, finds nothing wrong, and perf
# counts what the truth says, or nothing where the PMU is broken.

# shellcheck source=tests/box/tests/tier.sh
. tests/tier.sh

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

bad() {
	echo "$*"
	failed=1
}

# expect PROFILE KEY PATTERN: a line of the guest's answer
expect() {
	grep -qE "^$2 $3\$" "$tmp/answer" ||
		bad "$kernel $1: $2 is not '$3' but: $(grep "^$2 " "$tmp/answer" || echo missing)"
}

# check_truth PROFILE: two events exactly, cycles as plausible as a loop of two
# instructions that fits every cache can be
check_truth() {
	local event value true
	while read -r event value; do
		case $event in
		instructions | branches | cycles) ;;
		*) continue ;;
		esac
		true=$(true_of 1 "$event")
		[ "$value" = "$true" ] || bad "$kernel $1: $event:u is $value, truth $true"
	done <"$tmp/answer"
}

# true_of RUN EVENT: of a run of the program, in user mode
true_of() {
	./truth "$tmp/truth" "/root/burn#$1" user "$2"
}

# answer KEY: the guest's number
answer() {
	sed -n "s/^$1 //p" "$tmp/answer"
}

# check_samples PROFILE: as many as the last run has periods
check_samples() {
	local due=$(($(true_of 3 instructions) / 10007))
	[ "$(answer samples)" = $due ] || bad "$kernel $1: $(answer samples) samples, $due due"
}

# check_netburst PROFILE: Linux writes a Pentium 4's counters twice, and what it writes
# the second time (erratum N15) is wrong, so that its counts are no referee; its
# driver finds all registers, and samples.
check_netburst() {
	[ "$(answer samples)" -gt 10 ] || bad "$kernel $1: $(answer samples) samples"
	grep -qE '^[01] 0x3b[89] .* ok ' "$tmp/msrs" || bad "$kernel $1: no ESCR was written"
	! grep fault "$tmp/msrs" || bad "$kernel $1: writes of registers fault"
}

profiles_on() {
	local more
	kernel=$1
	gcc -O1 -Wall -Wextra -static progs/burn.c -o "$tmp/burn"
	while read -r cpu generic fixed counts driver; do
		more=(--truth "$tmp/truth")
		[ "$counts" != netburst ] || more=(--smp 2 --msr-log "$tmp/msrs")
		./run --cpu "$cpu" --kernel "$kernel" "${more[@]}" --add "$tmp/burn" \
			--add tests/profiles.guest -- \
			./profiles.guest "$counts" >"$tmp/answer" </dev/null ||
			bad "$kernel $cpu: exit code $?"
		expect "$cpu" driver ".*$driver.*"
		[ "$generic" = - ] || expect "$cpu" generic "$generic"
		[ "$fixed" = - ] || expect "$cpu" fixed "$fixed"
		! grep '^trouble' "$tmp/answer" || bad "$kernel $cpu: the kernel is not content"
		case $counts in
		truth) check_truth "$cpu" ;;
		sampled) check_truth "$cpu" && check_samples "$cpu" ;;
		netburst) check_netburst "$cpu" ;;
		none) expect "$cpu" instructions "<not supported>" ;;
		*) expect "$cpu" instructions "$counts" ;;
		esac
	done < <(rows)
}
