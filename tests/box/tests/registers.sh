# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Sourced by guest scripts: is every register of the PMU as it was?  /root/pmu-registers knows.

# registers: of each CPU, a line each.
registers() {
	local cpu
	for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
		/root/pmu-registers "${cpu##*cpu}"
	done
}

# look: how they are to be found again.
look() {
	registers >/tmp/before
}

# as_found [WHEN]: are they?
as_found() {
	registers >/tmp/after
	cmp -s /tmp/before /tmp/after && return
	echo "${1:+$1: }registers are not as found:"
	diff /tmp/before /tmp/after
	return 1
}
