import Foundation
import SystemPackage
import TextPrimitives

/// The notes in one file.
struct NotesInFile: Sendable {
    let plan: ImportPlan
    private let notes: [TranslatedNote]

    /// - Parameters:
    ///   - trashed: the names of the notes in the other program's Trash, which are reported and not imported.
    ///   - locked: the identities of the notes that are encrypted, which are reported.
    ///   - missing: the names of files that the export does not contain, each with the name of the note that shows it.
    init(
        _ notes: [TranslatedNote], of path: FilePath, trashed: [String], locked: [String] = [],
        missing: [(note: String, file: String)] = []
    ) {
        self.notes = notes
        func problems(_ names: [String], _ reason: ImportProblem.Reason) -> [ImportProblem] {
            names.map { ImportProblem(path: "\(path.string) (\($0))", reason: reason) }
        }
        plan = ImportPlan(
            files: notes.enumerated().map { index, note in
                ImportPlan.File(
                    text: index + 1, of: path, named: "\(path.string) (\(note.name))", folders: note.folders)
            },
            problems: problems(trashed, .inItsTrash) + problems(locked, .locked)
                + missing.flatMap { problems([$0.note], .missingFile(name: $0.file)) })
    }

    func read(_ file: ImportPlan.File) -> ImportFile { ImportFile(notes[file.index - 1], from: file) }
}

/// Simplenote's `notes.json`; notes in its Trash are reported and not imported.
struct Simplenote: ProgramFormat {
    private struct Export: Decodable {
        var activeNotes: [Note]
        var trashedNotes: [TrashedNote]?
    }

    /// A note in the Trash, of which only the name is reported, so that nothing else of it needs to be valid.
    private struct TrashedNote: Decodable {
        var content: String?
    }

    private struct Note: Decodable {
        var id: String?
        var content: String
        var creationDate, lastModified: String?
        var tags: [String]?
        var pinned: Bool?
    }

    private let notes: NotesInFile
    var plan: ImportPlan { notes.plan }

    static func recognizes(_ path: FilePath) -> Bool { ProgramFile.looksLikeJSON(path, with: ["activeNotes"]) }

    init(reading path: FilePath) throws {
        try self.init(Data(try ProgramFile.bytes(of: path)), at: path)
    }

    init(_ data: Data, at path: FilePath) throws {
        let json = ProgramJSON(data)
        let export = try ProgramFile.decode(Export.self, from: json, at: path, of: "Simplenote")
        let translated = export.activeNotes.map { note in
            // Simplenote ends lines with CR LF, as Windows does.
            let text = note.content.replacing("\r\n", with: "\n")
            let translated = TranslatedNote(
                id: note.id.flatMap { NoteID(hexadecimal: $0) ?? NoteID($0) } ?? NoteID(derivedFrom: text), text: text,
                tags: note.tags ?? [], starred: note.pinned ?? false,
                created: note.creationDate.flatMap(ImportFile.date), updated: note.lastModified.flatMap(ImportFile.date)
            )
            return json.mend(translated)
        }
        let trashed = (export.trashedNotes ?? []).map { json.mend(TranslatedNote(text: $0.content ?? "").name) }
        notes = NotesInFile(translated, of: path, trashed: trashed)
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile { notes.read(file) }

    func media(_ address: String, from folder: FilePath) -> FilePath? { nil }
}

/// The decrypted backup of Standard Notes; notes in its Trash are reported and not imported.
struct StandardNotes: ProgramFormat {
    private struct Export: Decodable {
        var items: [Item]
    }

    private struct Item: Decodable {
        var uuid: String
        var contentType: String
        var createdAt, updatedAt: String?
        /// The content, or nil if it is encrypted, because it is a string then.
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
        /// The name of a file.
        var name: String?
        var references: [Reference]?
        var trashed, starred: Bool?
        var appData: [String: AppData]?
    }

    private struct Reference: Decodable {
        var uuid: String
        var contentType: String?

        enum CodingKeys: String, CodingKey {
            case uuid
            case contentType = "content_type"
        }
    }

    private struct AppData: Decodable {
        var pinned, archived: Bool?
        /// When the user last changed the note; the item's own date is that of its last synchronisation, or 1970.
        var updated: String?

