# Completion of ludotheque for fish. In ~/.config/fish/config.fish: ludotheque completion fish | source

function __ludotheque_complete
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    set -l answer ($typed[1] __complete fish $typed[2..-1] "$word" 2>/dev/null)
    # A path may stand right after a flag and an equals sign.
    set -l flag (string match -r -- '^--[a-z-]+=' "$word")
    set -l path (string replace -r -- '^--[a-z-]+=' '' "$word")
    switch "$answer[1]"
        case files
            __fish_complete_path "$path" | string replace -r -- '^' "$flag"
        case directories
            __fish_complete_directories "$path" | string replace -r -- '^' "$flag"
        case '*'
            string join \n -- $answer[2..-1]
    end
end

complete -c ludotheque -f -a '(__ludotheque_complete)'
