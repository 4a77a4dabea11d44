# fish completion of tess: commands and options come from the command itself.
function __tess_words
    set -l tokens (commandline -opc)
    if test (count $tokens) -lt 2
        tess --help=commands
    else
        tess $tokens[2] --help=options
    end
end
complete -c tess -n 'test (count (commandline -opc)) -lt 2' -f -a '(__tess_words)'
complete -c tess -n 'test (count (commandline -opc)) -ge 2; and string match -q -- "-*" (commandline -ct)' -a '(__tess_words)'
