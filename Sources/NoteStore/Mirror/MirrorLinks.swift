import Foundation
import Markdown
import TextEditing

/// Translates the links in notes to those of a mirrored folder, and back.
///
/// One thread uses it.
final class MirrorLinks {
    private let notebook: Notebook
    /// The path of each note's file in the mirrored folder, as names.
    private let files: [NoteID: [String]]
    private let names: VaultNames
    /// The notes by the folded paths and names of their files, without the extension.
    private var byPath: [String: NoteID] = [:]
    private var byName: [String: [NoteID]] = [:]
    /// Returns the path of an image or attachment in the folder, after writing it there if it is missing; nil if the
    /// notebook does not have it.
    var attachmentPath: (TakeNoteURL) throws -> [String]? = { _ in nil }
    /// Takes a file of the folder into the notebook and returns its address; nil if there is no such file.
    var take: (_ path: [String]) throws -> (url: String, isPicture: Bool)? = { _ in nil }

    init(_ notebook: Notebook, _ files: [NoteID: [String]]) {
        (self.notebook, self.files, names) = (notebook, files, VaultNames(files))
        for (id, file) in files {
            let stem = MirrorPath.stem(file.last ?? "")
            byPath[Folding.key((file.dropLast() + [stem]).joined(separator: "/"))] = id
            byName[Folding.key(stem), default: []].append(id)
        }
    }

    // MARK: - To the folder

    /// Returns a note's text as it is written to its file.
    ///
    /// - Parameter forms: texts whose links by path stay links by path; all others are written by name.
    func written(_ note: Note, in file: [String], keepingFormsOf forms: [Form] = []) throws -> String {
        let byPath = Set(forms.flatMap(Self.linksByPath(in:)))
        var links = LinkEdits(Array(note.content.utf8))
        for destination in Markdown.destinations(in: note.content, withProperties: true) {
            switch destination.kind {
            case .image:
                if let address = try address(destination.target, in: file) { links.replace(destination.range, address) }
            case .link:
                if !byPath.contains(destination.target), let name = noteName(at: destination.target),
                    let whole = links.plainLink(around: destination.range)
                {
                    links.replaceLink(destination, at: whole, by: name)
                } else if let address = try address(destination.target, in: file) {
                    links.replace(destination.range, address)
                }
            case .wikilink, .embed:
                guard destination.property == nil,
                    let name = try names.name(for: destination, of: note, in: file, notebook)
                else { continue }
                links.rename(destination, to: name)
            }
        }
        return links.text
    }

    /// A text as somebody has written it in a file, and as it is in its note.
    struct Form {
        let file, note: String
    }

    /// Returns the addresses of notes that a file links to only by path.
    private static func linksByPath(in form: Form) -> Set<String> {
        let inNote = Markdown.destinations(in: form.note, withProperties: true)
        let inFile = Markdown.destinations(in: form.file, withProperties: true)
        guard inNote.count == inFile.count else { return [] }
        var (byPath, byName): (Set<String>, Set<String>) = ([], [])
        for (link, written) in zip(inNote, inFile) where link.kind == .link {
            if written.kind == .link { byPath.insert(link.target) } else { byName.insert(link.target) }
        }
        return byPath.subtracting(byName)
    }

    private func noteName(at address: String) -> String? {
        guard let target = TakeNoteURL(address), target.kind == .note, let name = names[NoteID(target.uuid)] else {
            return nil
        }
        let anchor = String(target.rest).removingPercentEncoding ?? String(target.rest)
        return anchor.contains { "[]|\n".contains($0) } ? nil : name + anchor
    }

    private func address(_ written: String, in file: [String]) throws -> String? {
        guard let target = TakeNoteURL(written) else { return nil }
        let found = target.kind == .note ? files[NoteID(target.uuid)] : try attachmentPath(target)
        return found.map { ExportRun.relative($0, from: file) + target.rest }
    }

    // MARK: - From the folder

    /// Returns a file's text as it is stored in its note.
    ///
    /// Lines that have not changed keep the form of their links in the note.
    ///
    /// - Parameter base: the texts of file and note in the last round; nil for a new file.
    func read(_ text: String, of id: NoteID, in file: [String], base: MirrorBase?) throws -> String {
        if let base, base.text.hasSameBytes(as: text) { return base.noteText }
        let read = try LinkRewriter.rewritten(text) { try replacement(for: $0, of: id, in: file) }
        guard let base, base.note != nil || !read.hasSameBytes(as: text) else { return read }
        return Self.keepingLines(of: base.noteText, whichSaid: base.text, in: read, whichSays: text)
    }

