import Foundation
import GRDB

/// The common state of a note and its file after the last round.
struct MirrorBase: Codable, Equatable {
    /// The path from the mirrored folder.
    var path: String
    /// The git name of the file's bytes.
    var hash: String
    var text: String
    /// The note's text, if links make it differ from the file's.
    var note: String?
    /// The git name of the bytes that the program would write, if somebody has written the links in another form.
    var rendered: String?
    var title: String
    /// The path in the mirrored folder of the note's container.
    var folder: String
    var revision: Int64
    /// The file's inode; nil in what older versions have written.
    var inode: UInt64?
    /// The time of the file's last change; nil in what older versions have written.
    var modified: Date?

    /// The folder is stored under the name that it had when the first folders were mirrored.
    private enum CodingKeys: String, CodingKey {
        case path, hash, text, note, rendered, title, folder = "place", revision, inode, modified
    }

    var noteText: String { note ?? text }
    var renderedHash: String { rendered ?? hash }
}

/// The file of an image or attachment in a mirrored folder, as it was when it was last read or written.
struct MirroredFile: Codable, Equatable {
    /// The git name of the file's bytes.
    let hash: String
    /// The size in bytes.
    let size: Int
    let modified: Date

    init(_ bytes: [UInt8], _ file: MirrorFolder.File) {
        (hash, size, modified) = (GitObject.name(ofBlob: bytes), file.size, file.modified)
    }

    /// Whether a file has the same size and date, and so certainly the same bytes.
    func isStamped(like file: MirrorFolder.File) -> Bool { size == file.size && modified == file.modified }
}

/// The common state of a mirrored folder and a notebook after the last round.
///
/// It is stored in the notebook's settings, with a value for each note. A backup that replaces the notebook therefore
/// brings its own state: later changes in the folder then count as new, and are not undone.
final class MirrorState {
    private let notebook: Notebook
    /// The prefix of the keys of this folder's values.
    private let prefix: String
    private(set) var notes: [NoteID: MirrorBase] = [:]
    /// The paths of images and attachments, by identity.
    var attachments = AttachmentPaths()
    /// The files of images and attachments, by identity; those that older versions wrote are missing.
    var files: [UUID: MirroredFile] = [:]
    /// The files that are equal to those of images and attachments, by their paths.
    var copies: [String: MirrorCopy] = [:]
    /// The folders of the notebook that rounds have made for folders on the disk.
    var made: Set<String> = []
    /// The files of which notes were made, whose common states are not recorded yet.
    private(set) var begun: [NoteID: MirrorBase] = [:]
    /// The states of notes whose files a killed round was about to write.
    private(set) var announced: [NoteID: MirrorBase] = [:]
    /// Those of them whose files this round could not read.
    private var kept: [NoteID: MirrorBase] = [:]
    /// The paths of all notes after the last round; empty if that round did not end.
    private(set) var names = ""
    /// Called before records of files are written; the files must be on the disk when it returns.
    var beforeWriting: () -> Void = {}
    /// The changed values that are not written yet.
    private var changed: Set<NoteID> = []
    /// The notes whose values in the notebook are newer than those here.
    private var overtaken: Set<NoteID> = []
    private var storedAttachments: [UUID: String] = [:]
    private var storedFiles: [UUID: MirroredFile] = [:]
    private var storedCopies: [String: MirrorCopy] = [:]
    private var storedMade: Set<String> = []
    private var storedNames = ""

    /// The number of values that are written in one transaction; a kill before it only costs comparing again.
    private static let batch = 100

    /// - Parameter path: the path of the folder from the root, without links.
    init(_ notebook: Notebook, path: String) throws(StoreError) {
        self.notebook = notebook
        prefix = Self.prefix(of: path)
        let rows = try notebook.read { [prefix] db in
            try Row.fetchAll(
                db, sql: "SELECT key, value FROM setting WHERE key >= ? AND key < ?",
                arguments: [prefix, prefix.dropLast() + "0"]
            ).map { ($0[0] as String?, $0[1] as String?) }
        }
        for case (let key?, let value?) in rows {
            let name = key.dropFirst(prefix.count)
            let data = Data(value.utf8)
            if name == "names" {
                names = value
            } else if name == "attachments" {
                attachments = AttachmentPaths(Self.decoded(data) ?? [:])
            } else if name == "files" {
                files = Self.decoded(data) ?? [:]
            } else if name == "copies" {
                copies = Self.decoded(data) ?? [:]
            } else if name == "made" {
                made = Self.decoded(data) ?? []
            } else if name == "announced" {
                let all: [String: MirrorBase] = Self.decoded(data) ?? [:]
                for (id, base) in all { if let id = NoteID(id) { announced[id] = base } }
            } else if let id = NoteID(String(name)) {
                notes[id] = Self.decoded(data)
            } else if name.hasPrefix(Self.begunKey), let id = NoteID(String(name.dropFirst(Self.begunKey.count))) {
                begun[id] = Self.decoded(data)
            }
        }
        (storedAttachments, storedFiles, storedMade, storedNames) = (attachments.paths, files, made, names)
        storedCopies = copies
    }

    /// Returns the folder of the last round at a path; nil if that is not known.
    static func folder(at path: String, in notebook: Notebook) throws(StoreError) -> FolderIdentity? {
        try notebook.settings.value(prefix(of: path) + folderKey).flatMap(FolderIdentity.init)
    }

    /// What precedes a note's identity in the key of the file that it is made of.
    private static let begunKey = "begun/"
    /// The end of the key of the folder's identity.
    private static let folderKey = "folder"

    /// Returns the prefix of the keys of a folder's values.
    private static func prefix(of path: String) -> String { "mirror/\(GitObject.name(ofBlob: Array(path.utf8)))/" }