        enum CodingKeys: String, CodingKey {
            case pinned, archived
            case updated = "client_updated_at"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            pinned = try values.decodeIfPresent(Bool.self, forKey: .pinned)
            archived = try values.decodeIfPresent(Bool.self, forKey: .archived)
            updated = try? values.decode(String.self, forKey: .updated)  // without it the item's own date counts
        }
    }

    private let notes: NotesInFile
    var plan: ImportPlan { notes.plan }

    static func recognizes(_ path: FilePath) -> Bool {
        ProgramFile.looksLikeJSON(path, with: ["items", "content_type"])
    }

    init(reading path: FilePath) throws {
        try self.init(Data(try ProgramFile.bytes(of: path)), at: path)
    }

    init(_ data: Data, at path: FilePath) throws {
        let json = ProgramJSON(data)
        let items = try ProgramFile.decode(Export.self, from: json, at: path, of: "Standard Notes").items
        let found = items.filter { $0.contentType == "Note" }
        guard found.isEmpty || found.contains(where: { $0.content != nil }) else {
            throw StoreError.encryptedExport(path: path.string, program: "Standard Notes")
        }
        let tags = Self.tags(in: items)
        let titles = Dictionary(
            items.compactMap { item in (item.content?.title ?? item.content?.name).map { (item.uuid, $0) } },
            uniquingKeysWith: { one, _ in one })
        var trashed: [String] = []
        var missing: [(note: String, file: String)] = []
        let translated = found.compactMap { note -> TranslatedNote? in
            guard let content = note.content else { return nil }
            if content.trashed == true {
                let title = content.title.flatMap { $0.isEmpty ? nil : $0 }
                trashed.append(json.mend(TranslatedNote(title: title, text: content.text ?? "").name))
                return nil
            }
            let title = content.title ?? ""
            let rich = SuperNote(content.text ?? "", titles: titles)
            let text = rich?.text ?? content.text ?? ""
            let state = content.appData?["org.standardnotes.sn"]
            let translated = TranslatedNote(
                id: NoteID(note.uuid) ?? NoteID(derivedFrom: title + "\n" + text), title: title.isEmpty ? nil : title,
                text: text, tags: (tags[note.uuid] ?? []).sorted() + (state?.archived == true ? ["archived"] : []),
                starred: state?.pinned ?? false || content.starred ?? false,
                created: note.createdAt.flatMap(ImportFile.date),
                updated: (state?.updated ?? note.updatedAt).flatMap(ImportFile.date))
            missing += (rich?.files ?? []).map { (note: json.mend(translated.name), file: json.mend($0)) }
            return json.mend(translated)
        }
        let locked = found.filter { $0.content == nil }.map(\.uuid)
        notes = NotesInFile(translated, of: path, trashed: trashed, locked: locked, missing: missing)
    }

    /// Returns the tags of each note by the note's identity; a tag below others has their names before its own.
    private static func tags(in items: [Item]) -> [String: [String]] {
        let all = Dictionary(
            items.filter { $0.contentType == "Tag" }.map { ($0.uuid, $0.content) }, uniquingKeysWith: { one, _ in one })
        func path(of tag: String) -> String {
            var (names, seen, next) = ([String](), Set<String>(), Optional(tag))
            while let tag = next, let content = all[tag] ?? nil, seen.insert(tag).inserted {
                names.insert(content.title ?? "", at: 0)
                next = content.references?.first { $0.contentType == "Tag" }?.uuid
            }
            return names.filter { !$0.isEmpty }.joined(separator: "/")
        }
        var tags: [String: [String]] = [:]
        for (tag, content) in all {
            let path = path(of: tag)
            for reference in content?.references ?? [] where reference.contentType != "Tag" && !path.isEmpty {
                tags[reference.uuid, default: []].append(path)
            }
        }
        return tags
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile { notes.read(file) }

    func media(_ address: String, from folder: FilePath) -> FilePath? { nil }
}

extension NoteID {
    /// Makes an identity of 32 hexadecimal digits without hyphens, the form of other programs.
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

    /// Derives an identity from a text, so that a note without one is recognised later: two 64-bit FNV-1a hashes.
    init(derivedFrom text: String) {
        func hash(_ basis: UInt64) -> UInt64 {
            text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        // The published offset basis, and another odd number.
        let digits = [hash(0xCBF2_9CE4_8422_2325), hash(0x9E37_79B9_7F4A_7C15)].map {
            Hexadecimal.text($0, digits: 16)
        }
        self = NoteID(hexadecimal: digits.joined()) ?? NoteID()
    }
}
