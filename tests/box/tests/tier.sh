# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests that do more in make check-full than in make check.

in_full() {
	[ "${PMUCTL_TIER:-check}" = full ]
}

# rows: standard input, of which lines that begin with "full: " are for make check-full.
rows() {
	if in_full; then sed 's/^full: //'; else sed '/^full: /d'; fi
}
