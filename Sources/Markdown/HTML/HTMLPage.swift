/// The settings of a page that is rendered from a text, with the rule for the addresses of its links.
public struct HTMLPage {
    /// An address as written in a text.
    public enum Address: Equatable, Sendable {
        case link(String)
        case image(String)
        /// The text in `[[…]]` before `|`.
        case wikilink(String)
    }

    private let replacement: (Address) -> String?
    /// Whether a link with an address, as written in the text, saves its target instead of opening it.
    public var isDownload: (String) -> Bool = { _ in false }
    /// Whether headings get identities, and links without a target get no address.
    let isStandalone: Bool
    /// The prefix of all identities of the page, with which several texts can be parts of one page.
    let identityPrefix: String
    /// The number of levels by which headings are deeper than in the text.
    let headingShift: Int

    /// - Parameters:
    ///   - identityPrefix: The prefix of the identities of headings and footnotes.
    ///   - replacement: Returns an address to use instead of the one in the text; nil keeps it. An empty address of a
    ///     wikilink turns it into plain text; on a standalone page nil does so too, and so does an empty address of any
    ///     link.
    public init(
        isStandalone: Bool = false, identityPrefix: String = "", headingShift: Int = 0,
        _ replacement: @escaping (Address) -> String? = { _ in nil }
    ) {
        self.isStandalone = isStandalone
        self.identityPrefix = identityPrefix
        self.headingShift = headingShift
        self.replacement = replacement
    }

    /// The address to write; empty if its scheme is harmful.
    func address(_ address: Address) -> String {
        switch address {
        case .link(let written): return Self.safe(replacement(address) ?? written, isImage: false)
        case .image(let written): return Self.safe(replacement(address) ?? written, isImage: true)
        case .wikilink(let written): return wikilinkAddress(written) ?? ""
        }
    }

    /// What follows the value of the last attribute in the tag of a link: its quotation mark and the end of the tag.
    func tagEnd(ofLink written: String) -> String { isDownload(written) ? "\" download>" : "\">" }

    /// The address of a wikilink; nil if it is plain text, empty if its scheme is harmful.
    func wikilinkAddress(_ written: String) -> String? {
        if let replaced = replacement(.wikilink(written)) {
            let address = Self.safe(replaced, isImage: false)
            return replaced.isEmpty || isStandalone && address.isEmpty ? nil : address
        }
        if isStandalone { return nil }
        // A title may look like an address with a scheme, but here it is the name of a file in the folder.
        return Self.safe(written, isImage: false).isEmpty || Self.scheme(of: written) == nil
            ? Self.safe(written, isImage: false) : "./" + written
    }

    private static func safe(_ address: String, isImage: Bool) -> String {
        guard let scheme = scheme(of: address) else { return address }
        if scheme == "data", isImage {
            let kind = String(String.UnicodeScalarView(visible(address))).lowercased().dropFirst("data:".count)
            return ["image/png", "image/gif", "image/jpeg", "image/webp"].contains { kind.hasPrefix($0) } ? address : ""
        }
        return harmful.contains(scheme) ? "" : address
    }

    /// The schemes that cmark's safe mode omits, and others that old browsers ran.
    private static let harmful: Set<String> = [
        "javascript", "vbscript", "file", "data", "livescript", "mocha", "jar", "blob", "filesystem", "view-source",
    ]

    /// The text before the first colon, in lower case, as browsers read it; nil for an address without a scheme.
    private static func scheme(of address: String) -> String? {
        var scheme = ""
        for scalar in visible(address) {
            if scalar == ":" { return scheme.lowercased() }
            if "/?#".unicodeScalars.contains(scalar) { return nil }
            scheme.unicodeScalars.append(scalar)
            if scheme.utf8.count > 64 { return nil }
        }
        return nil
    }

    /// The address as browsers read it (WHATWG URL, 4.4): without tabs, line ends, and leading controls and spaces.
    private static func visible(_ address: String) -> [Unicode.Scalar] {
        var isStarted = false
        var scalars: [Unicode.Scalar] = []
        for scalar in address.unicodeScalars {
            if scalar == "\t" || scalar == "\n" || scalar == "\r" { continue }
            isStarted = isStarted || scalar.value > 0x20
            if isStarted { scalars.append(scalar) }
            if scalars.count > 80 { break }
        }
        return scalars
    }
}
