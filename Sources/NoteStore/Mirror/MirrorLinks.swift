import Foundation
import Markdown
import TextEditing

/// How the links of notes are written in a mirrored folder, and how they are read there.
///
/// One thread uses it.
final class MirrorLinks {
    private let notebook: Notebook
    /// The notes' files, as names from the folder.
    private let files: [NoteID: [String]]
    private let names: VaultNames
    /// The notes by the folded paths and names of their files, without the ending.
    private var byPath: [String: NoteID] = [:]
    private var byName: [String: [NoteID]] = [:]
    /// Where a picture or file lies in the folder, which writes it if it is missing; nil if the notebook has none.
    var place: (TakeNoteURL) throws -> [String]? = { _ in nil }
    /// The address in the notebook of a file in the folder, which takes it in; nil for no such file.
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

    /// A note's text as its file has it.
    func written(_ note: Note, in file: [String]) throws -> String {
        var links = LinkEdits(Array(note.content.utf8))
        for destination in Markdown.destinations(in: note.content) {
            switch destination.kind {
            case .image:
                if let address = try address(destination.target, in: file) { links.replace(destination.range, address) }
            case .link:
                if let name = noteName(at: destination.target), let whole = links.plainLink(around: destination.range) {
                    links.replace(whole.range, links.wikilink(to: name, shown: whole.label, at: whole.range))
                } else if let address = try address(destination.target, in: file) {
                    links.replace(destination.range, address)
                }
            case .wikilink, .embed:
                guard let found = try notebook.links.target(of: destination.target, from: note.id),
                    let name = names[found.note.id], found.note.id != note.id || !destination.target.hasPrefix("#")
                else { continue }
                let target = name + (found.anchor?.written ?? "")
                if Folding.key(destination.target) == Folding.key(target) { continue }
                let isEmbed = destination.kind == .embed
                let link = links.wikilink(to: target, shown: isEmbed ? "" : destination.label, at: destination.range)
                links.replace(destination.range, (isEmbed ? "!" : "") + link)
            }
        }
        return links.text
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
        let found = target.kind == .note ? files[NoteID(target.uuid)] : try place(target)
        return found.map { ExportRun.relative($0, from: file) + target.rest }
    }

    // MARK: - From the folder

    /// A file's text as its note has it.
    ///
    /// Lines that stayed as they were keep the note's own form of their links.
    ///
    /// - Parameter base: the texts of file and note that belong together; nil for a new file.
    func read(_ text: String, of id: NoteID, in file: [String], base: MirrorBase?) throws -> String {
        if let base, base.text.hasSameBytes(as: text) { return base.noteText }
        let read = try LinkRewriter.rewritten(text) { try replacement(for: $0, of: id, in: file) }
        guard let base, base.note != nil || !read.hasSameBytes(as: text) else { return read }
        return Self.keepingLines(of: base.noteText, whichSaid: base.text, in: read, whichSays: text)
    }

    /// One side's form of a text, with the lines that it had before wherever the other side has kept its own.
    ///
    /// Each form has the same lines as its counterpart, and they differ in links alone.
    ///
    /// - Parameters:
    ///   - old: the form of before; `oldSource` is its counterpart on the other side.
    ///   - new: the form of now; `source` is its counterpart.
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
                if link.kind == .embed { return nil }
                if try notebook.links.target(of: target, from: id)?.note.id == wanted { return nil }
                let rest = anchor.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.union(["#"])) ?? anchor
                return "[\(ImportRun.escaped(link.label))](\(wanted.url)\(rest))"
            }
            // A page of a file, the size of a picture and the view of a file that is none have no other form.
            guard anchor.isEmpty, link.kind == .wikilink || link.label == name, name.contains("."),
                let found = try take(name.split(separator: "/").map(String.init)),
                link.kind == .wikilink || found.isPicture
            else { return nil }
            let label = link.kind == .embed ? name.split(separator: "/").last.map(String.init) ?? name : link.label
            return "\(link.kind == .embed ? "!" : "")[\(ImportRun.escaped(label))](\(found.url))"
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

    /// The folder of a path; empty at the top.
    static func folder(_ path: String) -> String { names(path).dropLast().joined(separator: "/") }

    static func isNote(_ name: String) -> Bool { endings.contains { name.lowercased().hasSuffix($0) } }

    /// A file's name without the ending of a note.
    static func stem(_ name: String) -> String {
        guard let ending = endings.first(where: { name.lowercased().hasSuffix($0) }) else { return name }
        return String(name.dropLast(ending.count))
    }

    static func withoutEnding(_ names: [String]) -> [String] { names.dropLast() + [stem(names.last ?? "")] }

    /// The names on the way from the mirrored folder to a relative address; nil if it leads out of the folder.
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

    /// The name that a title has as a file, without the ending.
    static func stem(ofTitle title: String) -> String { SafeName(VaultNames.linkable(title)).name }

    /// Whether a file's name stands for a title, with or without a number.
    static func stem(_ stem: String, isOf title: String) -> Bool {
        let wanted = self.stem(ofTitle: title)
        if stem.hasSameBytes(as: wanted) { return true }
        return stem.hasPrefix(wanted + " ") && Int(stem.dropFirst(wanted.count + 1)) != nil
    }
}
