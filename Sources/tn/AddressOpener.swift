import Foundation
import Interface
import Processes

/// Passes an address to the system's opener as one argument of a program, never through a shell.
enum AddressOpener {
    /// The schemes that may be opened; any other scheme could start any program.
    private static let schemes: Set<String> = ["http", "https", "mailto"]

    #if os(macOS)
    static let program = "open"
    #else
    static let program = "xdg-open"
    #endif

    /// Opens an address in the background.
    ///
    /// - Returns: a short message that describes the result.
    static func open(_ address: String, in environment: [String: String] = Configuration.processEnvironment) -> String {
        guard let scheme = URL(string: address)?.scheme?.lowercased(), schemes.contains(scheme) else {
            return Texts.openedOnlyWeb
        }
        return run(on: address, in: environment)
    }

    /// Opens a file in the background.
    ///
    /// - Parameter path: an absolute path, so that no name is taken for an option.
    static func open(file path: String) -> String { run(on: path, in: Configuration.processEnvironment) }

    private static func run(on target: String, in environment: [String: String]) -> String {
        // Not every system has it in /usr/bin.
        guard let path = Command.path(of: program, in: environment["PATH"] ?? "/usr/bin:/bin") else {
            return Texts.noOpener(program)
        }
        // The opener may be the browser itself, which keeps running, so a background thread waits for it without a time
        // limit.
        Command(path: path, words: [program, target]).runInBackground()
        return Texts.openedWith(program)
    }
}
