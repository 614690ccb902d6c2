import ArgumentParser

/// Generates a shell's completion script: the parser's script with corrections for this program.
///
/// `tn --new` completes like `tn new`, `tn help` like `tn` itself, and every shell treats the suggestions as text.
enum CompletionScript {
    /// The option of the parser, which every command takes.
    static let option = "--generate-completion-script"

    /// Returns the shell that `--generate-completion-script` names, or the user's own if it names none; nil for any
    /// other command line.
    ///
    /// All forms of the option are taken, since the parser's own script expands titles as command lines in bash.
    static func shell(in words: [String]) -> CompletionShell? {
        let words = words.prefix { $0 != "--" }
        guard let index = words.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
        if words[index] != option {
            return CompletionShell(rawValue: String(words[index].dropFirst(option.count + 1)))
        }
        let next = words.index(after: index)
        return next < words.endIndex ? CompletionShell(rawValue: words[next]) : .autodetected()
    }

    static func text(for shell: CompletionShell) -> String {
        let script = TakeNote.completionScript(for: shell)
        return switch shell {
        case .bash: script + bash
        case .fish: script + fish
        case .zsh: zsh(script)
        default: script
        }
    }

    // MARK: bash

    /// Compares and quotes titles itself instead of calling `compgen -W`.
    ///
    /// `compgen -W` expands its argument as a command line, so that a note's title could run a command. Quotes and
    /// backslashes in the word being typed are removed for the comparison.
    private static let bash = #"""

        __tn_add_completions() {
            local completion
            if [[ "${1}" != -W ]]; then
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(compgen "${@}" -- "${cur}")
                return
            fi
            local typed="${cur#[\"\']}" quoted=''
            if [[ "${cur}" != [\"\']* && "${COMP_WORDS[COMP_CWORD]}" != [\"\']* ]]; then
                typed="${cur//\\/}"
                quoted=yes
                compopt +o filenames
            fi
            while IFS='' read -r completion; do
                [[ -n "${completion}" && "${completion}" = "${typed}"* ]] || continue
                if [[ -n "${quoted}" ]]; then
                    printf -v completion %q "${completion}"
                    completion="${completion//:/\\:}"
                    completion="${completion//=/\\=}"
                    completion="${completion//@/\\@}"
                fi
                COMPREPLY+=("${completion}")
            done <<<"${2}"
        }

        _tn_arranged() {
            if [[ "${COMP_CWORD}" -gt 1 && "${COMP_WORDS[1]}" = --new ]]; then
                COMP_WORDS[1]=new
                COMP_LINE="${COMP_LINE/--new/new}"
                ((COMP_POINT -= 2))
            fi
            if [[ "${COMP_CWORD}" -gt 1 && "${COMP_WORDS[1]}" = help ]]; then
                COMP_WORDS=("${COMP_WORDS[0]}" "${COMP_WORDS[@]:2}")
                COMP_LINE="${COMP_LINE/help /}"
                ((COMP_CWORD -= 1, COMP_POINT -= 5))
            fi
            _tn "${@}"
            if [[ "${COMP_CWORD}" -eq 1 && "${2}" = -* && --new = "${2}"* ]]; then COMPREPLY+=(--new); fi
        }

        complete -o filenames -F _tn_arranged tn

        """#

    // MARK: zsh

    private static func zsh(_ script: String) -> String {
        let ending = "\nif [[ \"${funcstack[1]}\" = _tn ]]; then"
        guard let range = script.range(of: ending) else {
            preconditionFailure("The parser's script for zsh has another shape than this version knows.")
        }
        return script.replacingCharacters(in: range, with: arrangedZsh + ending)
    }

    private static let arrangedZsh = #"""

        functions[_tn_parsed]="${functions[_tn]}"

        _tn() {
            if ((CURRENT > 2)) && [[ "${words[2]}" = --new ]]; then words[2]=new; fi
            if ((CURRENT > 2)) && [[ "${words[2]}" = help ]]; then
                words=("${words[1]}" "${(@)words[3,-1]}")
                ((CURRENT--))
            fi
            if ((CURRENT == 2)) && [[ "${PREFIX}" = -* ]]; then compadd -- --new; fi
            _tn_parsed "${@}"
        }

        """#

    // MARK: fish

    private static let fish = #"""

        functions -q __tn_typed_tokens; and functions -e __tn_typed_tokens
        functions -c __tn_tokens __tn_typed_tokens
        function __tn_tokens
            set -l tokens (__tn_typed_tokens $argv)
            test "$tokens[2]" = --new; and set tokens[2] new
            test "$tokens[2]" = help; and set -e tokens[2]
            printf '%s\n' $tokens
        end
        complete -c tn -n 'test (count (__tn_typed_tokens -pc)) -eq 1' -l new -d 'Add a note and print its address.'

        """#
}
