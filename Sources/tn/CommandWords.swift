import ArgumentParser

/// Arranges the words of the command line in the order that the parser accepts, and explains words that it refuses.
enum CommandWords {
    /// Turns `--new TEXT` into `new TEXT` and `takenote://…` into `open takenote://…`.
    ///
    /// It also moves options before the command's name behind it, so that a text is never parsed as a command.
    static func arranged(_ words: [String]) -> [String] {
        var words = words
        var leading: [String] = []
        while let word = words.first, word == "--database" || word == "-n" || word.hasPrefix("--database=") {
            let length = word.hasPrefix("--database=") ? 1 : min(2, words.count)
            leading += words.prefix(length)
            words.removeFirst(length)
        }
        words = textMarked(words.flatMap(optionSplit))
        guard let first = words.first else { return leading }
        if first == "--new" {
            words[0] = "new"
        } else if first.lowercased().hasPrefix("takenote://") {
            words.insert("open", at: 0)
        } else if first.hasPrefix("-") {
            return leading + words
        }
        // Insert them after the names of a command and its subcommand, as in `folder list`.
        words.insert(contentsOf: leading, at: commandPath(words).names.count)
        return words
    }

    /// Splits a word `--name=value` in two if a combining scalar follows the `=`.
    ///
    /// The parser reads words by characters and would not find that `=`.
    private static func optionSplit(_ word: String) -> [String] {
        guard word.hasPrefix("--"), !word.contains(where: { $0 == "=" }),
            let equals = word.unicodeScalars.firstIndex(of: "=")
        else {
            return [word]
        }
        let scalars = word.unicodeScalars
        return [String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...])]
    }

    /// Moves text words that begin with a dash, like `- coffee filters`, and the text after them, behind `--`.
    ///
    /// Otherwise the parser would read them as options.
    private static func textMarked(_ words: [String]) -> [String] {
        guard !words.contains("--"), let command = words.first else { return words }
        let isSearch = command == "search"
        var (arranged, text): ([String], [String]) = ([], [])
        var isText = false
        for word in words {
            if word.hasPrefix("-"), !isDashedText(word, isSearch: isSearch) {
                isText = false
            } else if word.hasPrefix("-") {
                // After an option, the word is its value, which the parser accepts only in the form `--option=value`.
                if let option = arranged.last, option.hasPrefix("--"), !flags.contains(option), !option.contains("="),
                    !isText
                {
                    arranged[arranged.count - 1] = option + "=" + word
                    continue
                }
                isText = true
            }
            if isText { text.append(word) } else { arranged.append(word) }
        }
        return text.isEmpty ? arranged : arranged + ["--"] + text
    }

    /// Options without a value that may precede a text.
    private static let flags: Set<String> = ["--new", "--star", "--open", "--here", "--json"]

    /// Whether a word is text although it begins with a dash.
    ///
    /// It is if a blank or a digit follows the dash, as in no option's name; in a search, a dash excludes a word.
    private static func isDashedText(_ word: String, isSearch: Bool) -> Bool {
        guard let second = word.dropFirst().first else { return false }
        return second.isWhitespace || second.isNumber || (isSearch && second != "-" && !["-h", "-n"].contains(word))
    }

    /// The commands named by the first words, outermost first.
    private static func commandPath(_ words: [String]) -> (names: [String], commands: [any ParsableCommand.Type]) {
        var names: [String] = []
        var commands: [any ParsableCommand.Type] = [TakeNote.self]
        for word in words {
            guard let next = commands.last?.named(word) else { break }
            names.append(word)
            commands.append(next)
        }
        return (names, commands)
    }

    /// - Throws: `Failure` if a word in the position of a command is not one, or looks like several options in one.
    static func check(_ words: [String]) throws {
        try checkDashes(words)
        // The words after `help` are command names too.
        let words = words.first == "help" ? Array(words.dropFirst()) : words
        let (names, commands) = commandPath(words)
        guard let command = commands.last, !command.subcommandNames.isEmpty, words.count > names.count else { return }
        let word = words[names.count]
        guard !word.hasPrefix("-"), word != "help" || !names.isEmpty else { return }
        let before = (["tn"] + names).joined(separator: " ")
        throw Failure.noCommand(
            "\(before) \(word)", after: before, guess: nearest(to: word, among: command.subcommandNames))
    }

    /// Rejects a word like `-cheese`, in which the parser would find `-h` and print the help with a status of success.
    ///
    /// Options of one letter cannot be combined: `-h` is the only one.
    private static func checkDashes(_ words: [String]) throws {
        let options = words.prefix { $0 != "--" }
        guard let word = options.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }) else {
            return
        }
        throw Failure.noOption(word)
    }

    /// Returns the parser's objection to the words as a failure in one line, with the help to read.
    static func failure(for error: any Error, in words: [String]) -> Failure {
        let command = (["tn"] + commandPath(words).names).joined(separator: " ")
        return Failure.parserRefused(TakeNote.message(for: error), in: command)
    }

    // MARK: Suggestions

    /// Returns the most likely intended word: at most a third of its letters differ, or it begins with the given word.
    private static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let scored = candidates.map { ($0, distance(Array(word), Array($0))) }
        guard let best = scored.min(by: { $0.1 < $1.1 }) else { return nil }
        if best.1 <= max(1, best.0.count / 3) { return best.0 }
        return word.count >= 2 ? candidates.first { $0.hasPrefix(word) } : nil
    }

    /// Returns the number of letters that must be added, removed, replaced or swapped with the next letter.
    private static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: to.count + 1)
        var last = Array(0...to.count)
        for (i, a) in from.enumerated() {
            var row = [i + 1]
            for (j, b) in to.enumerated() {
                var cost = min(last[j] + (a == b ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a == to[j - 1], from[i - 1] == b { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[to.count]
    }
}

extension ParsableCommand {
    /// The names of the displayed subcommands.
    static var subcommandNames: [String] {
        configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
    }

    static func named(_ word: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == word }
    }
}
