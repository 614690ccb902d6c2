import Processes

/// The result of checking a word's spelling.
public enum SpellingVerdict: Equatable, Sendable {
    case right
    /// The word is wrong; the suggestions begin with the likeliest.
    case wrong(suggestions: [String])
}

/// A program that checks words: hunspell or aspell, which both implement the protocol of `ispell -a`.
struct SpellingProgram: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case hunspell, aspell
    }

    let kind: Kind
    let path: String

    /// Finds the first of these programs in a search path (`PATH`); nil if there is none.
    static func find(in searchPath: String) -> SpellingProgram? {
        Kind.allCases.lazy.compactMap { kind in
            Command.path(of: kind.rawValue, in: searchPath).map { SpellingProgram(kind: kind, path: $0) }
        }.first
    }

    /// Returns the names under which a language's dictionary may be installed: for `de`, these are `de` and `de_DE`.
    ///
    /// - Returns: an empty array if it is not the name of a language, since it becomes an argument and a file name.
    static func dictionaries(of language: String) -> [String] {
        let parts = language.split(whereSeparator: { "-_".contains($0) })
        let isName = parts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 && ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } }
        guard let first = parts.first, isName, (2...3).contains(first.count), parts.count <= 3, language.count < 20
        else {
            return []
        }
        let name = first.lowercased()
        guard parts.count == 1 else {
            return [([name] + parts[1...].map { $0.count == 2 ? $0.uppercased() : String($0) }).joined(separator: "_")]
        }
        return [name, name + "_" + (name == "en" ? "US" : name.uppercased())]
    }

    /// Returns the command that checks words with a dictionary.
    func command(_ words: [String], dictionary: String, environment: [String: String]) -> Command {
        let options =
            switch kind {
            case .hunspell: ["-a", "-i", "utf-8", "-d", dictionary]
            case .aspell: ["-a", "--encoding=utf-8", "--lang=" + dictionary]
            }
        var command = Command(path: path, words: [kind.rawValue] + options)
        // After a caret, a line is read as words and not as a command.
        command.input = .bytes(Array(words.map { "^\($0)\n" }.joined().utf8))
        command.output = .collected(limit: 4 << 20)
        command.environment = environment.filter { Self.variables.contains($0.key) }
        return command
    }

    /// The variables that locate dictionaries and the user's own words.
    private static let variables = [
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "DICPATH", "ASPELL_CONF", "XDG_DATA_DIRS",
    ]

    /// Parses a program's output about words; nil if it does not answer for all of them.
    ///
    /// After a line about itself, the program writes for each word some lines and an empty one: `*`, `+` and `-` mean a
    /// right word, `&` a wrong one with suggestions, and `#` a wrong one without.
    static func verdicts(in output: String, on words: [String]) -> [String: SpellingVerdict]? {
        var lines = output.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.first?.hasPrefix("@") == true else { return nil }
        lines.removeFirst()
        var verdicts: [String: SpellingVerdict] = [:]
        for word in words {
            var verdict = SpellingVerdict.right
            while let line = lines.first, !line.isEmpty {
                lines.removeFirst()
                if line.hasPrefix("&"), let colon = line.firstIndex(of: ":") {
                    let words = line[line.index(after: colon)...].split(separator: ",")
                        .map { $0.drop { $0 == " " } }.map(String.init)
                        // A suggestion is inserted into the note as it is, so it must not contain control characters.
                        .filter { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
                    if verdict == .right { verdict = .wrong(suggestions: words) }
                } else if line.hasPrefix("#"), verdict == .right {
                    verdict = .wrong(suggestions: [])
                }
            }
            guard lines.popFirst() != nil else { return nil }
            verdicts[word] = verdict
        }
        return verdicts
    }
}
