import Terminal

/// A theme as it is written down: `[colors]` with names for colours, `[window]` and `[markdown]` with styles.
///
/// `base = "dark"` takes everything from another theme that the file does not say itself. A style that is said nowhere
/// is that of plain text.
struct ThemeFile {
    let theme: Theme
    let problems: [ConfigurationProblem]

    init(theme: Theme, problems: [ConfigurationProblem]) {
        self.theme = theme
        self.problems = problems
    }

    private static let colorsTable = "colors"
    private static let windowTable = "window"

    /// Reads a theme; what is wrong in it is named and left as the base has it.
    ///
    /// - Parameters:
    ///   - file: what the file is called in problems.
    ///   - base: gives a theme by its name.
    init(_ text: String, name: String, file: String, base: (String) -> Theme?) {
        var problems: [ConfigurationProblem] = []
        func add(_ line: Int?, _ text: String) {
            problems.append(ConfigurationProblem(file: file, line: line, text))
        }
        var theme = Theme()
        do {
            let entries = try TOMLFile(text).entries
            if let entry = entries.first(where: { $0.name == "base" }) {
                if let known = entry.value.word.flatMap(base) {
                    theme = known
                } else {
                    add(entry.line, "there is no theme \(entry.value.toml)")
                }
            }
            var palette: [String: Color] = [:]
            for entry in entries where entry.path.first == Self.colorsTable {
                if let color = entry.value.word.flatMap({ Color(text: $0) }) {
                    palette[entry.path.dropFirst().joined(separator: ".")] = color
                } else {
                    add(entry.line, "\(entry.name) is a colour like \"#FF26B9\" or \"blue\", not \(entry.value.toml)")
                }
            }
            let reader = StyleText(palette: palette)
            for entry in entries where entry.path.first != Self.colorsTable && entry.name != "base" {
                if let text = Self.set(entry, in: &theme, reader) { add(entry.line, text) }
            }
        } catch {
            problems = [ConfigurationProblem(file: file, line: error.line, error.reason)]
        }
        theme.name = name
        self.theme = theme
        self.problems = problems
    }

    /// Takes one style over.
    ///
    /// - Returns: what is wrong with it.
    private static func set(_ entry: TOMLFile.Entry, in theme: inout Theme, _ reader: StyleText) -> String? {
        let name = entry.path.first == windowTable ? entry.path.dropFirst().joined(separator: ".") : entry.name
        guard let part = Theme.parts.first(where: { $0.name == name }) else { return "there is no style \(entry.name)" }
        guard let text = entry.value.word else { return "\(entry.name) is a style in quotes, not \(entry.value.toml)" }
        do {
            theme[keyPath: part.path] = try reader.style(text)
            return nil
        } catch {
            return "\(ConfigurationValue.quoted(error.word)) in \(entry.name) is no colour and no attribute"
        }
    }
}

extension ConfigurationValue {
    /// The text, nil for another kind of value.
    fileprivate var word: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension Theme {
    /// For a dark background.
    public static let dark = builtIn("dark")
    /// For a light background.
    public static let light = builtIn("light")
    /// For a terminal without colour: everything is said by attributes.
    public static let monochrome = builtIn("monochrome")

    private static func builtIn(_ name: String) -> Theme {
        guard let theme = ThemeLibrary(folder: nil).theme(named: name)?.theme else {
            preconditionFailure("the program has no theme \(name)")
        }
        return theme
    }
}
