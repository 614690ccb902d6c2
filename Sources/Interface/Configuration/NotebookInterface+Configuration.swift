import Foundation

/// Applies the user's settings, at the start and whenever the file changes.
extension NotebookInterface {
    /// Applies the settings read from a file, and shows its problems in one line.
    ///
    /// A file that is not TOML changes no setting: the current ones stay, and the notice names the faulty line.
    public func apply(_ reading: Configuration.Reading) {
        var problems = reading.problems
        if reading.isReadable {
            configuration = reading.configuration
            registry = .standard.adding(configuration.commands)
            let bound = registry.keymap(with: configuration.keyRules)
            keymap = bound.keymap
            problems += bound.problems
            model.editorSettings = configuration.editor
            model.dailySettings = configuration.daily
            model.intelligence = configuration.intelligence
            if model.spelling.language != configuration.spelling {
                model.spelling.language = configuration.spelling
                model.spelling.retry()
            }
            model.sync.settings = configuration.sync
            model.mirror.isAutomatic = configuration.files.mirror
            let isCalm = configuration.screen.reducesMotion || configuration.screen.isReader
            model.noticesExpire = !isCalm
            state.reducesMotion = isCalm
            endSequence()
            turnVimKeys(on: configuration.editor.keys == .vim)
        }
        problems += putOnTheme()
        // Hints show keys, and the glyph set may have changed even if the theme has not.
        invalidateWindow()
        tell(problems)
    }

    /// Shows what is wrong in the settings until the next key or until it is mended: whoever has just saved the file
    /// looks at an editor elsewhere.
    private func tell(_ problems: [ConfigurationProblem]) {
        if let settingsNotice, model.notice?.text == settingsNotice { model.dismissNotice() }
        settingsNotice = problems.notice
        if let settingsNotice { model.sayUnlessTroubled(settingsNotice) }
    }

    /// Chooses the theme that suits the terminal.
    func adapt(to appearance: Appearance) {
        putOnTheme(for: appearance)
    }

    /// Applies the chosen theme, or the previewed one.
    ///
    /// - Returns: the theme's problems.
    @discardableResult
    func putOnTheme(for appearance: Appearance? = nil) -> [ConfigurationProblem] {
        let appearance = appearance ?? host?.appearance ?? Appearance()
        let file = themes.theme(for: triedTheme ?? configuration.theme, on: appearance)
        var theme = file.theme.fitted(to: appearance.colorDepth)
        let screen = configuration.screen
        theme.glyphs = screen.isReader ? .words : Glyphs(screen.glyphs, isUnicode: appearance.isUnicode)
        if configuration.screen.reducesMotion { theme.stopBlinking() }
        if theme != state.theme {
            state.theme = theme
            invalidateWindow()
        }
        return file.problems
    }
}
