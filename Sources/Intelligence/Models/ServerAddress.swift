import TextPrimitives

/// The address of a server, parsed strictly: it only counts as local if it certainly is this machine.
public struct ServerAddress: Equatable, Sendable {
    /// The base URL without a slash at the end.
    public let text: String
    /// The path of the Unix socket on which the server listens, or `nil` for TCP.
    public let socket: String?
    /// The host and port as written, without a user name.
    public let label: String
    public let isLocal: Bool

    /// - Returns: The address, or `nil` if the text is no URL of `http` or `https`.
    public init?(_ text: String, socket: String? = nil) {
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix),
            !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
        else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty else { return nil }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !host.isEmpty else { return nil }
        var trimmed = text[...]
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.text = String(trimmed)
        self.socket = socket
        label = socket ?? String(host)
        isLocal = socket != nil || Self.isLoopback(authority)
    }

    /// Returns whether an authority is exactly `localhost`, 127.x.x.x or [::1], with or without a port.
    private static func isLoopback(_ authority: Substring) -> Bool {
        let (host, port): (Substring, Substring)
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            (host, port) = (authority[...end], authority[authority.index(after: end)...])
        } else {
            host = authority.prefix { $0 != ":" }
            port = authority[host.endIndex...]
        }
        guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy(\.isDigit) else {
            return false
        }
        if host.lowercased() == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) && (Int($0) ?? 256) < 256 && $0.count < 4 }
    }
}
