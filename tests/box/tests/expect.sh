# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by guest scripts: says what was expected of a command and did not come.
failed=0

# expect CODE PATTERN COMMAND...: its exit code, and a line of its output (both
# streams) that matches; the output stays in $got.
expect() {
	want=$1 pattern=$2
	shift 2
	got=$("$@" 2>&1)
	code=$?
	if [ $code != "$want" ] || ! printf '%s\n' "$got" | grep -qE -e "$pattern"; then
		printf '%s\n  exit code %s, expected %s and "%s":\n%s\n' "$*" $code "$want" \
			"$pattern" "$got"
		failed=1
	fi
}

# also PATTERN: the output of the last command has this line too.
also() {
	printf '%s\n' "$got" | grep -qE -e "$1" && return
	printf 'no line matches "%s" in:\n%s\n' "$1" "$got"
	failed=1
}

not() {
	printf '%s\n' "$got" | grep -qE -e "$1" || return 0
	printf 'a line matches "%s" in:\n%s\n' "$1" "$got"
	failed=1
}

# until_true COMMAND...: tries it for a while; a guest is slow, but not for ever.
until_true() {
	for _ in $(seq 200); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	printf '%s: was never true\n' "$*"
	failed=1
}

# counting PID: until that process has a session that counts, and waits for what comes.
counting() {
	until_true sh -c "pmuctl info | grep -q ' of process $1 .*, running,'"
	until_true grep -q '^State:.S' "/proc/$1/status"
}

# run_tests NAME...: functions of the script; a name that is none would pass in silence.
run_tests() {
	[ $# -gt 0 ] || { echo 'no test is named'; failed=1; }
	for test; do
		case $(type "$test" 2>/dev/null) in
		*function*) "$test" ;;
		*) echo "there is no test '$test'"; failed=1 ;;
		esac
	done
}
