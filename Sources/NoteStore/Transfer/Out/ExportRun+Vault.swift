import Foundation
import Markdown

/// The names of notes in links that name files, as those of an Obsidian vault.
struct VaultNames {
    private var names: [NoteID: String] = [:]
    /// The files' folded paths without extension, as names, by the last of these names.
    private var files: [String: [(path: [String], note: NoteID)]] = [:]

    /// - Parameter files: the notes' files, as paths from the vault.
    init(_ files: [NoteID: [String]]) {
        for (id, file) in files {
            let path = MirrorPath.withoutEnding(file).map { Folding.key($0) }
            self.files[path.last ?? "", default: []].append((path, id))
        }
        names = files.mapValues { file in
            let path = MirrorPath.withoutEnding(file)
            let stem = path.last ?? ""
            return self.files[Folding.key(stem)]?.count == 1 ? stem : path.joined(separator: "/")
        }
    }

    /// The name for `[[…]]`: the file's name alone if no other note has it, otherwise its path.
    subscript(id: NoteID) -> String? { names[id] }

    /// Returns the note that Obsidian finds for `[[name]]` in a file; `nil` if it finds none, or one of several.
    ///
    /// A name may have folders before it. The whole path comes first, then a file beside the one with the link.
    func note(named name: String, in file: [String]) -> NoteID? {
        let (wanted, found) = notes(named: name)
        if found.count < 2 { return found.first?.note }
        let folder = file.dropLast().map { Folding.key($0) }
        let whole = found.first { $0.path.count == wanted.count }
        let beside = found.first { $0.path.dropLast(wanted.count).elementsEqual(folder) }
        guard let whole, let beside else { return (whole ?? beside)?.note }
        return whole.note == beside.note ? whole.note : nil
    }

    /// Whether any file has this name, which may have folders before it.
    func hasFile(named name: String) -> Bool { !notes(named: name).found.isEmpty }

    private func notes(named name: String) -> (wanted: [String], found: [(path: [String], note: NoteID)]) {
        let names = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let wanted = MirrorPath.withoutEnding(names).map { Folding.key($0) }
        let found = (files[wanted.last ?? ""] ?? []).filter { $0.path.suffix(wanted.count).elementsEqual(wanted) }
        return (wanted, found)
    }

    /// Returns the name and anchor for a link by title in a note's file; `nil` if the link stays as it is.
    ///
    /// It stays if Obsidian finds the same note as it is written, and if its note has no file.
    func name(
        for link: WrittenDestination, of note: Note, in file: [String], _ notebook: Notebook
    ) throws(StoreError) -> String? {
        // A link to a heading of the same note has no name.
        if link.target.hasPrefix("#") { return nil }
        guard let found = try notebook.links.target(of: link.target, from: note.id), let name = names[found.note.id]
        else { return nil }
        if self.note(named: String(link.target.prefix { $0 != "#" }), in: file) == found.note.id { return nil }
        guard let anchor = found.anchor else { return name }
        // `#A#B` names a heading after the headings above it.
        let marks = link.target.indices.filter { link.target[$0] == "#" }
        for mark in marks.dropLast() where LinkAnchor(link.target[mark...]) == anchor {
            let title = String(link.target[..<mark])
            if try notebook.links.target(of: title, from: note.id)?.note.id == found.note.id {
                return name + link.target[mark...]
            }
        }
        return name + anchor.written
    }

    /// Returns a title without the characters that a link cannot contain.
    static func linkable(_ title: String) -> String {
        String(title.map { "#^[]".contains($0) ? "-" : $0 })
    }
}

