import Foundation
import GRDB
import Markdown
import SystemPackage

extension ImportRun {
    /// Turns links between files into note links, and stores local images in the notebook.
    ///
    /// An import that was stopped leaves the links as they are; the next one of the same files makes them.
    func connect() throws(StoreError) {
        beginLinking()
        for start in stride(from: 0, to: linking.count, by: Self.connectingBatch) where !result.wasCancelled {
            notebook.yieldToWriters()
            var left = linking[start..<min(start + Self.connectingBatch, linking.count)]
            // A note in which the user types all the time keeps its links as written.
            for attempt in 0..<Self.connectingTries where !left.isEmpty {
                let rewritten = try rewritten(left, of: attempt == 0 ? start : start + Self.connectingBatch)
                if rewritten.isEmpty { break }
                let waiting = waiting
                let changed = try notebook.write { transaction in
                    try store(waiting, transaction)
                    return try rewritten.filter { rewritten in
                        guard try transaction.replaceText(rewritten.text, ofUnchanged: rewritten.note) else {
                            return true
                        }
                        let hash = Note.contentHash(of: rewritten.text)
                        try transaction.rememberImported(hash, insteadOf: "", rewritten.note.id)
                        return false
                    }
                }
                self.waiting = Waiting()
                let paths = Set(changed.map(\.file.path))
                left = left.filter { paths.contains($0.file.path) }[...]
            }
        }
        try storeWaiting()
    }

    /// The number of notes whose links are rewritten in one transaction; the lock is free between transactions.
    private static let connectingBatch = 200

    /// The number of attempts for a note that changes meanwhile.
    private static let connectingTries = 3

    /// Returns the notes of these files whose texts change, with the new texts; those before a stop.
    ///
    /// - Parameter done: the number of notes that are done already.
    private func rewritten(
        _ batch: ArraySlice<(file: ImportPlan.File, hasFileLinks: Bool)>, of done: Int
    ) throws(StoreError) -> [(file: ImportPlan.File, note: Note, text: String)] {
        let candidates = try notebook.read { db in
            try batch.filter { try $0.hasFileLinks || leadsElsewhere(db, $0.file) }
        }
        var rewritten: [(file: ImportPlan.File, note: Note, text: String)] = []
        for (index, (file, _)) in candidates.enumerated() {
            guard tellLinking(min(done + index, linking.count)) else { break }
            guard let id = notes.note(of: file)?.id, let note = try notebook.notes.load(id) else { continue }
            let text = try LinkRewriter.rewritten(note.content) { destination throws(StoreError) in
                try replacement(for: destination, of: note, in: file)
            }
            if text != note.content { rewritten.append((file, note, text)) }
        }
        return rewritten
    }

