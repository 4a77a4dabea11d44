# bash completion of tess: commands and options come from the command itself.
_tess()
{
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --help=commands | cut -f1) --help --version" -- "$cur"))
	elif [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help=options | cut -f1) --help" -- "$cur"))
	elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == --target ]]; then
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" report --list-targets | sed 1d | cut -d' ' -f1)" -- "$cur"))
	else
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$cur"))
	fi
}
complete -F _tess tess
