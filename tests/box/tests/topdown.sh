# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034 # for who sources this
# Sourced by topdown*.guest.  Programs are copies with names of their own, by which they are
# found in the truth.
# shellcheck source=tests/box/tests/expect.sh
. ./expect.sh
exec </dev/null
cp "$(command -v pmuctl)" /root/pmuctl

# shares NAME OPTION... -- COMMAND...: its rows, for topdown.py.
shares() {
	name=$1
	shift
	pmuctl topdown -u -x';' -o /tmp/out "$@" || { echo "$name: exit code $?"; failed=1; }
	sed "s/^/$name;/" /tmp/out >>/tmp/rows
}

# A user may count own tasks from here on, in a directory to write to.
may_count() {
	user='setpriv --reuid 1000 --regid 1000 --clear-groups'
	echo 1 >/sys/module/pmuctl/parameters/unprivileged
	chmod 755 /root
	mkdir -m 777 /tmp/user
	cd /tmp/user || exit
}
