/// Changing one setting in a file that a person wrote, and nothing else.
extension Configuration {
    /// The text of a file with another theme: on the line where one stands, else on a new first line.
    ///
    /// - Returns: nil where the line is written in a way that only TOML itself understands.
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
