import ArgumentParser

/// The words of the command line: put in the order that the parser takes, and explained where it does not take them.
enum CommandWords {
    /// Turns `--new TEXT` into `new TEXT` and `takenote://…` into `open takenote://…`, and puts options that stand
    /// before the command's name behind it, so that a text is never taken for a command.
    static func arranged(_ words: [String]) -> [String] {
        var words = words
        var leading: [String] = []
        while let word = words.first, word == "--database" || word.hasPrefix("--database=") {
            let length = word == "--database" ? min(2, words.count) : 1
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
        // Behind the names of a command and its part, `folder list`.
        words.insert(contentsOf: leading, at: commandPath(words).names.count)
        return words
    }

    /// A word `--name=value` whose value begins with a scalar that joins the `=`, as the parser reads words by characters
    /// and would not find the `=`: as two words.
    private static func optionSplit(_ word: String) -> [String] {
        guard word.hasPrefix("--"), !word.contains(where: { $0 == "=" }),
            let equals = word.unicodeScalars.firstIndex(of: "=")
        else {
            return [word]
        }
        let scalars = word.unicodeScalars
        return [String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...])]
    }

    /// Puts words that begin with a dash and are text, like `- coffee filters`, behind `--`, with the words of text that
    /// follow them, so that none is taken for an option.
    private static func textMarked(_ words: [String]) -> [String] {
        guard !words.contains("--"), let command = words.first else { return words }
        let isSearch = command == "search"
        var (arranged, text): ([String], [String]) = ([], [])
        var isText = false
        for word in words {
            if word.hasPrefix("-"), !isDashedText(word, isSearch: isSearch) {
                isText = false
            } else if word.hasPrefix("-") {
                // Behind an option it is its value, which the parser takes only when it is tied to it.
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

    /// Options without a value that can stand before a text.
    private static let flags: Set<String> = ["--new", "--star", "--open", "--json"]

    /// Whether a word is text although it begins with a dash: with a blank or a digit behind it it is no option's name, and
    /// in a search it leaves something out.
    private static func isDashedText(_ word: String, isSearch: Bool) -> Bool {
        guard let second = word.dropFirst().first else { return false }
        return second.isWhitespace || second.isNumber || (isSearch && second != "-" && word != "-h")
    }

    /// The commands that the first words name, outermost first.
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

    /// - Throws: `Failure` if a word stands where a command should and is none, or looks like several options in one.
    static func check(_ words: [String]) throws {
        try checkDashes(words)
        // The names behind `help` are those of commands, too.
        let words = words.first == "help" ? Array(words.dropFirst()) : words
        let (names, commands) = commandPath(words)
        guard let command = commands.last, !command.subcommandNames.isEmpty, words.count > names.count else { return }
        let word = words[names.count]
        guard !word.hasPrefix("-"), word != "help" || !names.isEmpty else { return }
        let before = (["tn"] + names).joined(separator: " ")
        throw Failure.noCommand(
            "\(before) \(word)", after: before, guess: nearest(to: word, among: command.subcommandNames))
    }

    /// Refuses a word like `-cheese`, in which the parser would find `-h` and print the help with the status of success.
    ///
    /// Options of one letter cannot be joined: `-h` is the only one.
    private static func checkDashes(_ words: [String]) throws {
        let options = words.prefix { $0 != "--" }
        guard let word = options.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }) else {
            return
        }
        throw Failure(
            "there is no option “\(word)”; put -- before a text that begins with a dash, or = between an option and it",
            status: .usage)
    }

    /// What the parser has against the words, in one line that names the help to read.
    static func failure(for error: any Error, in words: [String]) -> Failure {
        let command = (["tn"] + commandPath(words).names).joined(separator: " ")
        return Failure.parserRefused(TakeNote.message(for: error), in: command)
    }

    // MARK: Suggestions

    /// The word that was most likely meant: at most a third of its letters differ, or it begins so.
    private static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let scored = candidates.map { ($0, distance(Array(word), Array($0))) }
        guard let best = scored.min(by: { $0.1 < $1.1 }) else { return nil }
        if best.1 <= max(1, best.0.count / 3) { return best.0 }
        return word.count >= 2 ? candidates.first { $0.hasPrefix(word) } : nil
    }

    /// How many letters must be added, removed, replaced or swapped with the next.
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
    /// The names that can stand behind this command's, the ones that people type.
    static var subcommandNames: [String] {
        configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
    }

    static func named(_ word: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == word }
    }
}
