import Foundation

/// Reads a JSON file if it has these keys near its beginning, which is all that is looked at to tell formats apart.
func looksLikeJSON(_ path: String, with keys: [String]) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    let head = (try? file.read(upToCount: 4096)) ?? Data()  // a folder, or what cannot be read, is no export
    let start = String(decoding: head, as: UTF8.self)
    return start.drop { $0.isWhitespace }.hasPrefix("{") && keys.allSatisfy { start.contains("\"\($0)\"") }
}

/// Reads what another program, or another tn, has exported.
func decode<Value: Decodable>(_ type: Value.Type, from path: String, of program: String) throws -> Value {
    do {
        return try JSONDecoder().decode(type, from: Data(try ProgramFile.bytes(of: path)))
    } catch let error as StoreError {
        throw error
    } catch {
        throw StoreError.notAnExport(path: path, program: program)
    }
}

/// Simplenote's `notes.json`; its own Trash stays behind.
struct Simplenote: Translator {
    private struct Export: Decodable {
        var activeNotes: [Note]
    }

    private struct Note: Decodable {
        var id: String?
        var content: String
        var creationDate, lastModified: String?
        var tags: [String]?
        var pinned: Bool?
    }

    static func recognizes(_ path: String) -> Bool { looksLikeJSON(path, with: ["activeNotes"]) }

    static func translate(_ path: String, into files: inout TranslatedFiles) throws {
        for note in try decode(Export.self, from: path, of: "Simplenote").activeNotes {
            // The program ends lines as Windows does.
            let text = note.content.replacing("\r\n", with: "\n")
            try files.add(
                TranslatedNote(
                    id: note.id.flatMap { NoteID(hexadecimal: $0) ?? NoteID($0) } ?? NoteID(), text: text,
                    tags: note.tags ?? [], starred: note.pinned ?? false,
                    created: note.creationDate.flatMap(ImportFile.date),
                    updated: note.lastModified.flatMap(ImportFile.date)))
        }
    }
}

/// The decrypted backup of Standard Notes; its own Trash stays behind.
struct StandardNotes: Translator {
    private struct Export: Decodable {
        var items: [Item]
    }

    private struct Item: Decodable {
        var uuid: String
        var contentType: String
        var createdAt, updatedAt: String?
        /// Nil if it is encrypted, a string then.
        var content: Content?

        enum CodingKeys: String, CodingKey {
            case uuid, content
            case contentType = "content_type"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            uuid = try values.decode(String.self, forKey: .uuid)
            contentType = try values.decode(String.self, forKey: .contentType)
            createdAt = try values.decodeIfPresent(String.self, forKey: .createdAt)
            updatedAt = try values.decodeIfPresent(String.self, forKey: .updatedAt)
            content = try? values.decode(Content.self, forKey: .content)  // settings have other shapes: no notes
        }
    }

    private struct Content: Decodable {
        var title, text: String?
        var references: [Reference]?
        var trashed: Bool?
        var appData: [String: AppData]?
    }

    private struct Reference: Decodable {
        var uuid: String
    }

    private struct AppData: Decodable {
        var pinned: Bool?
    }

    static func recognizes(_ path: String) -> Bool { looksLikeJSON(path, with: ["items", "content_type"]) }

    static func translate(_ path: String, into files: inout TranslatedFiles) throws {
        let items = try decode(Export.self, from: path, of: "Standard Notes").items
        let notes = items.filter { $0.contentType == "Note" }
        guard notes.isEmpty || notes.contains(where: { $0.content != nil }) else {
            throw StoreError.encryptedExport(path: path, program: "Standard Notes")
        }
        var tags: [String: [String]] = [:]
        for item in items where item.contentType == "Tag" {
            for reference in item.content?.references ?? [] {
                tags[reference.uuid, default: []].append(item.content?.title ?? "")
            }
        }
        for note in notes {
            guard let content = note.content, content.trashed != true else { continue }
            let title = content.title ?? ""
            try files.add(
                TranslatedNote(
                    id: NoteID(note.uuid) ?? NoteID(), title: title.isEmpty ? nil : title, text: content.text ?? "",
                    tags: (tags[note.uuid] ?? []).filter { !$0.isEmpty }.sorted(),
                    starred: content.appData?["org.standardnotes.sn"]?.pinned ?? false,
                    created: note.createdAt.flatMap(ImportFile.date),
                    updated: note.updatedAt.flatMap(ImportFile.date)))
        }
    }
}
