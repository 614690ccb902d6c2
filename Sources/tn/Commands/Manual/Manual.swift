import ArgumentParser

/// The command `tn manual`: prints the manual page, for `install.sh` and packagers.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print the manual page tn(1).",
        discussion: """
            Example:

              tn manual > tn.1   then read it by man -l tn.1, or put it into a man1 folder
            """,
        shouldDisplay: false)

    func run() throws {
        // Every command runs on the main thread.
        try StandardOutput.write(MainActor.assumeIsolated { ManualPage() }.text.utf8)
    }
}
