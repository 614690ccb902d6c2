import ArgumentParser
import Foundation

/// Arranges the words of the command line in the order that the parser accepts, and explains words that it refuses.
enum CommandWords {
    /// Checks that the command line is UTF-8, and the variables that name files.
    ///
    /// Swift replaces what is not: a note would be made of that, and the notebook would be another one.
    static func requireText() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            throw Failure.notText(argument: String(cString: word))
        }
        for name in variables {
            guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
            throw Failure.notText(variable: name)
        }
    }

    private static let variables = ["TAKENOTE_DATABASE", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]

    /// Turns `--new TEXT` into `new TEXT` and `takenote://…` into `open takenote://…`.
    ///
    /// It also moves options before the command's name behind it, so that a text is never parsed as a command.
    static func arranged(_ words: [String]) -> [String] {
        // A shell asks for completions in the parser's own words, which the user has not typed.
        if words.first == "---completion" { return words }
        let leading = Array(notebookOptions(in: words[...]))
        var words = Array(words.dropFirst(leading.count))
        words = textMarked(dashedValuesJoined(words.flatMap(optionSplit)))
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

    /// Returns the options at the beginning of the words that select the notebook, with their values.
    private static func notebookOptions(in words: ArraySlice<String>) -> ArraySlice<String> {
        var rest = words
        while let word = rest.first, word == "--database" || word == "-n" || word.hasPrefix("--database=") {
            rest = rest.dropFirst(word.hasPrefix("--database=") ? 1 : 2)
        }
        return words.dropLast(rest.count)
    }

    /// Splits a word `--name=value` in two if a combining scalar follows the `=`.
    ///
    /// The parser reads words by characters and would not find that `=`.
    private static func optionSplit(_ word: String) -> [String] {
        guard word.hasPrefix("--"), !isDashedText(word, isSearch: false), !word.contains(where: { $0 == "=" }),
            let equals = word.unicodeScalars.firstIndex(of: "=")
        else {
            return [word]
        }
        let scalars = word.unicodeScalars
        return [String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...])]
    }

    /// Joins an option and its value with `=` if the value begins with a dash, as in `--tag -a`.
    ///
    /// The parser would read such a value as options of one letter. A word that begins with an existing option of one
    /// letter stays an option, and a word with two dashes is more likely a mistyped option than a value.
    private static func dashedValuesJoined(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.count
        func takesValue(_ index: Int) -> Bool {
            guard words[index].hasPrefix("--"), !words[index].contains("="), index + 1 < end else { return false }
            let value = words[index + 1]
            return value.hasPrefix("-") && !value.hasPrefix("--") && value != "-"
        }
        guard (0..<end).contains(where: takesValue) else { return words }
        let names = commandPath(words.first == "--new" ? ["new"] : words).names
        let (options, letters) = (ParserDescription.valueOptions(of: names), ParserDescription.shortNames(of: names))
        var joined: [String] = []
        var index = 0
        while index < words.count {
            if index < end, takesValue(index), options.contains(words[index]),
                !letters.contains(String(words[index + 1].prefix(2)))
            {
                joined.append(words[index] + "=" + words[index + 1])
                index += 2
            } else {
                joined.append(words[index])
                index += 1
            }
        }
        return joined
    }

    /// Moves text words that begin with a dash, like `- coffee filters` or `---`, and the text after them, behind `--`.
    ///
    /// Otherwise the parser would read them as options.
    private static func textMarked(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.count
        let isSearch = words.first == "search"
        guard words[..<end].contains(where: { isDashedText($0, isSearch: isSearch) }) else { return words }
        let flags = ParserDescription.flags(of: commandPath(words.first == "--new" ? ["new"] : words).names)
        var (arranged, text): ([String], [String]) = ([], [])
        var isValue = false
        for word in words[..<end] {
            let isText = isDashedText(word, isSearch: isSearch)
            if isValue {
                // The parser accepts a value that begins with a dash only in the form `--option=value`.
                if isText { arranged[arranged.count - 1] += "=" + word } else { arranged.append(word) }
                isValue = false
            } else if word.hasPrefix("-"), word != "-", !isText {
                arranged.append(word)
                isValue = word.hasPrefix("--") && word != "--new" && !word.contains("=") && !flags.contains(word)
            } else if isText || !text.isEmpty {
                text.append(word)
            } else {
                arranged.append(word)
            }
        }
        return arranged + (text.isEmpty ? words[end...] : ["--"] + text + words[end...].dropFirst())
    }

    /// Whether a word is text although it begins with a dash.
    ///
    /// It is unless it could name an option: a letter follows one dash or two, and no blank or end of line comes before a
    /// `=`. In a search, a single dash excludes a word.
    private static func isDashedText(_ word: String, isSearch: Bool) -> Bool {
        guard word.hasPrefix("-"), word != "-", word != "--" else { return false }
        let isLong = word.hasPrefix("--")
        if isSearch, !isLong { return !["-h", "-n"].contains(word) }
        let name = word.unicodeScalars.dropFirst(isLong ? 2 : 1).prefix { $0 != "=" }
        guard let first = name.first, first.isASCII, first.properties.isAlphabetic else { return true }
        return name.contains { $0.properties.isWhitespace }
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
        let rest = words.dropFirst(names.count)
        guard let command = commands.last, !command.subcommandNames.isEmpty,
            let word = rest.dropFirst(notebookOptions(in: rest).count).first
        else { return }
        guard !word.hasPrefix("-"), word != "help" || !names.isEmpty, command.named(word) == nil else { return }
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
        let names = commandPath(words).names
        let command = (["tn"] + names).joined(separator: " ")
        let message = TakeNote.message(for: error)
        // The parser objects to what is missing before it comes to an option that is mistyped.
        if !message.hasPrefix("Unknown option"), let (option, guess) = unknownOption(in: words, of: names) {
            return Failure.unknownOption(option, guess: guess, in: command)
        }
        return Failure.parserRefused(message, in: command)
    }

    /// Returns the first long option that a command does not have, and the one that was probably meant; nil if there is
    /// none.
    private static func unknownOption(in words: [String], of names: [String]) -> (option: String, guess: String?)? {
        let known = ParserDescription.flags(of: names).union(ParserDescription.valueOptions(of: names))
        let options = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        guard !known.isEmpty,
            let option = options.first(where: { !known.contains($0) && $0 != CompletionScript.option })
        else { return nil }
        let guess = nearest(to: String(option.dropFirst(2)), among: known.map { String($0.dropFirst(2)) }.sorted())
        return (option, guess.map { "--" + $0 })
    }

    // MARK: Suggestions

    /// Returns the most likely intended word: the shortest that begins with the given one, else one of which at most a
    /// third of the letters differ.
    private static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        let longer = word.count >= 2 ? candidates.filter { $0.hasPrefix(word) } : []
        if let shortest = longer.min(by: { $0.count < $1.count }) { return shortest }
        let scored = candidates.map { ($0, distance(Array(word), Array($0))) }
        guard let best = scored.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(1, best.0.count / 3) ? best.0 : nil
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
