# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for pmuctl; pmuctl itself says what may stand there.
_pmuctl()
{
	local cur cut line word
	local -a words
	read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
	[[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
	cur=${words[-1]}
	# bash replaces what is behind the last : or = alone.
	cut=${cur%"${cur##*[:=]}"}
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:files)
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -f -- "${cur#"$cut"}")
			;;
		:directories)
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -d -- "${cur#"$cut"}")
			;;
		":command "*)
			if declare -F _command_offset >/dev/null; then
				_command_offset "${line#:command }"
			elif [[ $((${#words[@]} - 1)) == "${line#:command }" && $cur != */* ]]; then
				mapfile -t COMPREPLY < <(compgen -c -- "$cur")
			else
				compopt -o filenames
				mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			fi
			;;
		*)
			word=${line%%$'\t'*}
			COMPREPLY+=("${word#"$cut"}")
			;;
		esac
	done < <("${words[0]}" completion -- "${words[@]:1}" 2>/dev/null)
	# A list goes on with a comma, and --name= with its value.
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	return 0
} && complete -F _pmuctl pmuctl
