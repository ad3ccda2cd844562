# Completion of ludotheque for bash. In ~/.bashrc: source <(ludotheque completion bash)

_ludotheque() {
    local word=${COMP_WORDS[COMP_CWORD]} kind value about
    [[ $word == [=:] ]] && word=
    COMPREPLY=()
    {
        read -r kind || return
        case $kind in
            files | directories)
                compopt -o filenames 2>/dev/null
                while IFS= read -r value; do
                    COMPREPLY+=("$value")
                done < <(if [[ $kind == files ]]; then compgen -f -- "$word"; else compgen -d -- "$word"; fi)
                return
                ;;
            list)
                compopt -o nospace 2>/dev/null
                ;;
        esac
        while IFS=$'\t' read -r value about; do
            COMPREPLY+=("$value")
        done
    } < <("${COMP_WORDS[0]}" __complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}

complete -F _ludotheque ludotheque
