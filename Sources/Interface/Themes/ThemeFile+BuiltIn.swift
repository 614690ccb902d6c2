extension ThemeFile {
    /// The program's own themes, in the order in which they are offered.
    ///
    /// They are the files of `Resources/themes`, where users find them to copy; the build embeds them into the program.
    static let builtIn: [(name: String, text: String)] = [
        ("dark", PackageResources.dark_toml),
        ("light", PackageResources.light_toml),
        ("high-contrast", PackageResources.high_contrast_toml),
        ("high-contrast-light", PackageResources.high_contrast_light_toml),
        ("terminal", PackageResources.terminal_toml),
        ("monochrome", PackageResources.monochrome_toml),
    ].map { ($0, String(decoding: $1, as: UTF8.self)) }
}