    /// Returns a stored value; a damaged one counts as none, since equal texts are found again and different ones kept.
    private static func decoded<Value: Decodable>(_ data: Data) -> Value? {
        try? JSONDecoder().decode(Value.self, from: data)  // see above
    }

    /// Forgets the common states of all notes and their files.
    func forgetNotes() throws(StoreError) {
        for id in notes.keys { try set(id, nil) }
        try flush()
        announced = [:]
    }

    /// Removes all that stands in the notebook about this folder.
    func forgetAll() throws(StoreError) {
        try notebook.write { [prefix] transaction in
            try transaction.run(
                "DELETE FROM setting WHERE key >= ? AND key < ?", [prefix, String(prefix.dropLast() + "0")])
        }
        (notes, attachments, storedAttachments, changed) = ([:], AttachmentPaths(), [:], [])
        (files, storedFiles, made, storedMade, announced) = ([:], [:], [], [], [:])
        (copies, storedCopies, begun) = ([:], [:], [:])
    }

    /// The same for a dry round, after which all is known again.
    func forgetInMemory() { (notes, announced) = ([:], [:]) }

    /// Records the states of notes whose files are about to be written.
    ///
    /// After a kill the next round thereby knows whose the files are, even if somebody has edited them since.
    func announce(_ bases: [NoteID: MirrorBase]) throws(StoreError) {
        try flush()
        let all = kept.merging(bases) { $1 }
        try write([("announced", try Self.json(all))])
        announced = all
    }

    /// Leaves a note's state announced for the next round.
    func keepAnnounced(_ id: NoteID) { kept[id] = announced[id] }

    /// Takes the state of a note whose file was announced for its common state.
    func takeUp(_ id: NoteID) {
        guard let base = announced[id] else { return }
        notes[id] = base
        changed.insert(id)
    }

    /// Records a common state in the transaction that saves the text of a file in its note.
    ///
    /// It counts in the next round, unless `set` replaces it when this one has written the file.
    func took(_ id: NoteID, _ base: MirrorBase, in transaction: Transaction) throws {
        try Self.write(prefix + id.description, try Self.json(base), in: transaction)
        overtaken.insert(id)
    }

    /// Records of which file a note is made, in the transaction that makes it.
    ///
    /// The links of the file are still to be translated, so this is no common state. After a kill the next round thereby
    /// knows whose the file is, even if somebody has edited it or the note since.
    func begin(_ id: NoteID, _ base: MirrorBase, in transaction: Transaction) throws {
        try Self.write(prefix + Self.begunKey + id.description, try Self.json(base), in: transaction)
        begun[id] = base
    }

    /// Records the common state of a note and its file; nil removes it.
    func set(_ id: NoteID, _ base: MirrorBase?) throws(StoreError) {
        let isOvertaken = overtaken.remove(id) != nil
        guard isOvertaken || notes[id] != base || base.map({ !$0.hasSameBytes(as: notes[id]) }) ?? false else { return }
        notes[id] = base
        changed.insert(id)
        if changed.count >= Self.batch { try flush() }
    }

    /// Writes the recorded changes.
    func flush() throws(StoreError) {
        var values: [(String, String?)] = []
        for id in changed {
            values.append((id.description, try notes[id].map(Self.json)))
            if begun.removeValue(forKey: id) != nil { values.append((Self.begunKey + id.description, nil)) }
        }
        let paths = attachments.paths
        if paths != storedAttachments { values.append(("attachments", try Self.json(paths))) }
        if files != storedFiles { values.append(("files", try Self.json(files))) }
        if copies != storedCopies { values.append(("copies", try Self.json(copies))) }
        if made != storedMade { values.append(("made", try Self.json(made.sorted()))) }
        if announced != kept { values.append(("announced", try kept.isEmpty ? nil : Self.json(kept))) }
        if values.isEmpty { return }
        values.append(("names", nil))
        try write(values)
        (changed, announced, storedAttachments, storedFiles, storedMade) = ([], kept, paths, files, made)
        (storedCopies, storedNames) = (copies, "")
    }

    /// Records which folder lies at the path.
    func setFolder(_ identity: FolderIdentity) throws(StoreError) {
        try write([(Self.folderKey, identity.description)])
    }

    /// Records that a round has ended.
    func finish(names: String) throws(StoreError) {
        files = files.filter { attachments[$0.key] != nil }
        try flush()
        if names != storedNames { try write([("names", names)]) }
        (self.names, storedNames) = (names, names)
    }

    private func write(_ values: [(String, String?)]) throws(StoreError) {
        beforeWriting()
        try notebook.write { [prefix] transaction in
            for (key, value) in values { try Self.write(prefix + key, value, in: transaction) }
        }
    }

    private static func write(_ key: String, _ value: String?, in transaction: Transaction) throws {
        if let value {
            try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, value])
        } else {
            try transaction.run("DELETE FROM setting WHERE key = ?", [key])
        }
    }

    /// Returns the value of announced states.
    private static func json(_ bases: [NoteID: MirrorBase]) throws(StoreError) -> String {
        try json(Dictionary(uniqueKeysWithValues: bases.map { ($0.key.description, $0.value) }))
    }

    private static func json(_ value: some Encodable) throws(StoreError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        } catch {
            throw .interrupted  // a value of texts and numbers can always be encoded
        }
    }
}

extension MirrorBase {
    fileprivate func hasSameBytes(as other: MirrorBase?) -> Bool {
        guard let other else { return false }
        return hash == other.hash && noteText.hasSameBytes(as: other.noteText) && path.hasSameBytes(as: other.path)
            && title.hasSameBytes(as: other.title) && folder.hasSameBytes(as: other.folder)
    }
}