    /// Whether a link by title must be rewritten.
    ///
    /// That is so if it shows a file, or if it contains the name of a note's file and leads to another note, or to
    /// none.
    private func leadsElsewhere(_ db: Database, _ file: ImportPlan.File) throws -> Bool {
        let links = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT DISTINCT target, destination FROM note_link WHERE source = ? AND kind = 'title'"),
            arguments: [notes.note(of: file)?.key])
        while let link = try links.next() {
            // Another program may have written anything into the notebook.
            guard let target = link[0] as String? else { continue }
            let mayNameFile = target.contains(byte: UInt8(ascii: "."))
            if mayNameFile, !Self.paths(before: target).allSatisfy(Self.isNote) { return true }
            let destination = link[1] as Int64?
            if let wanted = notes.note(named: target, in: file), destination != wanted.made.key { return true }
        }
        return false
    }

    func replacement(
        for destination: WrittenDestination, of note: Note, in file: ImportPlan.File
    ) throws(StoreError) -> String? {
        let target = destination.target
        switch destination.kind {
        case .wikilink, .embed:
            let path = filePath(in: target, of: file)
            if destination.property != nil { return try property(destination, of: note, in: file) }
            // `[[C#/paper.pdf]]` means a file in a folder `C#`, if there is one, and else a heading of a note `C`.
            if let path, path.contains("#"), let found = try attachment(at: path, in: file, isNeeded: false) {
                return Self.link(to: found, at: path, for: destination)
            }
            if let wanted = try wikilink(destination, of: note, in: file) { return wanted }
            guard let path, let found = try attachment(at: path, of: note, in: file, for: destination) else {
                return nil
            }
            return Self.link(to: found, at: path, for: destination)
        case .link:
            guard !Self.isElsewhere(target) else { return nil }
            // Only an export writes addresses of notes into front matter.
            if destination.property != nil, file.exported == nil {
                return try attachment(at: target, in: file, isNeeded: false).map { $0.address(writtenAs: target) }
            }
            if target.hasPrefix("[["), target.hasSuffix("]]") { return try page(named: target, from: note, in: file) }
            return try address(meantBy: target, in: file)
        case .image:
            guard !Self.isElsewhere(target), let found = try attachment(at: target, in: file) else { return nil }
            return found.isPicture ? found.url : found.address(writtenAs: target)
        }
    }

    /// Returns the link to a file that stands for `[[path]]` or `![[path]]` in front matter, where those to notes stay.
    private func property(
        _ destination: WrittenDestination, of note: Note, in file: ImportPlan.File
    ) throws(StoreError) -> String? {
        guard let path = filePath(in: destination.target, of: file),
            let found = try attachment(at: path, of: note, in: file, for: destination)
        else { return nil }
        return Self.value(Self.link(to: found, at: path, for: destination), at: destination)
    }

    /// Returns a link as it can stand in place of another one in YAML; `nil` if it cannot.
    static func value(_ link: String, at destination: WrittenDestination) -> String? {
        if link.contains(where: { $0 == "\"" || $0 == "\\" }) { return nil }
        return destination.property == .unquoted ? "\"\(link)\"" : link
    }

    /// Returns the file that `[[path]]` or `![[path]]` shows, unless a note is meant.
    private func attachment(
        at path: String, of note: Note, in file: ImportPlan.File, for destination: WrittenDestination
    ) throws(StoreError) -> Attachment? {
        if destination.kind == .embed {
            // `![[Plan#Goal 1/2.5]]` means a heading, and not a missing file.
            return try attachment(at: path, in: file, isNeeded: notes.note(named: destination.target, in: file) == nil)
        }
        if try notebook.links.note(titled: destination.target, from: note.id) != nil { return nil }
        return try attachment(at: path, in: file, isNeeded: false)
    }

    /// Returns the link to a file, or the embed of it, that stands for `[[path]]` or `![[path]]`.
    private static func link(to found: Attachment, at path: String, for destination: WrittenDestination) -> String {
        let address = found.url + fragment(of: String(destination.target.dropFirst(path.count)))
        if destination.kind == .wikilink { return "[\(escaped(destination.label))](\(address))" }
        return found.isPicture
            ? "![\(alternative(for: found.name, destination))](\(found.url))" : "![\(escaped(found.name))](\(address))"
    }

    /// Returns the address of the note or attachment that a link to a file means, or `nil` if there is none.
    private func address(meantBy target: String, in file: ImportPlan.File) throws(StoreError) -> String? {
        // Names of files and folders may contain a `#`, so the longest path comes first.
        if target.contains("#"), let note = notes.note(at: target, in: file) { return note.id.url }
        let paths = Self.paths(before: target)
        for path in paths.reversed() {
            if let note = try noteMeant(by: path, in: file) { return note.id.url + target.dropFirst(path.count) }
        }
        // An export, also another program's, may contain texts that are attachments rather than notes.
        let isText = paths.contains { ImportPlan.textExtensions.contains(FilePath($0).lowercasedExtension) }
        guard !isText || format.storesTexts || file.exported?.isOfPart == false else { return nil }
        return try attachment(at: target, in: file, isNeeded: false).map { $0.address(writtenAs: target) }
    }

    /// Returns the address of the note that `[label]([[Page]])` means, as Logseq writes links with labels.
    private func page(
        named target: String, from note: Note, in file: ImportPlan.File
    ) throws(StoreError) -> String? {
        if file.exported?.hasLinksOfNote == true { return nil }
        let name = String(target.dropFirst(2).dropLast(2))
        if let named = notes.note(named: name, in: file) {
            return named.made.id.url + (named.anchor.hasPrefix("#") ? named.anchor : "")
        }
        return try notebook.links.note(titled: name, from: note.id)?.id.url
    }

    /// Returns the note of the file that the address of a link means: the one at this place or, as in Obsidian, the one
    /// of this name anywhere in the folder.
    private func noteMeant(by path: String, in file: ImportPlan.File) throws(StoreError) -> ImportedNotes.Made? {
        let decoded = path.removingPercentEncoding ?? path
        // An export has written the whole address of each note.
        let isWhole = file.exported?.hasLinksOfNote == true
        for address in [path, decoded] {
            if let note = notes.note(at: address, in: file, isWhole: isWhole) { return note }
        }
        if isWhole { return nil }
        guard Self.isNote(decoded), let named = notes.note(wholly: decoded, in: file) else { return nil }
        // A file without an extension, such as `LICENSE`, lies at its own place.
        guard case .none = format.size(at: file.location.parent.pushing(FilePath(decoded))) else {
            return nil
        }
        return named
    }

    /// Returns the part of an address that names a place in the file, `#page=3`, as an address in Markdown; empty for
    /// none.
    static func fragment(of target: String) -> String {
        guard let mark = target.firstIndex(of: "#") else { return "" }
        let fragment = target[target.index(after: mark)...]
        let written = fragment.removingPercentEncoding ?? String(fragment)
        let address = written.addingPercentEncoding(withAllowedCharacters: fragmentCharacters)
        return address.map { $0.isEmpty ? "" : "#" + $0 } ?? ""
    }

    private static let fragmentCharacters = CharacterSet.urlFragmentAllowed.subtracting(
        CharacterSet(charactersIn: "()'"))

    /// Whether an address leads out of the folder, or to a heading of the text itself.
    static func isElsewhere(_ address: String) -> Bool {
        address.contains("://") || address.hasPrefix("#") || address.isEmpty
            || ["data:", "mailto:", "tel:"].contains { address.lowercased().hasPrefix($0) }
    }

    /// Returns what may be the path in a target: what comes before the first `#`, and what comes before the first one
    /// after the last `/`, since names of folders may contain a `#`.
    static func paths(before target: String) -> [String] {
        let end = target.firstIndex(of: "#") ?? target.endIndex
        guard let slash = target[end...].lastIndex(of: "/") else { return [String(target[..<end])] }
        return [String(target[..<end]), String(target[..<slash] + target[slash...].prefix { $0 != "#" })]
    }

    /// Returns the path in `[[target]]` that means a file other than a note; `nil` if none does.
    ///
    /// The name of a note's file means the note, such as `![[drawing.excalidraw]]` for a file `drawing.excalidraw.md`.
    private func filePath(in target: String, of file: ImportPlan.File) -> String? {
        guard let path = Self.paths(before: target).first(where: { !Self.isNote($0) }) else { return nil }
        let note = path.contains("#") ? notes.note(wholly: path, in: file) : notes.note(named: target, in: file)?.made
        return note == nil ? path : nil
    }

    /// Whether a path has the extension of a note, or none.
    private static func isNote(_ path: String) -> Bool {
        let fileExtension = FilePath(path).lowercasedExtension
        return fileExtension.isEmpty || ImportPlan.textExtensions.contains(fileExtension)
    }

    /// Returns the replacement for a link by a file's name, if that name is not the note's title.
    private func wikilink(
        _ link: WrittenDestination, of note: Note, in file: ImportPlan.File
    ) throws(StoreError) -> String? {
        // An export of this program contains links as they are in the notebook, unless it is a vault.
        if let exported = file.exported, !exported.namesFiles {
            if exported.isUnchanged { return nil }
            if try notebook.links.note(titled: link.target, from: note.id) != nil { return nil }
        }
        guard let (wanted, name, anchor) = notes.note(named: link.target, in: file),
            // A link that finds its note by the title stays as it is.
            try notebook.links.note(titled: name, from: note.id)?.id != wanted.id,
            let title = try notebook.notes.row(wanted.id)?.title
        else { return nil }
        let isPlain = !title.contains { "[]|".contains($0) }
        let written = title + anchor
        let isShared = link.kind == .embed ? try hasTwin(title) : false
        if link.kind == .embed, isShared || !isPlain {
            // The file's name is one that other notes may not have.
            try rememberName(name, of: wanted)
            if try notebook.links.note(titled: name, from: note.id)?.id == wanted.id { return nil }
            let path = try path(of: wanted, titled: title) + anchor
            if !path.contains(where: { "[]|".contains($0) }),
                try notebook.links.note(titled: path, from: note.id)?.id == wanted.id
            {
                return "![[\(path)]]"
            }
            result.problems.append(ImportProblem(path: file.path, reason: .ambiguousEmbed(name: name)))
            return nil
        }
        if link.kind == .embed || !anchor.isEmpty || link.label == title, isPlain,
            try notebook.links.note(titled: written, from: note.id)?.id == wanted.id
        {
            let bar = link.isInTable ? "\\|" : "|"
            let label = link.label == written || link.kind == .embed ? "" : bar + link.label
            return (link.kind == .embed ? "![[" : "[[") + written + label + "]]"
        }
        if link.kind == .embed { return nil }
        return wanted.id.link(showing: link.label, anchor: anchor)
    }

    /// Whether several notes outside Trash have a title.
    private func hasTwin(_ title: String) throws(StoreError) -> Bool {
        try notebook.read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT count(*) FROM (SELECT 1 FROM note WHERE titleKey = ? AND place <> 2 LIMIT 2)"),
                arguments: [Folding.key(title)]) ?? 0 > 1
        }
    }

    /// Makes the name of a note's file a former title of the note, so that embeds find it by this name.
    private func rememberName(_ name: String, of made: ImportedNotes.Made) throws(StoreError) {
        let title = FilePath(name).lastComponent.map { component in
            ImportPlan.textExtensions.contains(FilePath(component.string).lowercasedExtension)
                ? component.stem : component.string
        }
        try notebook.write { transaction in try transaction.remember(title ?? name, asFormerTitleOf: made.key) }
    }

    /// Returns the names of the folders around a note and its title, as a link names them.
    private func path(of made: ImportedNotes.Made, titled title: String) throws(StoreError) -> String {
        try notebook.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    WITH RECURSIVE above(name, parent, depth) AS (
                        SELECT name, parent, 0 FROM container WHERE id = (SELECT folder FROM note WHERE id = ?)
                        UNION ALL SELECT container.name, container.parent, depth + 1
                            FROM container JOIN above ON container.id = above.parent WHERE depth < 1000)
                    SELECT name FROM above ORDER BY depth DESC
                    """)
            return (try String.fetchAll(statement, arguments: [made.key]) + [title]).joined(separator: "/")
        }
    }

    /// Returns the alternative text for an embedded picture: its name or what the embed says, and its size.
    ///
    ///     ![[p.png|100]]          p.png|100
    ///     ![[p.png|A dot|100]]    A dot|100
    private static func alternative(for name: String, _ embed: WrittenDestination) -> String {
        let label = embed.label
        // An embed without a bar has its own target as its label.
        if label.isEmpty || label == embed.target { return escaped(name) }
        let text = ImageSize.isSize(label) ? "\(name)|\(label)" : label
        // A bar separates the cells of a table, even in an alternative text.
        return escaped(embed.isInTable ? text.replacing("\\|", with: "|").replacing("|", with: "\\|") : text)
    }

    /// Returns a text escaped for the label of a link.
    static func escaped(_ label: String) -> String {
        label.replacing("[", with: "\\[").replacing("]", with: "\\]")
    }
}

extension Transaction {
    /// Writes a note's text unless the note was changed or deleted since it was read.
    ///
    /// It keeps the note's date, which was the file's.
    ///
    /// - Returns: false for a note that was changed, whose text stays.
    fileprivate func replaceText(_ text: String, ofUnchanged note: Note) throws -> Bool {
        guard try exists(note.id) else { return true }
        _ = try refreshIfChangedOutside(note.row.key)
        let head = try head(note.id)
        guard head.revision == note.row.revision else { return false }
        try replaceText(text, of: head)
        try run("UPDATE note SET updatedDate = ? WHERE id = ?", [note.row.updatedDate.milliseconds, head.key])
        if !note.row.titleIsDerived {
            // The title that the text would give has changed with its links.
            let title = Self.ended(TextFacts.derivedTitle(of: text), by: head.title)
            try run("UPDATE note SET defaultTitle = ? WHERE id = ?", [title, head.key])
        }
        return true
    }
}
