#compdef pmuctl
# SPDX-License-Identifier: GPL-2.0-or-later
# zsh completion for pmuctl; pmuctl itself says what may stand there.
_pmuctl()
{
	local line word
	local -a before found
	before=("${(@Q)words[2,CURRENT]}")
	while IFS= read -r line; do
		case $line in
		:files)
			compset -P '--*='
			_files
			;;
		:directories)
			compset -P '--*='
			_files -/
			;;
		":command "*)
			shift ${line#:command } words
			((CURRENT -= ${line#:command }))
			_normal
			;;
		*)
			word=${line%%$'\t'*}
			found+=("${word//:/\\:}:${line#*$'\t'}")
			;;
		esac
	done < <("${(Q)words[1]}" completion -- "${before[@]}" 2>/dev/null)
	((${#found})) && _describe -V 'pmuctl' found
	return 0
}
if [[ ${funcstack[1]} == _pmuctl ]]; then
	_pmuctl "$@"
else
	compdef _pmuctl pmuctl
fi
