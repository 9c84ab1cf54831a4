# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # KIT, built and step are of who sources this
# Sourced by tests/metal/run: steps that sample code of which it is known what is in it.

# PEBS format, or nothing: by IA32_PERF_CAPABILITIES.
pebs_format() {
	local caps

	caps=$(sed -n "s/^cpu$cpu 0x345 //p" msrs-before | head -n 1)
	echo $((${caps:-0} >> 8 & 15))
}

# record ARG...: data, and in recorded what pmuctl said, its reason if it could not.
record() {
	local code

	pinned pmuctl record -o data "$@" >recorded 2>&1
	code=$?
	cat recorded
	return $code
}

# Of both copies of chain: address and name, without leading zeros.
symbols() {
	sed 's/^0*//' "$built/chain-left.symbols" "$built/chain-right.symbols" | awk '{ print $1, $3 }'
}

step_pebs() {
	local format

	if ! record -e branches:upp -c 101 -- chain-left; then
		absent "$(last_words recorded)"
		return
	fi
	format=$(pebs_format)
	symbols >symbols
	pmuctl script -i data -F ip | awk -v format="$format" '
		NR == FNR { name[$1] = $2; next }
		{ sub(/^0x/, "", $1) }
		$1 in name && name[$1] ~ /^b_/ { at++; next }
		# Older formats have what comes behind the branch, unless it was found.
		$1 in name && name[$1] ~ /^(t_|again|yield)/ && format < 2 { behind++; next }
		{ wrong++; print "sample at " $1 }
		END {
			printf "at the branch %d, behind it %d, elsewhere %d\n", at, behind, wrong
			exit !(at + behind >= 100 && !wrong && at >= behind)
		}' symbols - >placed
	if [ "${PIPESTATUS[1]}" = 0 ]; then
		held "format $format, branches: samples $(last_words placed)"
	else
		broke "format $format, branches: samples $(last_words placed)"
	fi
	cat placed
}

# The period is what was asked for, whichever way the processor counts what it records.
step_ledger() {
	local period=1009 all samples off event text='' bad=''

	for event in instructions:u branches:u instructions:upp branches:upp; do
		all=$(count "${event%pp}" chain-left)
		if ! record -e "$event" -c $period -- chain-left; then
			echo "$event: not here"
			continue
		fi
		samples=$(pmuctl script -i data -F period |
			awk -v period=$period '{ n += $1 } END { print int(n / period) }')
		off=$((all / period - samples))
		echo "$event: $samples samples, $all events"
		# Where interrupts count, two runs are not alike.
		if [ ${off#-} -gt $((1 + $(too_many "$all") / period)) ]; then
			bad="$bad $event: $samples samples for $all events;"
		fi
		text="$text $event $samples"
	done
	if [ -n "$bad" ]; then
		broke "a sample every $period:$bad"
	elif [ -n "$text" ]; then
		held "a sample every $period, no more and no fewer:$text"
	else
		absent "nothing can be sampled: $(last_words recorded)"
	fi
}

# Where interrupts are lost few samples may be left of so short a program.
enough() {
	if [ "$(said lost-pmi)" = yes ]; then echo 1; else echo 100; fi
}

step_lbr() {
	if ! record -e branches:u -c 1009 -b -- chain-left; then
		absent "$(last_words recorded)"
		return
	fi
	symbols >symbols
	# brstack has the latest first: what a branch led to leads to the one before it in the row.
	pmuctl script -i data -F brstack | awk -v least="$(enough)" '
		function known(edge) {
			if (edge ~ /^b_[1-4] t_[1-4]$/)
				return substr(edge, 3, 1) == substr(edge, 7)
			return edge == "b_none yield" || edge == "b_stays again"
		}
		function is_ours(address) { return address ~ /^1000....$/ }
		function follows(to, from) {
			return to == "t_1" && from == "b_2" || to == "t_2" && from == "b_3" ||
			       to == "t_3" && from ~ /^b_(4|none)$/ || to == "t_4" && from == "b_1" ||
			       to == "yield" && from == "b_stays" || to == "again" && from == "b_4"
		}
		NR == FNR { name[$1] = $2; next }
		{
			later = ""
			for (i = 1; i <= NF; i++) {
				split($i, part, "/")
				sub(/^0x/, "", part[1])
				sub(/^0x/, "", part[2])
				# Interrupts, faults and the way from exec are in no order.
				if (!is_ours(part[1]) || !is_ours(part[2])) { later = ""; other++; continue }
				all++
				from = name[part[1]]
				to = name[part[2]]
				if (!known(from " " to) || later != "" && !follows(to, later)) {
					wrong++
					print "wrong: " part[1] " " from " to " part[2] " " to " before " later
				}
				later = from
			}
		}
		END {
			printf "%d branches, %d wrong or out of order, %d to or from the kernel\n", all, wrong, other
			exit !(all >= least && !wrong)
		}' symbols - >chained
	if [ "${PIPESTATUS[1]}" = 0 ]; then
		held "branch records of a loop of four: $(last_words chained)"
	else
		broke "branch records of a loop of four: $(last_words chained)"
	fi
	cat chained
}

# share WAY: of its samples at the cause, in percent.
share() {
	local at

	at=$(sed -n "s/^$1,0,[0-9]*,//p" skid)
	echo "${at:-0}"
}

step_skid() {
	local code at

	pinned pmuctl skid -n "$(of_rounds 50 1000)" -x, >skid 2>skid-why
	code=$?
	cat skid skid-why
	at=$(share 'by PEBS')
	case $code in
	0)
		if awk -v at="$at" 'BEGIN { exit !(at >= 90) }' || [ "$(pebs_format)" -lt 2 ]; then
			held "at the load that misses: by interrupt $(share 'by interrupt') %, by PEBS $at %"
		else
			broke "at the load that misses: by PEBS $at % only"
		fi
		;;
	1) held "at the load that misses: by interrupt $(share 'by interrupt') %; no PEBS" ;;
	*) absent "$(last_words skid-why)" ;;
	esac
}

# Two tasks give each other the CPU, each in code of its own.
step_switches() {
	local event=branches:upp

	cat >both <<-END
		taskset -c $cpu chain-left yields &
		taskset -c $cpu chain-right yields
		wait
	END
	if ! record -e $event -c 53 -- sh both; then
		event=branches:u
		record -e $event -c 53 -- sh both || { absent "$(last_words recorded)"; return; }
	fi
	pmuctl script -i data -F comm,ip | awk '
		$1 !~ /^chain-/ { next }
		{ sub(/^0x/, "", $2); is_left = $2 ~ /^1000....$/; is_right = $2 ~ /^2000....$/ }
		!is_left && !is_right { next }
		($1 == "chain-left") == is_left { n[$1]++; if (last != "" && last != $1) turns++; last = $1; next }
		{ wrong++; print "wrong: " $0 }
		END {
			printf "%d and %d samples, %d of the other task\n", n["chain-left"], n["chain-right"], wrong
			exit !(n["chain-left"] >= 100 && n["chain-right"] >= 100 && !wrong)
		}' >switched
	if [ "${PIPESTATUS[1]}" = 0 ]; then
		held "2500 switches between two tasks with $event: $(last_words switched)"
	else
		broke "switches between two tasks with $event: $(last_words switched)"
	fi
	cat switched
}
