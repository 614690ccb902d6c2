import Crypto
import Foundation
import Markdown
import Synchronization
import SystemPackage
import TextPrimitives

/// Evernote's export: an `.enex` file of notes with their pictures and files.
///
/// The file may be larger than the memory, so only the range of each note is kept; a note is read when it is imported.
final class EvernoteExport: ProgramFormat {
    let plan: ImportPlan
    /// The files beside it that are not exports, if it is in an archive.
    let others: [FilePath]
    private let path: FilePath
    private let source: ByteSource
    private let encoding: DeclaredEncoding
    /// The range of each note in the file, in order.
    private let ranges: [Range<Int>]
    /// The index of each note, by the name that it has in its path.
    private let indices: [String: Int]
    /// The notes' files by their virtual paths: the index of the note, and the file's hash.
    private let resources = Mutex<[FilePath: (note: Int, hash: String)]>([:])
    /// The files of the note that was read last, by their hashes, so that a note with many is not parsed for each.
    private let lastFiles = Mutex<(note: Int, files: [String: Data])?>(nil)

    static func recognizes(_ path: FilePath) -> Bool {
        // No file: no export.
        guard let head = try? RegularFile.head(path, count: DeclaredEncoding.searched) else { return false }
        return isStart(head)
    }

    /// Whether a file in a folder is an export, by its name first, since there may be thousands of others.
    static func isExport(_ path: FilePath) -> Bool { path.lowercasedExtension == "enex" && recognizes(path) }

    /// Whether a file that begins with these bytes is an export.
    static func isStart(_ head: some Collection<UInt8>) -> Bool {
        // Without its zeros, UTF-16 of ASCII is ASCII.
        let start = head.prefix(DeclaredEncoding.searched).filter { $0 != 0 }
        // An archive may have the same tag further on, in a file that it has not compressed.
        guard start.first(where: { $0 < 0x80 && !$0.isSpace }) == UInt8(ascii: "<") else { return false }
        return String(decoding: start, as: UTF8.self).contains("<en-export")
    }

    /// Returns the exports among the files of an archive, and its other files; none if the archive has texts.
    static func files(among names: [String]) -> (exports: [String], others: [String]) {
        let texts = ImportPlan.textExtensions.union(ImportPlan.pageExtensions)
        let exports = names.filter { ExportFiles.fileExtension($0) == "enex" }
        let hasTexts = names.contains { texts.contains(ExportFiles.fileExtension($0)) }
        return hasTexts ? ([], names) : (exports, names.filter { ExportFiles.fileExtension($0) != "enex" })
    }

    convenience init(reading path: FilePath) throws {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        do {
            try self.init(.file(file, size: try FileStatus(file).size), at: path)
        } catch {
            try? file.close()  // nothing was written
            throw error
        }
        if case .memory = source { try? file.close() }  // nothing was written
    }

    /// Reads an export that is inside an archive.
    ///
    /// - Parameters:
    ///   - problems: those of other files of the archive.
    ///   - others: the archive's files that are not exports.
    convenience init(_ bytes: [UInt8], at path: FilePath, problems: [ImportProblem], others: [FilePath]) throws {
        try self.init(.memory(bytes), at: path, problems: problems, others: others)
    }

    private init(
        _ file: ByteSource, at path: FilePath, problems: [ImportProblem] = [], others: [FilePath] = []
    ) throws {
        let head = try file.bytes(at: 0, count: min(DeclaredEncoding.searched, file.count))
        let encoding = DeclaredEncoding(of: head)
        let source = try Self.readable(file, in: encoding)
        let (found, isCut) = try EvernoteNoteRange.all(in: source)
        let names = try EvernoteNoteRange.names(of: found, in: source)
        (self.path, self.source, self.encoding, self.others) = (path, source, encoding, others)
        ranges = found.map(\.whole)
        indices = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
        let folder = path.stem.map { $0.isEmpty ? "Evernote" : $0 } ?? "Evernote"
        plan = ImportPlan(
            files: names.enumerated().map {
                ImportPlan.File(named: "\($0 + 1)", at: path.appending($1), in: path, folders: [folder])
            }, problems: problems + (isCut ? [ImportProblem(path: path.string, reason: .damagedArchive)] : []))
    }

    deinit {
        if case .file(let file, _) = source { try? file.close() }  // nothing was written
    }

    /// The size limit in bytes of an export in UTF-16, which is kept in memory.
    private static let maximumSizeInUTF16 = 4 * ImportFile.limit

    /// Returns an export in which tags can be found as ASCII; one in UTF-16 is read whole.
    private static func readable(_ file: ByteSource, in encoding: DeclaredEncoding) throws -> ByteSource {
        guard case .utf16 = encoding else { return file }
        guard file.count <= maximumSizeInUTF16 else {
            throw ImportFailure(.tooLarge(bytes: file.count, limit: maximumSizeInUTF16))
        }
        let text = try encoding.text(of: file.bytes(at: 0, count: file.count))
        return .memory(Array(text.utf8))
    }

