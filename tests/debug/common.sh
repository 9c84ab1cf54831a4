# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # box and tmp are for who sources this
# Sourced by the tests on the debug kernel: where things are, and building programs.
set -eu
cd "$(dirname "$0")"
box=../box
out=$(realpath -m "${O:-../../build}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# build NAME...: programs of this directory, of the box, or of the bench, into $tmp.
build() {
	local name source
	for name; do
		for source in "$name.c" "$box/progs/$name.c" "../bench/$name.c"; do
			[ ! -f "$source" ] || break
		done
		gcc -O1 -Wall -Wextra -Wno-unused-parameter -pthread -I ../../lib -L "$out" \
			"-Wl,-rpath-link=$out" -o "$tmp/$name" "$source" -Wl,--as-needed -lpmuctl
	done
}
