import Foundation
import Markdown

/// Replaces the destinations of a text's links and keeps every other byte.
enum LinkRewriter {
    /// Returns the text with each destination, also those in front matter, replaced by the result of `replacement`;
    /// `nil` keeps the destination.
    static func rewritten<Failure: Error>(
        _ text: String, _ replacement: (WrittenDestination) throws(Failure) -> String?
    ) throws(Failure) -> String {
        var result: [UInt8] = []
        var end = 0
        let bytes = Array(text.utf8)
        let destinations = Markdown.destinations(in: text, withProperties: true)
        for destination in destinations where destination.range.lowerBound >= end {
            guard let new = try replacement(destination) else { continue }
            result += bytes[end..<destination.range.lowerBound]
            result += new.utf8
            end = destination.range.upperBound
        }
        if end == 0 { return text }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// Returns a path as an address that Markdown reads completely, within `<>` or without.
    static func address(of path: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "()<>[]\\&'")
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }

    /// Returns the text without any addresses, to compare texts that may differ only in the destinations of their
    /// links.
    static func withoutAddresses(_ text: String) -> String {
        rewritten(text) { destination in destination.kind == .link || destination.kind == .image ? "" : nil }
    }
}

/// An address in the notebook: `takenote://note/UUID`, `takenote://image/UUID` or `takenote://file/UUID`, and what follows it.
struct TakeNoteURL {
    enum Kind: Sendable { case note, image, file }

    let kind: Kind
    let uuid: UUID
    /// `#heading`, or empty.
    let rest: Substring

    /// `nil` for any other address.
    init?(_ address: String) {
        let kinds = [("takenote://note/", Kind.note), ("takenote://image/", .image), ("takenote://file/", .file)]
        for (prefix, kind) in kinds {
            guard address.utf8.count >= prefix.utf8.count + 36, address.prefix(prefix.count).lowercased() == prefix
            else { continue }
            let rest = address.dropFirst(prefix.count)
            guard let uuid = UUID(uuidString: String(rest.prefix(36))) else { return nil }
            let end = rest.dropFirst(36)
            guard end.isEmpty || end.hasPrefix("#") else { return nil }
            (self.kind, self.uuid, self.rest) = (kind, uuid, end)
            return
        }
        return nil
    }
}
