import Foundation
import Markdown
import SystemPackage

/// Joplin's RAW export, or the JEX with the same files as a tar: a folder of `<32 hexadecimal digits>.md`.
///
/// Each file has a title, a text, and at the end lines of properties that tell its kind; attachments are in
/// `resources`.
struct JoplinRaw: ProgramFormat {
    static func recognizes(_ path: FilePath) -> Bool {
        let names = (try? FolderListing.names(of: path)) ?? []  // no folder, no items
        return names.contains { isItem($0.string) }
    }

    private static func isItem(_ name: String) -> Bool {
        name.hasSuffix(".md") && name.utf8.count == 35 && name.dropLast(3).allSatisfy(\.isHexDigit)
    }

    /// The kind of an item; the numbers are Joplin's.
    private enum Kind: Int {
        case note = 1, folder = 2, resource = 4, tag = 5, noteTag = 6
    }

    private struct Item {
        let title: String
        let properties: [String: String]
        /// The text; it is emptied once the item has been listed, and an import reads it again.
        var body: String

        var id: String { properties["id"] ?? "" }
        var kind: Kind? { properties["type_"].flatMap { Int($0) }.flatMap(Kind.init) }

        /// Parses title, blank line, text, blank line, properties.
        ///
        /// In an item without text the properties follow the title.
        init(_ file: String) {
            var lines = file.split(separator: "\n", omittingEmptySubsequences: false)
            var properties: [String: String] = [:]
            while let line = lines.last, let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                properties[String(line[..<colon])] = value
                lines.removeLast()
                if line.hasPrefix("id:") { break }
            }
            if lines.last == "" { lines.removeLast() }
            self.properties = properties
            title = lines.first.map(String.init) ?? ""
            body = lines.dropFirst(2).joined(separator: "\n")
        }
    }

    private let exported: ExportFiles
    private(set) var plan = ImportPlan(files: [])
    /// All items without their texts, which are read when they are imported.
    private var items: [String: Item] = [:]
    /// The names of each note's tags, by the note's identity.
    private var tags: [String: [String]] = [:]
    /// The files of the attachments by their identities, since the file has an extension also where its item has none.
    private let resources: [String: String]

    init(reading path: FilePath) throws { try self.init(try ExportFiles(folder: path)) }

    static func recognizes(_ files: ExportFiles) -> Bool {
        let items = files.names.filter { isItem($0) }
        // Any folder may have files with such names, but an item has a type.
        guard let first = items.first, let text = try? files.text(first).text else { return false }  // no item
        return text.contains("type_:")
    }

    init(_ exported: ExportFiles) throws {
        self.exported = exported
        let names = exported.names.filter { $0.hasPrefix("resources/") }
        resources = Dictionary(names.map { (String(ExportFiles.last($0).prefix(32)), $0) }) { one, _ in one }
        var files: [(id: String, location: FilePath)] = []
        var problems: [ImportProblem] = []
        for name in exported.names where Self.isItem(name) {
            let location = exported.location(name)
            switch Result(catching: { () throws(ImportFailure) in try exported.text(name).text }) {
            case .failure(let failure):
                problems.append(ImportProblem(path: location.string, reason: failure.reason))
            case .success(let text):
                var item = Item(text)
                item.body = ""
                items[item.id] = item
                guard item.kind == .note else { continue }
                if item.properties["encryption_applied"] == "1" {
                    problems.append(ImportProblem(path: location.string, reason: .locked))
                } else if Self.isDeleted(item) {
                    let name = item.title.isEmpty ? location.string : "\(location.string) (\(item.title))"
                    problems.append(ImportProblem(path: name, reason: .inItsTrash))
                } else {
                    files.append((item.id, location))
                }
            }
        }
        for item in items.values where item.kind == .noteTag {
            guard let tag = items[item.properties["tag_id"] ?? ""] else { continue }
            tags[item.properties["note_id"] ?? "", default: []].append(tag.title)
        }
        plan = ImportPlan(
            files: files.map { id, location in
                ImportPlan.File(
                    text: 0, of: location, named: "\(location.string) (\(items[id]?.title ?? ""))",
                    folders: folders(of: items[id]))
            }, problems: problems)
    }

    /// Returns whether a note is in Joplin's own Trash, so that it is reported and not imported.
    private static func isDeleted(_ item: Item) -> Bool {
        guard let date = item.properties["deleted_time"] else { return false }
        return date != "0" && !date.isEmpty
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile {
        guard let name = exported.name(at: file.location) else { throw ImportFailure(.notFound) }
        let (text, modified) = try exported.text(name)
        let item = Item(text)
        // 2 is HTML, in which web clips may be kept.
        let page = item.properties["markup_language"] == "2" ? MarkdownFromHTML(item.body) : nil
        let body = page?.text ?? item.body
        var note = TranslatedNote(text: relinked(body) + Self.task(of: item, after: body))
        note.leftOutElements = page?.leftOut ?? []
        note.id = NoteID(hexadecimal: item.id) ?? NoteID(derivedFrom: text)
        note.title = item.title.isEmpty ? nil : item.title
        note.folders = file.folders
        note.tags = (tags[item.id] ?? []).sorted()
        note.created = (item.properties["user_created_time"] ?? item.properties["created_time"]).flatMap(
            ImportFile.date)
        note.updated = (item.properties["user_updated_time"] ?? item.properties["updated_time"]).flatMap(
            ImportFile.date)
        return ImportFile(note, from: file, modified: modified)
    }

    /// Returns what stands after the text of a note that is a to-do; empty for any other note.
    private static func task(of item: Item, after body: String) -> String {
        guard item.properties["is_todo"] == "1" else { return "" }
        func date(_ key: String) -> Date? { item.properties[key].flatMap { $0 == "0" ? nil : ImportFile.date($0) } }
        let day = date("todo_due").map { " @\($0.timestamp.prefix(10))" } ?? ""
        let gap = body.isEmpty ? "" : body.hasSuffix("\n") ? "\n" : "\n\n"
        return "\(gap)- [\(date("todo_completed") == nil ? " " : "x")] \(item.title)\(day)\n"
    }

    /// Returns the file of an attachment, whose address contains its identity: `:/0123…`.
    func media(_ address: String, from folder: FilePath) -> FilePath? {
        guard address.hasPrefix(":/") else { return nil }
        return resources[Self.parts(of: address.dropFirst(2)).id].map(exported.location)
    }

    /// Returns an attachment's title, since its file is named by its identity.
    func name(of path: FilePath) -> String {
        let file = path.lastComponent?.string ?? path.string
        let title = items[String(file.prefix(32))]?.title ?? ""
        guard !title.isEmpty, let ending = path.extension else { return title.isEmpty ? file : title }
        return FilePath(title).lowercasedExtension == ending.lowercased() ? title : "\(title).\(ending)"
    }

    func size(at path: FilePath) -> MediaSize { exported.name(at: path).map { .file(exported.size($0)) } ?? .none }

    func content(at path: FilePath, limit: Int) throws(ImportFailure) -> RegularFile.Content {
        guard let name = exported.name(at: path) else { throw ImportFailure(.notFound) }
        return try exported.read(name, limit: limit)
    }

    private func folders(of item: Item?) -> [String] {
        var names: [String] = []
        var next = item?.properties["parent_id"] ?? ""
        // Folders of a damaged export may be in a cycle.
        var seen: Set<String> = []
        while let folder = items[next], folder.kind == .folder, seen.insert(next).inserted {
            names.insert(folder.title, at: 0)
            next = folder.properties["parent_id"] ?? ""
        }
        return names
    }

    /// Returns the text with its links to notes, `:/id`, replaced by the notebook's links.
    private func relinked(_ text: String) -> String {
        LinkRewriter.rewritten(text) { destination in
            guard destination.target.hasPrefix(":/") else { return nil }
            let (id, heading) = Self.parts(of: destination.target.dropFirst(2))
            guard items[id]?.kind == .note else { return nil }
            return NoteID(hexadecimal: id).map { $0.url + heading }
        }
    }

    /// Splits `id#heading`.
    private static func parts(of address: Substring) -> (id: String, heading: String) {
        (String(address.prefix { $0 != "#" }), String(address.drop { $0 != "#" }))
    }
}
