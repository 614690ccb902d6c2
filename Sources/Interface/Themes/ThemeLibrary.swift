import Foundation
import NoteStore
import SystemPackage
import ViewModel

/// The themes that can be chosen: the program's, and those in the user's folder, which take precedence.
struct ThemeLibrary: Sendable {
    /// The folder of the user's themes, `NAME.toml`; nil for none.
    let folder: String?

    /// The suffix of a variant for light backgrounds: `NAME-light`.
    private static let lightEnding = "-light"

    /// The names to choose from; a variant for light backgrounds belongs to its theme and is not listed.
    var names: [String] {
        let brought = ThemeFile.builtIn.map(\.name)
        let own = userNames.filter { !brought.contains($0) }
        let all = brought + own
        return all.filter { name in
            !(name.hasSuffix(Self.lightEnding) && all.contains(String(name.dropLast(Self.lightEnding.count))))
        }
    }

    private var userNames: [String] {
        guard let folder else { return [] }
        let files = (try? PrivateFile.names(in: FilePath(folder))) ?? []  // most people have none
        return files.map(\.string).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
            .sorted()
    }

    /// Returns the theme with a name, with the problems in its file; nil if there is no such theme.
    func theme(named name: String) -> ThemeFile? {
        theme(named: name, above: [])
    }

    /// - Parameter above: the themes that have this one as their base, and so cannot be its own base.
    private func theme(named name: String, above: [String]) -> ThemeFile? {
        guard !above.contains(name) else { return nil }
        guard let (text, file, problem) = userFile(named: name) else { return ThemeFile.builtIn(named: name) }
        if let problem {
            return ThemeFile(
                theme: ThemeFile("", name: name, file: file) { _ in nil }.theme,
                problems: [ConfigurationProblem(file: file, line: nil, problem)])
        }
        return ThemeFile(text, name: name, file: file) { theme(named: $0, above: above + [name])?.theme }
    }

    /// Returns the contents of the user's theme with a name; nil if there is none.
    private func userFile(named name: String) -> (text: String, file: String, problem: String?)? {
        // A name with a slash is not looked up, so that no file outside the folder is read.
        guard let folder, !name.contains("/") else { return nil }
        let file = "themes/\(name).toml"
        do {
            return try SettingsFile.bytes(of: "\(folder)/\(name).toml").map {
                (String(decoding: $0, as: UTF8.self), file, nil)
            }
        } catch {
            return ("", file, Texts.Problem.words(of: error))
        }
    }

    /// Returns the theme for a setting and a terminal, with its problems.
    ///
    /// Without colours it is `monochrome` whatever the user chose, since a theme that relies on colour would show
    /// nothing there. `auto` is `terminal` if there are sixteen colours, otherwise `dark` or `light` by the terminal's
    /// background. On a light background, a theme `NAME` with a variant `NAME-light` is replaced by that variant.
    func theme(for choice: String, on appearance: Appearance) -> ThemeFile {
        func take(_ name: String) -> ThemeFile? {
            guard appearance.colorDepth != .none else { return theme(named: "monochrome") }
            if !appearance.isDark, let light = theme(named: name + Self.lightEnding) { return light }
            return theme(named: name)
        }
        let suitable = appearance.colorDepth == .ansi16 ? "terminal" : appearance.isDark ? "dark" : "light"
        if choice != Configuration.automaticTheme, let chosen = take(choice) { return chosen }
        let fallback = take(suitable) ?? ThemeFile("", name: suitable, file: suitable) { _ in nil }
        guard choice != Configuration.automaticTheme else { return fallback }
        let problem = ConfigurationProblem(
            file: Configuration.source(ofTheme: choice), line: nil,
            Texts.Problem.noTheme(ConfigurationValue.quoted(choice)))
        return ThemeFile(theme: fallback.theme, problems: [problem])
    }
}

extension Configuration {
    /// Returns the problems of the chosen theme and of its variant for light backgrounds.
    public func themeProblems(in folder: String) -> [ConfigurationProblem] {
        let library = ThemeLibrary(folder: folder)
        let dark = library.theme(for: theme, on: Appearance(isDark: true)).problems
        let light = library.theme(for: theme, on: Appearance(isDark: false)).problems
        return dark + light.filter { !dark.contains($0) }
    }
}
