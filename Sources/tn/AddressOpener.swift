import Foundation

/// Hands an address to the system's opener: as one argument of a program, never through a shell.
enum AddressOpener {
    /// The schemes that are opened; any other could start anything.
    private static let schemes: Set<String> = ["http", "https", "mailto"]

    /// Opens an address in the background.
    ///
    /// - Returns: what came of it, in a few words.
    static func open(_ address: String) -> String {
        guard let scheme = URL(string: address)?.scheme?.lowercased(), schemes.contains(scheme) else {
            return "Only web and mail addresses can be opened"
        }
        #if os(macOS)
        let opener = "/usr/bin/open"
        #else
        let opener = "/usr/bin/xdg-open"
        #endif
        let process = Process()
        process.executableURL = URL(filePath: opener)
        process.arguments = [address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            return "Opened with \(opener)"
        } catch {
            return "Cannot find \(opener); copy the address instead"
        }
    }
}
