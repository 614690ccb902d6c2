import Foundation
import Markdown

/// The names of notes in the links of an Obsidian vault.
struct VaultNames {
    private var names: [NoteID: String] = [:]
    /// The folded names of files, without folders and extension, that only one note has.
    private var single: Set<String> = []

    /// - Parameter files: the notes' files, as paths from the vault.
    init(_ files: [NoteID: [String]]) {
        var counts: [String: Int] = [:]
        for file in files.values { counts[Folding.key(Self.stem(file)), default: 0] += 1 }
        single = Set(counts.filter { $0.value == 1 }.keys)
        names = files.mapValues { file in
            let stem = Self.stem(file)
            return single.contains(Folding.key(stem)) ? stem : (file.dropLast() + [stem]).joined(separator: "/")
        }
    }

    /// The name for `[[…]]`: the file's name alone if no other note has it, otherwise its path.
    subscript(id: NoteID) -> String? { names[id] }

    private static func stem(_ file: [String]) -> String { String((file.last ?? "").dropLast(".md".count)) }

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
        for destination in Markdown.destinations(in: note.content) {
            switch destination.kind {
            case .image:
                if let address = address(destination.target, in: file) { links.replace(destination.range, address) }
            case .link:
                let name = noteName(at: destination.target)
                if let name, let whole = links.plainLink(around: destination.range) {
                    links.replace(whole.range, links.wikilink(to: name, shown: whole.label, at: whole.range))
                } else if let address = address(destination.target, in: file) {
                    links.replace(destination.range, address)
                }
            case .wikilink, .embed:
                guard let link = wikilink(destination, of: note) else { continue }
                links.replace(
                    destination.range,
                    (destination.kind == .embed ? "!" : "")
                        + links.wikilink(to: link.name, shown: link.label, at: destination.range))
            }
        }
        let name = String((file.last ?? "").dropLast(options.ending.count))
        let properties =
            options.frontMatter ? NoteProperties(of: note.row) : NoteProperties(of: note.row, inVaultAs: name)
        return properties.added(to: links.text)
    }

    /// Returns the name and heading for a link to an exported note.
    private func noteName(at address: String) -> String? {
        guard let target = TakeNoteURL(address), target.kind == .note, let name = vaultNames[NoteID(target.uuid)]
        else { return nil }
        let anchor = String(target.rest).removingPercentEncoding ?? String(target.rest)
        return anchor.contains { "[]|\n".contains($0) } ? nil : name + anchor
    }

    /// Returns the replacement for a link by title; `nil` if Obsidian finds the same note as it is written, or if no
    /// exported note matches.
    private func wikilink(_ link: WrittenDestination, of note: Note) -> (name: String, label: String)? {
        guard let found = attempt({ try notebook.links.target(of: link.target, from: note.id) }) ?? nil,
            let name = vaultNames[found.note.id]
        else { return nil }
        let anchor = found.anchor?.written ?? ""
        // A link to a heading of the same note has no name.
        if found.note.id == note.id, link.target.hasPrefix("#") { return nil }
        if Folding.key(link.target) == Folding.key(name + anchor) { return nil }
        return (name + anchor, link.kind == .embed ? "" : link.label)
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
