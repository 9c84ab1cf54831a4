# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # KIT, step and here are of who sources this
# Sourced by tests/metal/run: its steps.  Each runs in $KIT/tmp, writes what it sees to its
# standard output, and says at least one of held, broke and absent.

# Where cores are of several kinds most steps are run on one CPU of each: kind and cpu say which.
kind=
cpu=0

# held|broke|absent TEXT: a row of the page.
row() {
	printf '%s\t%s\t%s\n' "$1" "$2" "${kind:+$kind cores: }$(printf '%s' "$3" | tr '\t\n' '  ')" \
		>>"$KIT/rows"
}

held() { row held "$step" "$1"; }
broke() { row "did not hold" "${2:-$step}" "$1"; }
absent() { row "not here" "$step" "$1"; }

short() { [ -n "$KIT_SHORT" ]; }

# of_rounds SHORT LONG
of_rounds() { if short; then echo "$1"; else echo "$2"; fi; }

has() { command -v "$1" >/dev/null; }

is_p4() { grep -q '^cpu family.*: 15$' /proc/cpuinfo; }

# answer NAME VERDICT [TEXT]
answer() { echo "$1${kind:+@$kind} $2 ${3:-}" >>"$KIT/answers"; }

# said NAME: yes, no, unknown, absent or nothing; of several kinds yes if one of them says so.
said() {
	sed -n "s/^$1\(@${kind:-[^ ]*}\)\{0,1\} \([a-z]*\).*/\2/p" "$KIT/answers" | sort -r | head -n 1
}

# pinned COMMAND...: to the kind's CPU.
pinned() {
	if [ -z "$kind" ]; then "$@"; else taskset -c "$cpu" "$@"; fi
}

has_kinds() { [ -n "$(look kinds)" ]; }

# by_kind STEP: once, or once on each kind.
by_kind() {
	case $1 in
	ask | overcount | known | pebs | ledger | lbr | skid | switches) look kinds >kinds ;;
	*) : >kinds ;;
	esac
	if [ ! -s kinds ]; then
		"step_$1"
		return
	fi
	while read -r kind cpu <&3; do
		echo "--- $kind cores, CPU $cpu"
		"step_$1"
	done 3<kinds
}

# last_words FILE: one line.
last_words() { grep -v '^ *$' "$1" | tail -n 1; }

# Where the programs are: in the build, or given.  A command that is installed will do.
find_built() {
	built=${KIT_BUILT:-$KIT/build/metal}
	PATH=$built:$PATH
	export LD_LIBRARY_PATH=$built
}

# --- build ---

step_build() {
	if [ -n "$KIT_BUILT" ]; then
		absent "was built elsewhere"
		return
	fi
	if make -C "$here/../.." O="$KIT/build" -j"$(nproc)" metal-build; then
		held "library, command and modules for Linux $(uname -r)"
	else
		broke "$(last_words "$KIT/detail/build"): tests/setup build installs what is needed"
	fi
}

# --- what the machine is ---

msrs() {
	look msrs >"$1" 2>"$1.why"
}

cpuinfo() {
	sed -n "s/^$1[^:]*: *//p" /proc/cpuinfo | head -n 1
}

step_machine() {
	if ! grep -q '^msr ' /proc/modules && modprobe msr 2>/dev/null; then
		grep -q '^msr ' /proc/modules && : >"$KIT/undo/msr"
	fi
	look cpuid
	look kinds | tail -n +2 | while read -r _ cpu; do
		echo "CPU $cpu:"
		taskset -c "$cpu" look cpuid
	done
	echo "note: family $(cpuinfo 'cpu family'), model $(cpuinfo model), stepping $(cpuinfo stepping)," \
		"microcode $(cpuinfo microcode), $(nproc) CPUs$(in_guest)$(kinds_note)"
	if msrs msrs-before; then
		cat msrs-before
		held "CPUID, microcode, and $(wc -l <msrs-before) MSRs are noted"
	else
		absent "registers: $(cat msrs-before.why)"
	fi
	has pmuctl && { pmuctl info | grep -v pid; }
	return 0
}

kinds_note() {
	! has_kinds || look kinds | awk '{ printf "%s %s is CPU %d", NR > 1 ? "," : "; of", $1, $2 }'
}

in_guest() {
	! grep -q '^flags.* hypervisor' /proc/cpuinfo || echo ", under a hypervisor"
}

# --- the questions ---

kit_module() {
	local series

	series=$(uname -r)
	case $series in
	7.*) series=7.x ;;
	*) series=$(echo "$series" | cut -d. -f1,2) ;;
	esac
	for file in "$built/pmuctl_kit.ko" "$built/pmuctl_kit-$series.ko"; do
		[ ! -e "$file" ] || { echo "$file"; return; }
	done
}

step_ask() {
	local module name verdict text

	module=$(kit_module)
	[ -n "$module" ] || { absent "there is no module of the kit for Linux $(uname -r)"; return; }
	if ! pinned insmod "$module" rounds="$(of_rounds 200 100000)"; then
		broke "$(last_words "$KIT/detail/ask"): signed modules only? Documentation/admin.rst"
		return
	fi
	taskset -c "$cpu" cat /proc/pmuctl_kit >asked
	rmmod pmuctl_kit
	[ -s asked ] || { broke "somebody else has the counters: $(last_words "$KIT/detail/ask")"; return; }
	cat asked
	while read -r name verdict text; do
		answer "$name" "$verdict" "$text"
		case $verdict in
		yes | no) held "$name: $verdict: $text" ;;
		absent) absent "$name: $text" ;;
		*) broke "$name: cannot be told: $text" ;;
		esac
	done <asked
}

