#compdef ludotheque
# Completion of ludotheque for zsh. In ~/.zshrc, after compinit: source <(ludotheque completion zsh)

_ludotheque() {
    local kind value about
    local -a answer values shown
    answer=("${(@f)$("${(Q)words[1]}" __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    kind=$answer[1]
    case $kind in
        files)
            [[ $PREFIX == --*=* ]] && compset -P '*='
            _files
            return
            ;;
        directories)
            [[ $PREFIX == --*=* ]] && compset -P '*='
            _files -/
            return
            ;;
    esac
    local line
    for line in "${(@)answer[2,-1]}"; do
        value=${line%%$'\t'*}
        about=${line#*$'\t'}
        values+=("$value")
        shown+=("$value${about:+ -- $about}")
    done
    (( $#values )) || return 1
    if [[ $kind == list ]]; then
        compadd -S '' -l -d shown -a values
    else
        compadd -l -d shown -a values
    fi
}

if [[ $funcstack[1] == _ludotheque ]]; then
    _ludotheque "$@"
else
    compdef _ludotheque ludotheque
fi
