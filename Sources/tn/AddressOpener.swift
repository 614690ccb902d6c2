import Foundation
import Processes

/// Hands an address to the system's opener: as one argument of a program, never through a shell.
enum AddressOpener {
    /// The schemes that are opened; any other could start anything.
    private static let schemes: Set<String> = ["http", "https", "mailto"]

    /// Opens an address in the background.
    ///
    /// - Returns: what came of it, in a few words.
    static func open(_ address: String) -> String {
        guard let scheme = URL(string: address)?.scheme?.lowercased(), schemes.contains(scheme) else {
            return Texts.openedOnlyWeb
        }
        #if os(macOS)
        let opener = "/usr/bin/open"
        #else
        let opener = "/usr/bin/xdg-open"
        #endif
        guard access(opener, X_OK) == 0 else { return Texts.noOpener(opener) }
        // It may be the browser itself, which stays: it is waited for by a thread of its own, for as long as it takes.
        Command(path: opener, words: [opener, address]).runInBackground()
        return Texts.openedWith(opener)
    }
}
