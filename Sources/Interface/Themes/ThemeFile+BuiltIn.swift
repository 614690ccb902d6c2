import Synchronization

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

    private static let read = Mutex<[String: ThemeFile]>([:])

    /// Returns one of the program's own themes; nil if it has none with this name.
    ///
    /// Each is read once, since the window asks for its theme several times while it starts.
    static func builtIn(named name: String) -> ThemeFile? {
        read.withLock { read in
            if let known = read[name] { return known }
            guard let text = builtIn.first(where: { $0.name == name })?.text else { return nil }
            // None has a base, so that all libraries can share it.
            let file = ThemeFile(text, name: name, file: Texts.builtInTheme(name)) { _ in nil }
            read[name] = file
            return file
        }
    }
}
