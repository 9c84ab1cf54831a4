# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # tmp is of who sources this
# Sourced by tests with a module of their own.

# build_module NAME SERIES: tests/box/NAME for that kernel; sets $built, its directory, which is
# where a printed command still finds it when the test is over.
build_module() {
	local release root within=()

	release=$(./kernel --release "$2")
	built=$(realpath -m "${O:-../../build}/$1-$release")
	mkdir -p "$built"
	ln -sfn "$PWD/$1"/* "$built"
	root=$(./kernel --root "$2")
	[ -z "$root" ] || within=(./debian run "$root" "$PWD" "$built" --)
	"${within[@]}" make -s -C "/usr/src/linux-headers-$release" M="$built" CONFIG_DEBUG_INFO_BTF_MODULES= \
		KCFLAGS="-ffile-prefix-map=$built=." modules >"$tmp/log" 2>&1 || {
		cat "$tmp/log"
		exit 1
	}
}
