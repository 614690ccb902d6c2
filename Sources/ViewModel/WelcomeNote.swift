/// The note that teaches by doing: `Resources/welcome.md`, which the build embeds into the program.
public enum WelcomeNote {
    /// The note's title, by which an existing welcome note is found.
    public static let title = "Welcome to TakeNote"

    /// The note's Markdown.
    public static let text = String(decoding: PackageResources.welcome_md, as: UTF8.self)
}
