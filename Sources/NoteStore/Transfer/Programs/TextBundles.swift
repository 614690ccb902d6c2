import Foundation
import Markdown
import SystemPackage

/// Notes as textbundles: Bear exports many in a `.bear2bk`, other editors one at a time.
struct TextBundles: Translation {
    private struct Info: Decodable {
        var bear: Bear?
        enum CodingKeys: String, CodingKey { case bear = "net.shinyfrog.bear" }
    }

    private struct Bear: Decodable {
        var uniqueIdentifier, creationDate, modificationDate, title: String?
        var trashed, archived, pinned, encrypted: Int?
    }

    let notes: [(name: String, folders: [String])]
    private let files: ExportFiles
    /// The folders that are bundles.
    private let bundles: Set<[String]>

    private static func isText(_ name: String) -> Bool {
        let last = ExportFiles.last(name).lowercased()
        guard last == "text.md" || last == "text.markdown" || last == "text.txt" else { return false }
        return true
    }

    static func recognizes(_ files: ExportFiles) -> Bool {
        files.names.contains { isText($0) && files.has(info($0)) }
    }

    private static func info(_ name: String) -> String {
        (ExportFiles.folders(name) + ["info.json"]).joined(separator: "/")
    }

    init(_ files: ExportFiles) {
        self.files = files
        let folder = files.path.stem.map { $0.isEmpty ? "Bear" : $0 } ?? "Bear"
        let isOne = files.names.filter(Self.isText).count == 1
        let texts = files.names.filter { Self.isText($0) && files.has(Self.info($0)) }
        notes = texts.map { ($0, isOne ? [] : [folder]) }
        bundles = Set(texts.map(ExportFiles.folders))
    }

    /// Files beside the bundles are for people; those in a bundle are part of its note.
    func isForPeople(_ name: String) -> Bool {
        let folders = ExportFiles.folders(name)
        return !(0...folders.count).contains { bundles.contains(Array(folders.prefix($0))) }
    }

    func note(_ name: String) throws(ImportFailure) -> TranslatedNote {
        let (text, modified) = try files.text(name)
        let bytes = try files.read(Self.info(name), limit: 1_000_000).bytes
        let json = ProgramJSON(Data(bytes))
        let bear = (try? json.decode(Info.self))?.bear  // other editors write less
        if bear?.trashed == 1 { throw ImportFailure(.inItsTrash) }
        // The text is in another file of the bundle, encrypted so that only Bear can read it.
        if bear?.encrypted == 1, text.isEmpty { throw ImportFailure(.locked) }
        var note = TranslatedNote(text: bear == nil ? text : BearTags.translated(Self.linked(text)))
        if text.isEmpty, let title = bear?.title, !title.isEmpty { note.title = title }
        note.id = bear?.uniqueIdentifier.flatMap { NoteID($0) } ?? NoteID(derivedFrom: name + "\n" + text)
        note.tags = NoteFrontMatter(of: text)?.tags ?? []
        if bear?.archived == 1 { note.tags.append("archived") }
        note.starred = bear?.pinned == 1
        note.created = bear?.creationDate.flatMap(ImportFile.date) ?? modified
        note.updated = bear?.modificationDate.flatMap(ImportFile.date) ?? modified
        return json.mend(note)
    }

    /// Returns the text with Bear's links to headings, `[[Title/Heading]]`, as links of the notebook.
    ///
    /// In a title Bear writes the slash as `\/`.
    private static func linked(_ text: String) -> String {
        LinkRewriter.rewritten(text) { link in
            guard link.kind == .wikilink, link.property == nil, link.target.contains("/") else { return nil }
            // U+0000 stands for the slashes of the title meanwhile.
            let parts = link.target.replacing("\\/", with: "\0").split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts.joined(separator: "#").replacing("\0", with: "/")
            return "[[\(target)\(link.label == link.target ? "" : "|" + link.label)]]"
        }
    }
}
