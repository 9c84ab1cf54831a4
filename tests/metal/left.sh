# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # KIT, built and step are of who sources this
# Sourced by tests/metal/run: steps that look at what is left behind.

idle() {
	local i

	for i in $(seq 100); do
		msrs msrs-now || return 0
		cmp -s msrs-idle msrs-now && return 0
		sleep 0.02
	done
	diff msrs-idle msrs-now
	return 1
}

# What is killed is the owner itself.
start_owner() {
	case $(($1 % 4)) in
	0) exec pmuctl stat -a -e instructions,branches -- sleep 2 ;;
	1) exec pmuctl stat -e instructions,branches -- exact-100000000 ;;
	2) exec pmuctl record -q -o owned -e instructions:upp -c 10007 -- exact-100000000 ;;
	3) exec pmuctl record -q -o owned -e branches:u -c 10007 -b -- exact-100000000 ;;
	esac
}

step_kills() {
	local rounds i owner taken=0

	rounds=$(of_rounds 10 1000)
	msrs msrs-idle
	for ((i = 0; i < rounds; i++)); do
		start_owner $i >/dev/null 2>&1 &
		owner=$!
		look wait $((i % 3 * 15 + 15))
		msrs msrs-now && ! cmp -s msrs-idle msrs-now && taken=$((taken + 1))
		kill -KILL $owner 2>/dev/null
		wait $owner 2>/dev/null
		if ! idle; then
			broke "registers are not as found after kill $i"
			return
		fi
	done
	if [ $taken = 0 ] && [ -s msrs-idle ]; then
		broke "of $rounds owners that were killed none had taken the PMU"
	elif [ -s msrs-idle ]; then
		held "$rounds owners killed, $taken while they had the PMU; registers as found each time"
	else
		held "$rounds owners killed (registers cannot be read here)"
	fi
	[ "$(count instructions:u exact-1000)" -ge 2004 ] || broke "nothing counts after $rounds kills"
}

step_reload() {
	local i got rounds

	rounds=$(of_rounds 3 50)
	for ((i = 1; i <= rounds; i++)); do
		if ! unload_pmuctl || ! load_pmuctl; then
			broke "round $i: $(last_words "$KIT/detail/reload")"
			return
		fi
		got=$(count instructions:u exact-1000)
		if ! near "$got" 2004; then
			broke "round $i: $got instructions of 2004"
			return
		fi
	done
	held "unloaded and loaded $rounds times, and counts each time"
}

step_registers() {
	if [ -e /sys/module/pmuctl ] && ! unload_pmuctl; then
		broke "pmuctl cannot be unloaded: $(last_words "$KIT/detail/registers")"
		return
	fi
	rm -f "$KIT/undo/pmuctl"
	if [ ! -s msrs-before ]; then
		absent "none were noted: step machine"
	elif ! msrs msrs-after; then
		absent "$(cat msrs-after.why)"
	elif diff msrs-before msrs-after; then
		held "all $(wc -l <msrs-before) registers are bit for bit as found"
	else
		broke "registers differ: $(diff -U 0 msrs-before msrs-after | grep '^[-+]c' | head -n 6 | paste -s -d ' ')"
	fi
}

step_hotplug() {
	local cpu online

	cpu=$(printf '%s\n' /sys/devices/system/cpu/cpu[1-9]* | sed -n 's/.*cpu\([0-9]*\)$/\1/p' |
		sort -n | tail -n 1)
	online=/sys/devices/system/cpu/cpu$cpu/online
	[ -n "$KIT_HOTPLUG" ] || { absent "not wanted"; return; }
	[ -n "$cpu" ] && [ -w "$online" ] || { absent "no CPU can be taken offline"; return; }
	load_pmuctl || { broke "$(last_words "$KIT/detail/hotplug")"; return; }
	pmuctl stat -a -x, -o counts -e instructions -- sleep 1 &
	sleep 0.2
	: >"$KIT/undo/cpu$cpu"
	echo 0 >"$online"
	sleep 0.2
	echo 1 >"$online"
	rm -f "$KIT/undo/cpu$cpu"
	wait
	cat counts
	# The kernel sets up a CPU's registers anew; those of the others are as found.
	unload_pmuctl
	rm -f "$KIT/undo/pmuctl"
	if ! grep -q '^[1-9]' counts; then
		broke "no count of all CPUs while CPU $cpu was taken offline"
	elif msrs msrs-after && ! diff <(grep -v "^cpu$cpu " msrs-before) <(grep -v "^cpu$cpu " msrs-after); then
		broke "registers of the other CPUs are not as found after CPU $cpu was offline"
	else
		held "CPU $cpu went offline and came back while all were counted"
	fi
}

# Of what the kernel said since: nothing bad, and no taint but that of a module from outside.
step_log() {
	local was is bad='unknown reason|WARNING|BUG|Oops|Call Trace|unchecked MSR'

	was=$(cat tainted)
	is=$(cat /proc/sys/kernel/tainted)
	dmesg 2>/dev/null | tail -n +$(($(cat log-lines) + 1)) | sed 's/^\[[^]]*\] //' |
		grep -E 'pmuctl|NMI|WARNING|BUG|Oops|Call Trace|MSR access' >log
	cat log
	if grep -qE "$bad" log; then
		broke "kernel log: $(grep -E "$bad" log | head -n 1)"
	elif [ $(((is & ~was) & ~0x3000)) != 0 ]; then
		broke "the kernel is tainted: $was before, $is now"
	else
		held "the kernel's log has no warning, and no NMI that nobody knows"
	fi
}