# What follows from each answer that is not what box and manual take for usual.
meaning() {
	case $1 in
	counts-recorded) echo "a reset of -N makes a record every N events, as Linux has it: pmuctl must find that by its own try" ;;
	stays-ready) echo "only PEBS_ENABLE ends it: pmuctl's two accesses at such a switch are needed" ;;
	names-ready) echo "records that name several counters are not all theirs: pmuctl drops them, as Linux does" ;;
	names-none) echo "records that name nobody are given to the one event, or counted as collisions" ;;
	own-bits) echo "bits behind records are no overflows: pmuctl must ignore them" ;;
	late-bits) echo "one reading of the status is not enough: pmuctl reads until nothing is new" ;;
	more-bits) echo "bits that are nobody's come with others: pmuctl acknowledges and ignores them" ;;
	no-buffer-bit) echo "the index of the DS area tells that the buffer is full, bit 62 does not" ;;
	unmasked) echo "an NMI that finds nothing may be pmuctl's own: silicon.rst" ;;
	lost-pmi) echo "samples stall until the next look, and record says how often" ;;
	lost-carry) echo "2^32 is added where a counter seems to have run backwards" ;;
	counts-interrupts) echo "counts of instructions are too high by one an interrupt and page fault, as Linux's are" ;;
	short-dist) echo "periods of 01C0H below 128 are refused" ;;
	odd-dist) echo "periods of 01C0H that are no multiple of 64 are refused" ;;
	pebs-records) echo "pmuctl's own tries by 00C0H can be made" ;;
	esac
}

answers() {
	local name verdict like=''

	while read -r name verdict _; do
		[ "$verdict" = yes ] || continue
		echo "  $name: $(meaning "${name%@*}")"
		name=${name%@*}
		[ "$name" = pebs-records ] || [[ $like, = *,$name,* ]] || like=$like,$name
	done <"$KIT/answers"
	sed -n 's/^\([^ ]*\) no .*/\1/p' "$KIT/answers" | tr '\n' ' ' | sed 's/^./  not so: &/; s/ $/\n/'
	echo "  the box that is so: tests/box/run${like:+ --silicon ${like#,}}"
}

# --- pmuctl itself ---

load_pmuctl() {
	: >"$KIT/undo/pmuctl"
	if [ -e "$built/pmuctl.ko" ]; then
		insmod "$built/pmuctl.ko" max_sample_rate=100000000
	else
		modprobe pmuctl max_sample_rate=100000000
	fi
}

# Sockets of processes just ended go a moment later.
unload_pmuctl() {
	local i

	for i in $(seq 50); do
		rmmod pmuctl 2>/dev/null && return
		sleep 0.1
	done
	rmmod pmuctl
}

step_load() {
	if ! load_pmuctl; then
		broke "$(last_words "$KIT/detail/load")"
		return
	fi
	pmuctl info | grep -v pid
	if pmuctl info >info; then
		held "the module drives this PMU"
	else
		broke "$(last_words info)"
	fi
}

# lacks_pmuctl STEP: it has no use without the module, which is not loaded.
lacks_pmuctl() {
	case $1 in
	selftest | overcount | known | pebs | ledger | lbr | skid | switches | kills | reload) ;;
	*) return 1 ;;
	esac
	[ ! -e /sys/module/pmuctl ]
}

step_selftest() {
	if pmuctl selftest >selftest 2>&1; then
		held "$(grep '^good' selftest | head -n 1)"
	else
		broke "$(head -n 1 selftest)"
	fi
	cat selftest
}

# count EVENTS COMMAND...: their counts, in one line.
count() {
	local events=$1

	shift
	pinned pmuctl stat -x, -o counts -e "$events" -- "$@" >&2 || return
	# Of several kinds those are rows as well, with their names at the end.
	awk -F, -v kinds="$(look kinds)" 'kinds == "" || $NF == "" { print $1 }' counts | paste -s -d ' '
}

step_overcount() {
	local touching still hundredths

	touching=$(count instructions:u faults)
	still=$(count instructions:u faults once)
	echo "1000 pages: $touching, one page: $still"
	case ${touching:-x}${still:-x} in
	*[!0-9]*)
		broke "nothing was counted: $(last_words "$KIT/detail/overcount")"
		return
		;;
	esac
	hundredths=$(((touching - still) * 100 / 999))
	text="instructions:u is too high by $((hundredths / 100)).$(printf %02d $((hundredths % 100))) a page fault"
	if [ "$touching" -lt "$still" ]; then
		broke "$touching instructions with faults, $still without"
	elif [ $hundredths -gt 50 ]; then
		held "counts-interrupts: yes: $text"
		answer counts-interrupts yes
	else
		held "counts-interrupts: no: $text"
		answer counts-interrupts no
	fi
}

# Of a program of so many instructions: for interrupts and faults where they count.
too_many() {
	if [ "$(said counts-interrupts)" = yes ]; then echo $((20 + $1 / 100000)); else echo 0; fi
}

step_known() {
	local rounds want got more all=''

	for rounds in 1000 1000000 $(of_rounds '' 100000000); do
		want=$((2 * rounds + 4))
		got=$(count instructions:u "exact-$rounds")
		echo "exact-$rounds: $got of $want"
		more=$((got - want))
		if [ $more -lt 0 ] || [ $more -gt "$(too_many $want)" ]; then
			broke "a program of $want instructions: $got"
			return
		fi
		all="$all $want$([ $more = 0 ] || echo "+$more")"
	done
	held "instructions:u of programs of known length:$all"
}

near() {
	local off=$((${1:-0} - $2)) may

	may=$(too_many "$2")
	[ ${off#-} -le "$may" ]
}
