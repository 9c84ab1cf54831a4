# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # KIT, built and step are of who sources this
# Sourced by tests/metal/run: steps beside perf, where it is installed.

# perf_stat EVENTS COMMAND...: as count, or its last words.
perf_stat() {
	local events=$1

	shift
	perf stat -x, -o perf-counts -e "$events" -- "$@" >perf-said 2>&1 || {
		cat perf-said >&2
		return 1
	}
	grep -v '^#' perf-counts | grep . | cut -d, -f1 | paste -s -d ' '
}

step_perf() {
	local want=2000004 ours theirs

	has perf || { absent "perf is not installed"; return; }
	load_pmuctl || { broke "$(last_words "$KIT/detail/perf")"; return; }
	is_p4 && { absent "perf's instructions of a Pentium 4 are other events (errata.rst)"; return; }
	ours=$(count instructions:u,branches:u exact-1000000)
	theirs=$(perf_stat instructions:u,branches:u exact-1000000) || {
		absent "perf: $(last_words perf-said)"
		return
	}
	echo "instructions and branches: ours $ours, perf's $theirs"
	# shellcheck disable=SC2086 # words on purpose
	set -- $ours $theirs
	case $3$4 in
	*[!0-9]*) absent "perf: $3" ;;
	*)
		if near "$1" $want && near "$3" $want && near "$2" "$4"; then
			held "perf counts the same: $1 and $3 instructions, $2 and $4 branches"
		else
			broke "instructions $1, perf $3, of $want; branches $2, perf $4"
		fi
		;;
	esac
}

# each TOTAL LESS UNITS: cycles of one, 0 where less than can be told, or none.
each() {
	case $1$2 in
	*[!0-9]* | '') echo none ;;
	*) if [ "$1" -lt "$2" ]; then echo 0; else echo $((($1 - $2) / $3)); fi ;;
	esac
}

# perf_beside WHAT OPTION... -- COMMAND...: what the command prints, or nothing.
perf_beside() {
	! has perf || perf "$@" 2>perf-said
}

# cost WHAT OURS THEIRS
cost() {
	if [ "$2" = none ]; then
		absent "cycles of $1 (perf $3): $(last_words "$KIT/detail/costs")"
	else
		held "cycles of $1: $2, perf $3"
	fi
}

# least COMMAND...: of its runs.
least() {
	local i

	for i in $(seq "$(of_rounds 1 3)"); do "$@"; done | sort -n | head -n 1
}

# In cycles of the time-stamp counter.
step_costs() {
	local four=instructions:u,branches:u,r00c0:u,r00c5:u
	local alone ours theirs times rounds samples event

	[ -e "$KIT/undo/pmuctl" ] || load_pmuctl || {
		broke "$(last_words "$KIT/detail/costs")"
		return
	}
	times=$(of_rounds 30 5000)
	alone=$(costs switch "$times")
	ours=$(pmuctl stat -o out -e $four -- costs switch "$times")
	theirs=$(perf_beside stat -o out -e $four -- costs switch "$times")
	ours=$(each "$ours" "$alone" "$times")
	theirs=$(each "$theirs" "$alone" "$times")
	cost "a switch, $(each "$alone" 0 "$times") uncounted, how many more" "$ours" "$theirs"
	ours=$(costs read-pmuctl "$times")
	theirs=$(costs read-perf "$times")
	cost "a read of four events" "$(each "$ours" 0 "$times")" "$(each "$theirs" 0 "$times")"
	rounds=$(of_rounds 100070 10007000)
	samples=$((rounds * 20 / 10007))
	alone=$(least costs loop "$rounds")
	for event in branches:u branches:upp; do
		set -- record -q -o data -e $event -c 10007
		ours=$(least pmuctl "$@" -- costs loop "$rounds")
		theirs=$(least perf_beside "$@" -B -N -- costs loop "$rounds")
		ours=$(each "$ours" "$alone" $samples)
		cost "a sample of $event" "$ours" "$(each "$theirs" "$alone" $samples)"
	done
}
