import Foundation
import SystemPackage

/// Notes of Google Keep as Takeout exports them, each in a JSON file.
struct KeepNotes: Translation {
    private struct Note: Decodable {
        var title, textContent, textContentHtml: String?
        var listContent: [Item]?
        var labels: [Label]?
        var attachments: [Attachment]?
        var annotations: [Annotation]?
        var isTrashed, isPinned, isArchived: Bool?
        var createdTimestampUsec, userEditedTimestampUsec: Int64?
    }

    private struct Item: Decodable {
        var text: String?
        var isChecked: Bool?
    }

    private struct Label: Decodable { var name: String? }
    private struct Attachment: Decodable { var filePath: String? }
    private struct Annotation: Decodable { var url, title: String? }

    let notes: [(name: String, folders: [String])]
    private let files: ExportFiles
    /// The folders of the notes.
    private let folders: Set<[String]>

    /// The file of all labels, which is beside the notes.
    static let labels = "Labels.json"

    /// Whether a file is a note of Keep by its first bytes; a folder of such notes may have any name.
    static func isNote(_ path: FilePath?) -> Bool {
        path.map { ProgramFile.looksLikeJSON($0, with: ["isTrashed", "isArchived"]) } ?? false
    }

    static func recognizes(_ files: ExportFiles) -> Bool {
        let first =
            files.names.first { ExportFiles.fileExtension($0) == "json" && $0.contains("Keep/") }
            ?? files.names.first { ExportFiles.fileExtension($0) == "json" && ExportFiles.last($0) != labels }
        guard let first else { return false }
        let text: String
        do {
            text = try files.text(first).text
        } catch {
            // A note that cannot be read is reported by the import.
            return first.contains("Keep/") || files.path.lastComponent?.string == "Keep"
        }
        return text.contains("\"isTrashed\"") && text.contains("TimestampUsec\"")
    }

    init(_ files: ExportFiles) {
        let texts = files.names.filter { ExportFiles.fileExtension($0) == "json" }
        self.init(files, texts.filter { ExportFiles.last($0) != Self.labels })
    }

    private init(_ files: ExportFiles, _ names: [String]) {
        self.files = files
        notes = names.map { ($0, ["Keep"]) }
        folders = Set(names.map(ExportFiles.folders))
    }

    /// Files of other services are for people; files beside the notes, and Takeout's own page above all folders, are not.
    func isForPeople(_ name: String) -> Bool {
        let folder = ExportFiles.folders(name)
        return folder.count > 1 && !folders.contains(folder)
    }

    /// Returns the folder and the name of a note that is given by itself, or `nil` for anything else.
    static func single(_ path: FilePath) -> (folder: FilePath, name: String)? {
        guard path.lowercasedExtension == "json", let name = path.lastComponent?.string, isNote(path) else {
            return nil
        }
        return (path.parent.isEmpty ? "." : path.parent, name)
    }

    /// Makes a format of notes in a folder that are given by themselves, with the files there that they show.
    static func format(of names: [String], in folder: FilePath) throws -> any ImportFormat {
        let files = try ExportFiles(folder: folder, isDeep: false)
        return TranslatedFiles(files, Self(files, names))
    }

    func note(_ name: String) throws(ImportFailure) -> TranslatedNote {
        let content = try files.read(name)
        let json = ProgramJSON(Data(content.bytes))
        let read = try? json.decode(Note.self)  // Takeout has other files too
        guard let keep = read else {
            throw ImportFailure(.noText)
        }
        if keep.isTrashed == true { throw ImportFailure(.inItsTrash) }
        var parts: [String] = []
        if let text = keep.textContent, !text.isEmpty { parts.append(text) }
        let items = (keep.listContent ?? []).map { item in
            "- [\(item.isChecked == true ? "x" : " ")] " + (item.text ?? "").replacing("\n", with: " ")
        }
        if !items.isEmpty { parts.append(items.joined(separator: "\n")) }
        let links = (keep.annotations ?? []).compactMap { link in
            link.url.map { "- [\((link.title ?? $0).filter { !"[]\n".contains($0) })](\($0))" }
        }
        if !links.isEmpty { parts.append(links.joined(separator: "\n")) }
        let folder = ExportFiles.folders(name).map { $0 + "/" }.joined()
        for attachment in keep.attachments ?? [] {
            guard let path = attachment.filePath else { continue }
            parts.append("![](\(LinkRewriter.address(of: Self.present(path, folder, files))))")
        }
        var note = TranslatedNote(text: parts.joined(separator: "\n\n") + (parts.isEmpty ? "" : "\n"))
        note.id = NoteID(derivedFrom: "keep\n\(keep.createdTimestampUsec ?? 0)\n\(ExportFiles.last(name))")
        if let title = keep.title, !title.isEmpty { note.title = title }
        note.tags = (keep.labels ?? []).compactMap(\.name) + (keep.isArchived == true ? ["archived"] : [])
        note.starred = keep.isPinned == true
        func date(_ usec: Int64?) -> Date? { usec.map { Date(timeIntervalSince1970: Double($0) / 1_000_000) } }
        note.created = date(keep.createdTimestampUsec)
        note.updated = date(keep.userEditedTimestampUsec) ?? note.created
        return json.mend(note)
    }

    /// Returns the name of an attachment that exists, since Takeout writes `.jpeg` for a file that ends in `.jpg`.
    private static func present(_ path: String, _ folder: String, _ files: ExportFiles) -> String {
        if files.has(folder + path) { return path }
        let stem = FilePath(path).stem ?? path
        return ["jpg", "jpeg", "png", "gif", "webp", "3gp"].map { "\(stem).\($0)" }.first { files.has(folder + $0) }
            ?? path
    }
}