    // MARK: - Notes

    private struct Note {
        var title = "", content = "", created = "", updated = "", source = ""
        var tags: [String] = []
        var resources: [Resource] = []
        var tasks: [Task] = []
        /// The time of the note's reminder, and the time at which it was marked as done.
        var reminder = "", reminderDone = ""

        /// The note's tasks in Markdown, in their order; empty without any.
        var taskList: String { tasks.sorted { $0.order < $1.order }.map(\.markdown).joined() }

        /// The reminder as a task in Markdown; empty without one.
        var reminderTask: String {
            guard let date = EvernoteExport.date(reminder) else { return "" }
            let box = EvernoteExport.date(reminderDone) == nil ? " " : "x"
            return "- [\(box)] \(Folding.trimmed(title)) @\(date.timestamp.prefix(10))\n"
        }

        /// Takes a piece of text, which belongs to the innermost of the open elements.
        mutating func take(_ text: String, in open: [String]) {
            if open.contains("task"), let task = tasks.indices.last {
                switch open.last {
                case "title": tasks[task].title += text
                case "taskstatus": tasks[task].status += text
                case "sortweight": tasks[task].order += text
                case "duedate" where open.dropLast().last == "task": tasks[task].due += text
                default: break
                }
                return
            }
            let isInResource = open.contains("resource")
            let last = resources.indices.last
            switch open.last {
            case "title" where !isInResource: title += text
            case "content": content += text
            case "created" where !isInResource: created += text
            case "updated" where !isInResource: updated += text
            case "reminder-time": reminder += text
            case "reminder-done-time": reminderDone += text
            case "tag": tags.append(Folding.trimmed(text))
            case "source-url" where !isInResource: source += text
            case "data": if let last { resources[last].base64 += text }
            case "mime": if let last { resources[last].mime += Folding.trimmed(text) }
            case "file-name": if let last { resources[last].fileName += Folding.trimmed(text) }
            default: break
            }
        }
    }

    /// A task of a note, which Evernote keeps outside the note's text.
    private struct Task {
        var title = "", status = "", order = "", due = ""

        var markdown: String {
            let day = EvernoteExport.date(due).map { " @\($0.timestamp.prefix(10))" } ?? ""
            let title = Folding.trimmed(title).split(whereSeparator: \.isNewline).joined(separator: " ")
            return "- [\(Folding.trimmed(status) == "completed" ? "x" : " ")] \(title)\(day)\n"
        }
    }

    struct Resource {
        var base64 = "", mime = "", fileName = ""
        var data: Data { Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data() }
        /// The MD5 of the file, by which the text refers to it.
        var hash: String { Hexadecimal.text(Insecure.MD5.hash(data: data)) }
        var name: String {
            if !fileName.isEmpty { return SafeName.ofFile(fileName) }
            let extensions = [
                "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp",
                "image/svg+xml": "svg", "application/pdf": "pdf", "audio/wav": "wav", "audio/mpeg": "mp3",
                "video/mp4": "mp4",
            ]
            return "attachment." + (extensions[mime] ?? "bin")
        }
    }

    private func read(_ index: Int) throws(ImportFailure) -> Note {
        let range = ranges[index]
        guard range.count <= 2 * ImportFile.limit else {
            throw ImportFailure(.tooLarge(bytes: range.count, limit: 2 * ImportFile.limit))
        }
        let bytes: [UInt8]
        do {
            bytes = try source.bytes(at: range.lowerBound, count: range.count)
        } catch {
            throw ImportFailure(.damagedArchive)
        }
        let xml = try text(of: bytes)
        var note = Note()
        var open: [String] = []
        for token in HTMLTokens(xml) {
            switch token {
            case .open(let name, _, let isClosed):
                if name == "resource" { note.resources.append(Resource()) }
                if name == "task", !open.contains("task") { note.tasks.append(Task()) }
                if !isClosed { open.append(name) }
            case .close(let name):
                if let index = open.lastIndex(of: name) { open.removeSubrange(index...) }
            case .text(let text), .data(let text): note.take(text, in: open)
            }
        }
        return note
    }

