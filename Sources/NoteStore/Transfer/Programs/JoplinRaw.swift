import Foundation
import Markdown

/// Joplin's RAW export: a folder of `<32 hexadecimal digits>.md`, each a title, a text, and at the end lines of
/// properties that say what it is; attachments are in `resources`.
struct JoplinRaw: Translator {
    static func recognizes(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []  // no folder holds nothing
        return names.contains { isItem($0) }
    }

    private static func isItem(_ name: String) -> Bool {
        name.hasSuffix(".md") && name.count == 35 && name.dropLast(3).allSatisfy(\.isHexDigit)
    }

    /// What an item is; the numbers are Joplin's.
    private enum Kind: Int {
        case note = 1, folder = 2, resource = 4, tag = 5, noteTag = 6
    }

    private struct Item {
        let title: String
        let body: String
        let properties: [String: String]

        var id: String { properties["id"] ?? "" }
        var kind: Kind? { properties["type_"].flatMap { Int($0) }.flatMap(Kind.init) }

        /// Title, blank line, text, blank line, properties; what has no text has its properties after the title.
        init(_ file: String) {
            var lines = file.components(separatedBy: "\n")
            var properties: [String: String] = [:]
            while let line = lines.last, let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                properties[String(line[..<colon])] = value
                lines.removeLast()
                if line.hasPrefix("id:") { break }
            }
            if lines.last == "" { lines.removeLast() }
            self.properties = properties
            title = lines.first ?? ""
            body = lines.dropFirst(2).joined(separator: "\n")
        }
    }

    static func translate(_ path: String, into files: inout TranslatedFiles) throws {
        var export = JoplinRaw(path: path)
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() where isItem(name) {
            do {
                let item = Item(try ProgramFile.text(of: path + "/" + name))
                export.items[item.id] = item
            } catch {
                files.problems.append("\(path)/\(name): not a text that can be read")
            }
        }
        for item in export.items.values where item.kind == .noteTag {
            guard let tag = export.items[item.properties["tag_id"] ?? ""] else { continue }
            export.tags[item.properties["note_id"] ?? "", default: []].append(tag.title)
        }
        for item in export.items.values.sorted(by: { $0.id < $1.id }) where item.kind == .note {
            // Joplin's own Trash stays behind.
            if let deleted = item.properties["deleted_time"], deleted != "0", !deleted.isEmpty { continue }
            try export.write(item, into: &files)
        }
    }

    private let path: String
    private var items: [String: Item] = [:]
    /// Names of tags by the note's id.
    private var tags: [String: [String]] = [:]

    private init(path: String) {
        self.path = path
    }

    private func write(_ item: Item, into files: inout TranslatedFiles) throws {
        let folders = folders(of: item)
        var note = TranslatedNote(text: try relinked(item, folders, &files))
        note.id = NoteID(hexadecimal: item.id) ?? NoteID()
        note.title = item.title.isEmpty ? nil : item.title
        note.folders = folders
        note.tags = (tags[item.id] ?? []).sorted()
        note.created = (item.properties["user_created_time"] ?? item.properties["created_time"]).flatMap(
            ImportFile.date)
        note.updated = (item.properties["user_updated_time"] ?? item.properties["updated_time"]).flatMap(
            ImportFile.date)
        try files.add(note)
    }

    private func folders(of item: Item) -> [String] {
        var names: [String] = []
        var next = item.properties["parent_id"] ?? ""
        while let folder = items[next], folder.kind == .folder, names.count < items.count {
            names.insert(folder.title, at: 0)
            next = folder.properties["parent_id"] ?? ""
        }
        return names
    }

    /// The text with `:/id` made the address of a note or of an image's file.
    private func relinked(_ item: Item, _ folders: [String], _ files: inout TranslatedFiles) throws -> String {
        var text = item.body
        for target in Set(text.matches(of: /\(:\/([0-9a-f]{32})/).map { String($0.1) }) {
            guard let item = items[target] else { continue }
            if item.kind == .note, let id = NoteID(hexadecimal: target) {
                text = text.replacing("(:/\(target)", with: "(\(id.url)")
            } else if item.kind == .resource {
                let ending = item.properties["file_extension"] ?? ""
                let file = "\(path)/resources/\(target)\(ending.isEmpty ? "" : "." + ending)"
                guard let data = try? Data(contentsOf: URL(filePath: file)) else { continue }  // the import tells
                let address = try files.addResource(data, name: "\(target).\(ending)", forNoteIn: folders)
                text = text.replacing("(:/\(target)", with: "(\(address)")
            }
        }
        return text
    }
}

extension NoteID {
    /// An identity of 32 hexadecimal digits without hyphens, as other programs write it.
    init?(hexadecimal text: String) {
        guard text.utf8.count == 32 else { return nil }
        var parts: [Substring] = []
        var rest = text[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        self.init(parts.joined(separator: "-"))
    }
}