/// A vault for Obsidian: links by name, properties, and attachments in a folder that the vault's settings name.
extension ExportRun {
    func vaultText(of note: Note, in file: [String]) -> String {
        let bytes = Array(note.content.utf8)
        var links = LinkEdits(bytes)
        for destination in Markdown.destinations(in: note.content, withProperties: true) {
            switch destination.kind {
            case .image:
                let image = links.image(around: destination.range)
                let (name, rest) = Self.nameAndSize(image?.alternative ?? "")
                if let image, imageFile(destination.target, called: name)?.last == name {
                    let place = TakeNoteURL(destination.target).map { String($0.rest) } ?? ""
                    let link = "![[\(name)\(place.removingPercentEncoding ?? place)\(rest)]]"
                    links.replace(image.range, ImportRun.value(link, at: destination) ?? link)
                } else if let address = address(destination.target, in: file) {
                    links.replace(destination.range, address)
                }
            case .link:
                let name = noteName(at: destination.target)
                if let name, let whole = links.plainLink(around: destination.range) {
                    links.replaceLink(destination, at: whole, by: name)
                } else if let (range, link) = property(destination) {
                    links.replace(range, link)
                } else if let address = address(destination.target, in: file) {
                    links.replace(destination.range, address)
                }
            case .wikilink, .embed:
                guard destination.property == nil,
                    let name = attempt({ try vaultNames.name(for: destination, of: note, in: file, notebook) }) ?? nil
                else { continue }
                links.rename(destination, to: name)
            }
        }
        let name = String((file.last ?? "").dropLast(options.ending.count))
        let text = links.text
        let properties =
            options.frontMatter
            ? NoteProperties(of: note.row) : NoteProperties(of: note.row, inVaultAs: name, text: text)
        return properties.added(to: text)
    }

    /// Returns the range of a link to a file in front matter, and the link by name for it, since Obsidian knows no other
    /// there; nil for any other link.
    private func property(_ link: WrittenDestination) -> (range: Range<Int>, link: String)? {
        // A link by a path was imported with the path as its label.
        let label = MirrorPath.names(link.label).last ?? ""
        guard link.property != nil, let target = TakeNoteURL(link.target),
            let file = imageFile(String(link.target.dropLast(target.rest.count)), called: label)?.last
        else { return nil }
        let whole = link.range.lowerBound - link.label.utf8.count - 3..<link.range.upperBound + 1
        let name = file + (target.rest.removingPercentEncoding ?? String(target.rest))
        let written = label.isEmpty || label == name ? "[[\(name)]]" : "[[\(name)|\(link.label)]]"
        // Without quotation marks YAML would take it for a list.
        return link.property == .unquoted ? ImportRun.value(written, at: link).map { (whole, $0) } : (whole, written)
    }

    /// Splits the alternative text of an image, as it is written, into a name and the size after it with its bar.
    private static func nameAndSize(_ alternative: String) -> (name: String, rest: String) {
        guard let size = ImageSize(in: alternative) else { return (alternative, "") }
        let name = size.alternative.hasSuffix("\\") ? String(size.alternative.dropLast()) : size.alternative
        return (name, String(alternative.dropFirst(name.count)))
    }

    /// Returns the name and heading for a link to an exported note.
    private func noteName(at address: String) -> String? {
        guard let target = TakeNoteURL(address), target.kind == .note, let name = vaultNames[NoteID(target.uuid)]
        else { return nil }
        let anchor = String(target.rest).removingPercentEncoding ?? String(target.rest)
        return anchor.contains { "[]|\n".contains($0) } ? nil : name + anchor
    }

    /// Writes the settings that tell Obsidian the attachments' folder, unless the vault has settings of its own.
    func writeVaultSettings() throws(StoreError) {
        if folder.has([".obsidian"]), !folder.isOurs([".obsidian", "app.json"]) { return }
        let settings = """
            {
              "attachmentFolderPath": "\(options.imageFolder)",
              "alwaysUpdateLinks": true
            }

            """
        _ = try put(Array(settings.utf8), [".obsidian", "app.json"], note: nil)
    }
}

extension LinkAnchor {
    /// The form in which Obsidian writes it after a note's name.
    var written: String {
        switch self {
        case .heading(let name): "#" + name
        case .block(let name): "#^" + name
        }
    }
}
