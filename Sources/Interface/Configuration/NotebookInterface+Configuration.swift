import Foundation

/// Taking over what the user has set, at the start and whenever the file changes.
extension NotebookInterface {
    /// Takes over what was read; what is wrong in it is said in one line.
    ///
    /// A file that is no TOML changes nothing: what was in force stays, and the line to mend is named.
    public func apply(_ reading: Configuration.Reading) {
        var problems = reading.problems
        if reading.isReadable {
            configuration = reading.configuration
            let bound = registry.keymap(with: configuration.keys)
            keymap = bound.keymap
            problems += bound.problems
            model.editorSettings = configuration.editor
            model.dailySettings = configuration.daily
            model.noticesLeave = !configuration.screen.reducesMotion
            state.reducesMotion = configuration.screen.reducesMotion
            endSequence()
        }
        problems += putOnTheme()
        // Hints show keys, and the theme may be the same under another set of characters.
        invalidateWindow()
        if let notice = problems.notice { model.say(notice, kind: .refused) }
    }

    /// Chooses the theme that suits the terminal.
    public func adapt(to appearance: Appearance) {
        putOnTheme(for: appearance)
    }

    /// Draws everything in the theme that is chosen, or tried on.
    ///
    /// - Returns: what is wrong with it.
    @discardableResult
    func putOnTheme(for appearance: Appearance? = nil) -> [ConfigurationProblem] {
        let appearance = appearance ?? host?.appearance ?? Appearance()
        let file = themes.theme(for: triedTheme ?? configuration.theme, on: appearance)
        var theme = file.theme
        theme.glyphs = Glyphs(configuration.screen.glyphs, isUnicode: appearance.isUnicode)
        if configuration.screen.reducesMotion { theme.stopBlinking() }
        if theme != state.theme {
            state.theme = theme
            invalidateWindow()
        }
        return file.problems
    }
}
