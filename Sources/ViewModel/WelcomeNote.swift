/// The note that teaches by doing: `Resources/welcome.md`, which the build puts into the program.
public enum WelcomeNote {
    /// Its title, by which it is found again.
    public static let title = "Welcome to TakeNote"

    /// Its Markdown.
    public static let text = String(decoding: PackageResources.welcome_md, as: UTF8.self)
}
