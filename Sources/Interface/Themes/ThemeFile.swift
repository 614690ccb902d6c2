import Terminal

/// A theme read from its file: `[colors]` names colours, `[window]` and `[markdown]` hold styles.
///
/// `base = "dark"` takes every style that the file does not set from another theme. A style that neither sets is that
/// of plain text.
struct ThemeFile {
    let theme: Theme
    let problems: [ConfigurationProblem]

    init(theme: Theme, problems: [ConfigurationProblem]) {
        self.theme = theme
        self.problems = problems
    }

    private static let colorsTable = "colors"
    private static let windowTable = "window"

    /// Reads a theme; reports each wrong entry as a problem, and keeps the base's style for it.
    ///
    /// - Parameters:
    ///   - file: the file's name in problems.
    ///   - base: returns a theme by its name.
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
                    add(entry.line, Texts.Problem.noTheme(entry.value.toml))
                }
            }
            var palette: [String: Color] = [:]
            for entry in entries where entry.path.first == Self.colorsTable {
                if let color = entry.value.word.flatMap({ Color(text: $0) }) {
                    palette[entry.path.dropFirst().joined(separator: ".")] = color
                } else {
                    add(entry.line, Texts.Problem.notAColor(entry.value.toml, of: entry.name))
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

    /// Sets one style of a theme.
    ///
    /// - Returns: the problem with the entry; nil if there is none.
    private static func set(_ entry: TOMLFile.Entry, in theme: inout Theme, _ reader: StyleText) -> String? {
        let name = entry.path.first == windowTable ? entry.path.dropFirst().joined(separator: ".") : entry.name
        guard let part = Theme.parts.first(where: { $0.name == name }) else {
            return Texts.Problem.noStyle(entry.name)
        }
        guard let text = entry.value.word else { return Texts.Problem.notAStyle(entry.value.toml, of: entry.name) }
        do {
            theme[keyPath: part.path] = try reader.style(text)
            return nil
        } catch {
            return Texts.Problem.notInAStyle(ConfigurationValue.quoted(error.word), of: entry.name)
        }
    }
}

extension ConfigurationValue {
    /// The text; nil for another kind of value.
    fileprivate var word: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension Theme {
    /// The theme for a dark background.
    public static let dark = builtIn("dark")
    /// The theme for a light background.
    public static let light = builtIn("light")
    /// The theme for a terminal without colour, in which only attributes distinguish the styles.
    public static let monochrome = builtIn("monochrome")

    private static func builtIn(_ name: String) -> Theme {
        guard let theme = ThemeLibrary(folder: nil).theme(named: name)?.theme else {
            preconditionFailure("the program has no theme \(name)")
        }
        return theme
    }
}
