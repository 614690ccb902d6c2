import Processes

/// What is known of a word's spelling.
public enum SpellingVerdict: Equatable, Sendable {
    case right
    /// What may be meant, the likeliest first.
    case wrong(suggestions: [String])
}

/// A program that checks words: hunspell or aspell, which both speak the language of `ispell -a`.
public struct SpellingProgram: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case hunspell, aspell
    }

    let kind: Kind
    let path: String

    /// The first of them in a search path (`PATH`); nil if there is none.
    public static func find(in searchPath: String) -> SpellingProgram? {
        Kind.allCases.lazy.compactMap { kind in
            Command.path(of: kind.rawValue, in: searchPath).map { SpellingProgram(kind: kind, path: $0) }
        }.first
    }

    /// The names under which a language's dictionary may be installed: `de` is `de`, or else `de_DE`.
    ///
    /// - Returns: none if it is not the name of a language; it becomes an argument and the name of a file.
    public static func dictionaries(of language: String) -> [String] {
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

    /// The command that checks words by a dictionary.
    func command(_ words: [String], dictionary: String, environment: [String: String]) -> Command {
        let options =
            switch kind {
            case .hunspell: ["-a", "-i", "utf-8", "-d", dictionary]
            case .aspell: ["-a", "--encoding=utf-8", "--lang=" + dictionary]
            }
        var command = Command(path: path, words: [kind.rawValue] + options)
        // What follows a caret is no order.
        command.input = .bytes(Array(words.map { "^\($0)\n" }.joined().utf8))
        command.output = .collected(limit: 4 << 20)
        command.environment = environment.filter { Self.variables.contains($0.key) }
        return command
    }

    /// Where dictionaries and the person's own words are.
    private static let variables = [
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "DICPATH", "ASPELL_CONF", "XDG_DATA_DIRS",
    ]

    /// What a program wrote about words; nil if it is not an answer to all of them.
    ///
    /// After a line of its own it writes for each word some lines and an empty one: `*`, `+` and `-` for what is right,
    /// `&` with suggestions and `#` without for what is wrong.
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
                        // A word goes into the note as it is.
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
