# Completion for bash: the commands, and of a command the options its help names; then files.
_tesela()
{
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$(tesela help 2>/dev/null | sed -n 's/^  tesela \([a-z-]*\) .*/\1/p')" -- "$word"))
    elif [ "$command" = help ]; then
        COMPREPLY=($(compgen -W "$(tesela help 2>/dev/null | sed -n 's/^  tesela \([a-z]*\) .*/\1/p')" -- "$word"))
    elif [ "${word#-}" != "$word" ]; then
        COMPREPLY=($(compgen -W "$(tesela help "$command" 2>/dev/null | grep -oE -e '(^|[^A-Za-z0-9-])--?[a-z][a-z-]*' | grep -oE -e '--?[a-z-]+' | sort -u)" -- "$word"))
    else
        local routines
        routines=$(tesela help "$command" 2>/dev/null | sed -n '/^Routines:/,$p' | sed 's/^Routines://')
        COMPREPLY=($(compgen -W "$routines" -- "$word") $(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _tesela tesela
