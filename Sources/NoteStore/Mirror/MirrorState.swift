import Foundation
import GRDB

/// What a note and its file had in common last.
struct MirrorBase: Codable, Equatable {
    /// From the mirrored folder.
    var path: String
    /// The git name of the file's bytes.
    var hash: String
    var text: String
    /// The note's text, where links make it differ from the file's.
    var note: String?
    /// The git name of the bytes that the program would have written, where somebody wrote the same otherwise.
    var rendered: String?
    var title: String
    /// The folder that the notebook's folder is called by in the mirrored one.
    var place: String
    var revision: Int64

    var noteText: String { note ?? text }
    var renderedHash: String { rendered ?? hash }
}

/// What a mirrored folder and a notebook had in common last.
///
/// It stands in the notebook's settings, a value for each note, so that a backup that is put in the notebook's place
/// brings its own along: what the folder has since then counts as new there and is not taken back.
final class MirrorState {
    private let notebook: Notebook
    /// What the keys of this folder's values begin with.
    private let prefix: String
    private(set) var notes: [NoteID: MirrorBase] = [:]
    /// The paths of pictures and files, by identity.
    var attachments: [UUID: String] = [:]
    /// The paths of all notes when the last round ended; empty after one that did not end.
    private(set) var names = ""
    /// What has been changed and is not written yet.
    private var changed: Set<NoteID> = []
    private var storedAttachments: [UUID: String] = [:]

    /// How many values are written in one transaction; a kill before it costs no more than looking again.
    private static let batch = 100

    /// - Parameter path: the folder's, from the root and without links.
    init(_ notebook: Notebook, path: String) throws(StoreError) {
        self.notebook = notebook
        prefix = "mirror/\(GitObject.name(ofBlob: Array(path.utf8)))/"
        let rows = try notebook.read { [prefix] db in
            try Row.fetchAll(
                db, sql: "SELECT key, value FROM setting WHERE key >= ? AND key < ?",
                arguments: [prefix, prefix.dropLast() + "0"]
            ).map { ($0[0] as String?, $0[1] as String?) }
        }
        for case (let key?, let value?) in rows {
            let name = key.dropFirst(prefix.count)
            let data = Data(value.utf8)
            // A value that cannot be read counts as none: equal texts are found again, and others are kept.
            if name == "names" {
                names = value
            } else if name == "attachments" {
                attachments = (try? JSONDecoder().decode([UUID: String].self, from: data)) ?? [:]
            } else if let id = NoteID(String(name)) {
                notes[id] = try? JSONDecoder().decode(MirrorBase.self, from: data)
            }
        }
        storedAttachments = attachments
    }

    /// Forgets what all notes and their files had in common.
    func forgetNotes() throws(StoreError) {
        for id in notes.keys { try set(id, nil) }
    }

    /// Removes all that stands in the notebook about this folder.
    func forgetAll() throws(StoreError) {
        try notebook.write { [prefix] transaction in
            try transaction.run(
                "DELETE FROM setting WHERE key >= ? AND key < ?", [prefix, String(prefix.dropLast() + "0")])
        }
        (notes, attachments, storedAttachments, changed) = ([:], [:], [:], [])
    }

    /// The same for a dry round, after which all is known again.
    func forgetInMemory() { notes = [:] }

    /// Records what a note and its file have in common; nil: nothing any more.
    func set(_ id: NoteID, _ base: MirrorBase?) throws(StoreError) {
        guard notes[id] != base || base.map({ !$0.hasSameBytes(as: notes[id]) }) ?? false else { return }
        notes[id] = base
        changed.insert(id)
        if changed.count >= Self.batch { try flush() }
    }

    /// Writes what was recorded.
    func flush() throws(StoreError) {
        if changed.isEmpty, attachments == storedAttachments { return }
        var values: [(String, String?)] = []
        for id in changed { values.append((id.description, try notes[id].map(Self.json))) }
        if attachments != storedAttachments { values.append(("attachments", try Self.json(attachments))) }
        values.append(("names", nil))
        try write(values)
        (changed, storedAttachments) = ([], attachments)
    }

    /// Records that a round came to its end.
    func finish(names: String) throws(StoreError) {
        try flush()
        if names != self.names { try write([("names", names)]) }
        self.names = names
    }

    private func write(_ values: [(String, String?)]) throws(StoreError) {
        try notebook.write { [prefix] transaction in
            for (key, value) in values {
                if let value {
                    try transaction.run(
                        "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [prefix + key, value])
                } else {
                    try transaction.run("DELETE FROM setting WHERE key = ?", [prefix + key])
                }
            }
        }
    }

    private static func json(_ value: some Encodable) throws(StoreError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        } catch {
            throw .interrupted  // a value of texts and numbers always has a form
        }
    }
}

extension MirrorBase {
    fileprivate func hasSameBytes(as other: MirrorBase?) -> Bool {
        guard let other else { return false }
        return hash == other.hash && noteText.hasSameBytes(as: other.noteText) && path.hasSameBytes(as: other.path)
            && title.hasSameBytes(as: other.title) && place.hasSameBytes(as: other.place)
    }
}
