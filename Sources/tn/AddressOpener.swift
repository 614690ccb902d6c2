import Foundation
import Processes

/// Passes an address to the system's opener as one argument of a program, never through a shell.
enum AddressOpener {
    /// The schemes that may be opened; any other scheme could start any program.
    private static let schemes: Set<String> = ["http", "https", "mailto"]

    /// Opens an address in the background.
    ///
    /// - Returns: a short message that describes the result.
    static func open(_ address: String) -> String {
        guard let scheme = URL(string: address)?.scheme?.lowercased(), schemes.contains(scheme) else {
            return Texts.openedOnlyWeb
        }
        return run(on: address)
    }

    /// Opens a file in the background.
    ///
    /// - Parameter path: an absolute path, so that no name is taken for an option.
    static func open(file path: String) -> String { run(on: path) }

    private static func run(on target: String) -> String {
        #if os(macOS)
        let opener = "/usr/bin/open"
        #else
        let opener = "/usr/bin/xdg-open"
        #endif
        guard access(opener, X_OK) == 0 else { return Texts.noOpener(opener) }
        // The opener may be the browser itself, which keeps running, so a background thread waits for it without a time
        // limit.
        Command(path: opener, words: [opener, target]).runInBackground()
        return Texts.openedWith(opener)
    }
}