    /// Returns a piece of the export as text.
    private func text(of bytes: [UInt8]) throws(ImportFailure) -> String {
        switch encoding {
        case .utf8, .utf16:
            guard let text = String(validating: bytes, as: UTF8.self) else { throw ImportFailure(.damagedArchive) }
            return text
        case .windows1252, .other: return try encoding.text(of: bytes)
        }
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile {
        guard let name = file.location.lastComponent?.string, let index = indices[name] else {
            throw ImportFailure(.notFound)
        }
        let note = try read(index)
        guard !note.content.isEmpty || !note.title.isEmpty else { throw ImportFailure(.noText) }
        var named: [String: Resource] = [:]
        for resource in note.resources { named[resource.hash] = resource }
        let folder = path.appending(name)
        for (hash, resource) in named {
            let location = folder.appending(hash).appending(resource.name)
            resources.withLock { $0[location.absolute] = (index, hash) }
        }
        func address(_ hash: String) -> String? {
            named[hash].map { LinkRewriter.address(of: "\(name)/\(hash)/\($0.name)") }
        }
        var shown: Set<String> = []
        let page = MarkdownFromHTML(note.content, taskGroups: false) { attributes in
            guard let hash = attributes["hash"]?.lowercased(), let address = address(hash) else { return nil }
            shown.insert(hash)
            let isPicture = attributes["type"]?.hasPrefix("image/") ?? false
            return "\(isPicture ? "!" : "")[\(isPicture ? "" : named[hash]?.name ?? "")](\(address))"
        }
        var text = Self.linked(page.text)
        // A web clip may have files that its text does not show.
        for resource in note.resources where !resource.base64.isEmpty && shown.insert(resource.hash).inserted {
            guard let address = address(resource.hash) else { continue }
            text += "\(text.isEmpty ? "" : "\n")[\(ImportRun.escaped(resource.name))](\(address))\n"
        }
        for tasks in [note.taskList, note.reminderTask] where !tasks.isEmpty {
            text += (text.isEmpty ? "" : "\n") + tasks
        }
        if note.source.hasPrefix("http") { text += "\n<\(note.source)>\n" }
        var translated = Self.translated(note, text)
        translated.leftOutElements = page.leftOut
        return ImportFile(translated, from: file)
    }

    private static func translated(_ note: Note, _ text: String) -> TranslatedNote {
        var translated = TranslatedNote(text: text)
        let tags = note.tags.filter { !$0.isEmpty }
        // Notes that differ in their tags alone are two.
        translated.id = NoteID(
            derivedFrom: "evernote\n\(note.title)\n\(note.created)\n\(tags.sorted())\n\(note.content)")
        translated.title = note.title.isEmpty ? nil : note.title
        translated.tags = tags
        translated.created = date(note.created)
        translated.updated = date(note.updated) ?? translated.created
        return translated
    }

    /// Returns the text with its links to other Evernote notes by title, since the export says nothing else about their
    /// targets.
    private static func linked(_ text: String) -> String {
        guard text.contains("evernote:///") else { return text }
        var links = LinkEdits(Array(text.utf8))
        for link in Markdown.destinations(in: text) where link.kind == .link {
            guard link.target.hasPrefix("evernote:///view/"), let whole = links.unescapedLink(around: link.range),
                !whole.label.isEmpty, !whole.label.contains("://")
            else { continue }
            links.replaceLink(link, at: (whole.range, ""), by: whole.label)
        }
        return links.text
    }

    /// Parses a time such as `20240304T050607Z`.
    fileprivate static func date(_ text: String) -> Date? {
        let digits = text.filter(\.isNumber)
        guard digits.count == 14 else { return nil }
        let numbers = [4, 2, 2, 2, 2, 2].reduce(into: ([Int](), digits[...])) { result, length in
            result.0.append(Int(result.1.prefix(length)) ?? 0)
            result.1 = result.1.dropFirst(length)
        }.0
        return CivilTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: min(numbers[5], 59)
        ).map(Zone.utc.date)
    }

    // MARK: - Files

    func media(_ address: String, from folder: FilePath) -> FilePath? { nil }

    private func resource(at path: FilePath) -> (note: Int, hash: String)? {
        let path = path.absolute
        return resources.withLock { $0[path] }
    }

    func size(at path: FilePath) -> MediaSize { resource(at: path) == nil ? .none : .file(0) }

    private func files(of index: Int) throws(ImportFailure) -> [String: Data] {
        if let known = lastFiles.withLock({ $0?.note == index ? $0?.files : nil }) { return known }
        var files: [String: Data] = [:]
        for resource in try read(index).resources { files[resource.hash] = resource.data }
        lastFiles.withLock { [files] in $0 = (index, files) }
        return files
    }

    func content(at path: FilePath, limit: Int) throws(ImportFailure) -> RegularFile.Content {
        guard let (index, hash) = resource(at: path) else { throw ImportFailure(.notFound) }
        guard let data = try files(of: index)[hash], !data.isEmpty else { throw ImportFailure(.damagedArchive) }
        return RegularFile.Content(
            bytes: data.count > limit ? [] : Array(data), modified: Date(), size: data.count,
            isTooLarge: data.count > limit)
    }
}
