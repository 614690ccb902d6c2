/// Changing one setting in the user's file without changing the rest.
extension Configuration {
    /// Returns a file's text with another theme, on the line that sets it, or on a new first line if there is none.
    ///
    /// - Returns: nil if that line is written in a way that only a TOML parser understands.
    public static func text(_ text: String, withTheme name: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let number = TOMLLines(text)[["theme"]] else {
            let line = "theme = \(ConfigurationValue.quoted(name))"
            return lines == [""] ? line + "\n" : line + "\n" + text
        }
        let pattern = /^(\s*["']?theme["']?\s*=\s*)(?:"[^"]*"|'[^']*')(\s*(?:#.*)?)$/
        guard let match = lines[number - 1].firstMatch(of: pattern) else { return nil }
        lines[number - 1] = "\(match.1)\(ConfigurationValue.quoted(name))\(match.2)"
        return lines.joined(separator: "\n")
    }
}