    /// Returns a translated text, with the old translation of each line that has not changed in the source.
    ///
    /// A translation has as many lines as its source, and they differ in links alone.
    ///
    /// - Parameters:
    ///   - old: the old translation; `oldSource` is the text it was made from.
    ///   - new: the new translation; `source` is the text it was made from.
    static func keepingLines(
        of old: String, whichSaid oldSource: String, in new: String, whichSays source: String
    ) -> String {
        var lines = lines(new)
        let oldLines = Self.lines(old)
        guard oldLines.count == Self.lines(oldSource).count, lines.count == Self.lines(source).count else { return new }
        for line in TextDiff(from: oldSource, to: source).lines {
            guard line.kind == .same, let from = line.oldLine?.rawValue, let to = line.newLine?.rawValue,
                oldLines.indices.contains(from), lines.indices.contains(to)
            else { continue }
            lines[to] = oldLines[from]
        }
        return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
        Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private func replacement(for link: WrittenDestination, of id: NoteID, in file: [String]) throws -> String? {
        let target = link.target
        if target.contains("://") || target.hasPrefix("#") || target.isEmpty { return nil }
        let name = String(target.prefix { $0 != "#" })
        let anchor = String(target.dropFirst(name.count))
        switch link.kind {
        case .wikilink, .embed:
            if let wanted = note(named: name) {
                if link.kind == .embed || link.property != nil { return nil }
                if try notebook.links.target(of: target, from: id)?.note.id == wanted { return nil }
                return wanted.link(showing: link.label, anchor: anchor)
            }
            // The page of a file, the size of an image, and the view of a file that is not an image cannot be expressed
            // otherwise.
            guard anchor.isEmpty, link.kind == .wikilink || link.label == name, name.contains("."),
                let found = try take(name.split(separator: "/").map(String.init)),
                link.kind == .wikilink || found.isPicture
            else { return nil }
            let label = link.kind == .embed ? name.split(separator: "/").last.map(String.init) ?? name : link.label
            let new = "\(link.kind == .embed ? "!" : "")[\(ImportRun.escaped(label))](\(found.url))"
            return link.property == nil ? new : ImportRun.value(new, at: link)
        case .link, .image:
            for path in Set([name, name.removingPercentEncoding ?? name]).sorted() {
                guard let names = MirrorPath.resolved(path, from: file) else { continue }
                if link.kind == .link, MirrorPath.isNote(names.last ?? ""),
                    let wanted = byPath[Folding.key(MirrorPath.withoutEnding(names).joined(separator: "/"))]
                {
                    return wanted.url + anchor
                }
                if let found = try take(names) { return found.url }
            }
            return nil
        }
    }

    private func note(named name: String) -> NoteID? {
        let stem = MirrorPath.isNote(name) ? MirrorPath.stem(name) : name
        if let found = byPath[Folding.key(stem)] { return found }
        let found = byName[Folding.key(stem)] ?? []
        return found.count == 1 ? found[0] : nil
    }
}

/// Paths in a mirrored folder.
enum MirrorPath {
    static let endings = [".md", ".markdown"]

    static func names(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// Returns the folder of a path; empty for a path of one name.
    static func folder(_ path: String) -> String { names(path).dropLast().joined(separator: "/") }

    static func isNote(_ name: String) -> Bool { endings.contains { name.lowercased().hasSuffix($0) } }

    /// Returns a file's name without the extension of a note.
    static func stem(_ name: String) -> String {
        guard let ending = endings.first(where: { name.lowercased().hasSuffix($0) }) else { return name }
        return String(name.dropLast(ending.count))
    }

    static func withoutEnding(_ names: [String]) -> [String] { names.dropLast() + [stem(names.last ?? "")] }

    /// Returns the path in the mirrored folder of an address relative to a file; nil if it leads out of the folder.
    static func resolved(_ address: String, from file: [String]) -> [String]? {
        if address.hasPrefix("/") { return nil }
        var names = Array(file.dropLast())
        for name in address.split(separator: "/") where name != "." {
            if name == ".." {
                if names.popLast() == nil { return nil }
            } else {
                names.append(String(name))
            }
        }
        return names.isEmpty ? nil : names
    }

    /// Returns the name of a file for a title, without the extension.
    static func stem(ofTitle title: String) -> String { SafeName(VaultNames.linkable(title)).name }

    /// Whether a file's name is that of a title, with or without a number; earlier versions cut long titles sooner.
    static func stem(_ stem: String, isOf title: String) -> Bool {
        let short = SafeName(VaultNames.linkable(title), maximumLength: SafeName.shortLength).name
        return [self.stem(ofTitle: title), short].contains { wanted in
            stem.hasSameBytes(as: wanted)
                || stem.hasPrefix(wanted + " ") && Int(stem.dropFirst(wanted.count + 1)) != nil
        }
    }
}
