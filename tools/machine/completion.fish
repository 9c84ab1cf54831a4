# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for pmuctl; pmuctl itself says what may stand there.
function __pmuctl_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in ($before[1] completion -- $before[2..-1] $current 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- $current)
            case :directories
                __fish_complete_directories (string replace -r '^--[^=]*=' '' -- $current)
            case ':command *'
                set -l words $before $current
                set -l first (math (string replace ':command ' '' -- $line) + 1)
                complete -C (string join ' ' -- $words[$first..-1])
            case '*'
                echo $line
        end
    end
end
complete -c pmuctl -f -a '(__pmuctl_complete)'
