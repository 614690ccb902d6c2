import Foundation
import NoteStore

/// The files in `.tn`, with a line of JSON for each tag, search, image and attachment, and the identities of what was
/// permanently deleted.
enum ListFiles {
    static let folder: TreePath = ".tn"
    static let format: TreePath = ".tn/format"
    static let tags: TreePath = ".tn/tags"
    static let searches: TreePath = ".tn/searches"
    static let images: TreePath = ".tn/images"
    static let attachments: TreePath = ".tn/files"
    static let gone: TreePath = ".tn/gone"
    static let all = [format, tags, searches, images, attachments, gone]

    /// The version of the format.
    ///
    /// A tree of a later version is not changed.
    static let version = 1
    static let formatText = "tn \(version)\n"

    /// Returns the version that the format file states, or `nil` if it states none.
    static func version(_ bytes: [UInt8]) -> Int? {
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.first == "tn" && words.count > 1 ? Int(words[1]).flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// Returns the beginning of the format file, for a message.
    static func firstWords(_ bytes: [UInt8]) -> String {
        String(String(decoding: bytes.prefix(200), as: UTF8.self).prefix { !$0.isNewline }.prefix(40))
    }

    // MARK: - Writing

    static func text(tags: [ContainerID: SyncTag]) -> String {
        lines(
            tags.map { id, tag in
                var pairs: [(String, JSONText)] = [("id", .text(id.description)), ("name", .text(tag.name.string))]
                if tag.color != NoteContainer.defaultColor { pairs.append(("color", .number(Int64(tag.color)))) }
                if tag.symbol != "tag.fill" { pairs.append(("symbol", .text(tag.symbol.string))) }
                if tag.order != 0 { pairs.append(("order", .number(tag.order))) }
                return pairs + [
                    ("created", .text(TimeText.text(tag.created))), ("updated", .text(TimeText.text(tag.updated))),
                ]
            })
    }

    static func text(searches: [UUID: SyncSearch]) -> String {
        lines(
            searches.map { id, search in
                [
                    ("id", .text(id.uuidString)), ("name", .text(search.name.string)),
                    ("query", .text(search.query.string)),
                    ("created", .text(TimeText.text(search.created))),
                ]
            })
    }

    static func text(images: [UUID: SyncImage]) -> String {
        lines(images.map { [("id", .text($0.uuidString)), ("created", .text(TimeText.text($1.created)))] })
    }

    static func text(attachments: [UUID: SyncAttachment]) -> String {
        lines(
            attachments.map {
                [
                    ("id", .text($0.uuidString)), ("name", .text($1.name.string)),
                    ("created", .text(TimeText.text($1.created))),
                ]
            })
    }

    static func text(gone: [UUID: UUID?]) -> String {
        gone.map { id, successor in id.uuidString + (successor.map { " > " + $0.uuidString } ?? "") }.sorted()
            .reduce(into: "") { $0 += $1 + "\n" }
    }

    private static func lines(_ values: [[(String, JSONText)]]) -> String {
        values.map { JSONText.map($0).line }.sorted().reduce(into: "") { $0 += $1 + "\n" }
    }

    // MARK: - Reading

    private static func values(_ bytes: [UInt8]) -> [(UUID, JSONText)] {
        bytes.split(separator: 0x0A).compactMap { line in
            guard let value = JSONText(reading: String(decoding: line, as: UTF8.self)),
                let id = value["id"]?.asText.flatMap(UUID.init(uuidString:))
            else { return nil }
            return (id, value)
        }
    }

    private static func time(_ value: JSONText, _ key: String) -> Int64 {
        value[key]?.asText.flatMap(TimeText.milliseconds) ?? 0
    }

    static func tags(_ bytes: [UInt8]) -> [ContainerID: SyncTag] {
        var tags: [ContainerID: SyncTag] = [:]
        for (id, value) in values(bytes) {
            guard let name = value["name"]?.asText else { continue }
            tags[ContainerID(id)] = SyncTag(
                name: ExactText(name), created: time(value, "created"), updated: time(value, "updated"),
                color: value["color"]?.asNumber.map { UInt32(truncatingIfNeeded: $0) } ?? NoteContainer.defaultColor,
                symbol: ExactText(value["symbol"]?.asText ?? "tag.fill"), order: value["order"]?.asOrder ?? 0)
        }
        return tags
    }

    static func searches(_ bytes: [UInt8]) -> [UUID: SyncSearch] {
        var searches: [UUID: SyncSearch] = [:]
        for (id, value) in values(bytes) {
            guard let name = value["name"]?.asText, let query = value["query"]?.asText else { continue }
            searches[id] = SyncSearch(
                name: ExactText(name), query: ExactText(query), created: time(value, "created"))
        }
        return searches
    }

    static func imageDates(_ bytes: [UInt8]) -> [UUID: Int64] {
        Dictionary(values(bytes).map { ($0, time($1, "created")) }) { max($0, $1) }
    }

    /// Returns the names and dates of the attachments.
    static func attachments(_ bytes: [UInt8]) -> [UUID: (name: String, created: Int64)] {
        Dictionary(
            values(bytes).compactMap { id, value in
                value["name"]?.asText.map { (id, (name: $0, created: time(value, "created"))) }
            }
        ) { ($0.name, $0.created) > ($1.name, $1.created) ? $0 : $1 }
    }

    static func gone(_ bytes: [UInt8]) -> [UUID: UUID?] {
        var gone: [UUID: UUID?] = [:]
        for line in bytes.split(separator: 0x0A) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard let id = words.first.flatMap({ UUID(uuidString: String($0)) }) else { continue }
            gone[id] = .some(words.count == 3 ? UUID(uuidString: String(words[2])) : nil)
        }
        return gone
    }
}
