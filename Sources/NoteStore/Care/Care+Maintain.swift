import Foundation
import GRDB

/// The results of a maintenance run.
public struct MaintenanceReport: Equatable, Sendable {
    /// The number of notes that another tool had changed; they are now indexed and linked again.
    public var refreshedNotes = 0
    /// Whether the search index was damaged and has been rebuilt.
    public var indexWasDamaged = false
    /// Duplicate system containers, each with the one into which it was merged.
    public var folded: [ContainerID: ContainerID] = [:]
    /// The number of notes that had no folder; they are now in `recoveryFolder`.
    public var recoveredNotes = 0
    public var recoveryFolder: NoteContainer?

    public var isEmpty: Bool { self == MaintenanceReport() }
}

extension Notebook.Care {
    /// Repairs what other programs may leave: marks for the index, duplicate system containers, notes without a folder.
    ///
    /// Call it at start and after changes by another program. With nothing to do it costs a few look-ups.
    ///
    /// - Parameter unfinished: whether to index also the notes that a program has saved while the user types; that
    ///   program indexes them itself in the next pause, unless it has died.
    @discardableResult
    public func maintain(unfinished: Bool = true) throws(StoreError) -> MaintenanceReport {
        let isNeeded = try notebook.read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM search_mark WHERE ? OR typeof(text) <> 'blob')
                            OR EXISTS (SELECT 1 FROM container WHERE id > 6 AND kind IN
                                ('inbox', 'starred', 'allNotes', 'trash', 'archive', 'buffer'))
                            OR EXISTS (SELECT 1 FROM note WHERE folder IS NULL)
                            OR EXISTS (SELECT 1 FROM setting WHERE key IN ('indexIsDamaged', 'linksAreOld'))
                            OR EXISTS (SELECT 1 FROM link_mark)
                        """), arguments: [unfinished]) ?? false
        }
        guard isNeeded else { return MaintenanceReport() }
        return try notebook.write { transaction in
            var report = MaintenanceReport()
            report.folded = try transaction.foldDuplicates()
            try transaction.recoverOrphans(&report)
            report.refreshedNotes = try transaction.refreshMarkedNotes(unfinished: unfinished)
            report.indexWasDamaged = try transaction.rebuildDamagedIndex()
            try transaction.reindexLinks()
            return report
        }
    }
}

extension Transaction {
    // MARK: - Duplicate system containers

    /// Merges duplicate system containers into those with the fixed identities.
    ///
    /// Since the identities are fixed, several programs that do this at once agree.
    func foldDuplicates() throws -> [ContainerID: ContainerID] {
        var folded: [ContainerID: ContainerID] = [:]
        for (key, id, kind, _, _) in Schema.systemContainers {
            for row in try rows("SELECT id, uuid FROM container WHERE kind = ? AND id > 6", [kind.rawValue]) {
                try fold(row[0], into: key)
                folded[ContainerID(stored: row[1])] = id
            }
        }
        if !folded.isEmpty {
            try run("UPDATE container SET colorRGBA = ? WHERE id <= 6", [Int64(NoteContainer.defaultColor)])
            change.containers = true
            change.notes = nil
        }
        return folded
    }

    private func fold(_ duplicate: Int64, into key: Int64) throws {
        let target = try containerHead(key: key)
        for row in try rows("SELECT uuid FROM note WHERE folder = ?", [duplicate]) {
            let head = try head(NoteID(stored: row[0]))
            try move(head, to: target.holdsNotes ? target : containerHead(key: SystemKey.inbox), touching: false)
        }
        for row in try rows("SELECT id FROM container WHERE parent = ?", [duplicate]) {
            let child = try containerHead(key: row[0])
            let parent = key == SystemKey.trash ? key : nil
            let name = try freeName(child.name, kind: child.kind, parent: parent, except: child.key)
            try setParent(child, parent, name: name)
        }
        try run("UPDATE note SET origin = ? WHERE origin = ?", [key, duplicate])
        try run("UPDATE container SET origin = NULL WHERE origin = ?", [duplicate])
        try run("DELETE FROM container WHERE id = ?", [duplicate])
    }

    // MARK: - Notes without a folder

    /// The colour of a recovery folder.
    private static let recoveryColor: UInt32 = 0xFF3B_30FF

    /// Puts notes without a folder into a recovery folder.
    ///
    /// - Parameter withMisplaced: whether also those whose container cannot hold notes.
    func recoverOrphans(_ report: inout MaintenanceReport, withMisplaced: Bool = false) throws {
        let misplaced = withMisplaced ? "UNION SELECT note.uuid \(Notebook.Care.misplacedNotes)" : ""
        let orphans = try rows(
            """
            SELECT uuid FROM note WHERE folder IS NULL
                OR NOT EXISTS (SELECT 1 FROM container WHERE container.id = note.folder) \(misplaced)
            """
        ).map { NoteID(stored: $0[0]) }
        if orphans.isEmpty { return }
        // The name has a date, as in the app.
        let day = Date(milliseconds: now).formatted(.iso8601.year().month().day())
        let name = try freeName(Texts.recoveryFolder(day), kind: .folder, parent: nil, except: nil)
        let folder = try insertContainer(.folder, name: name, parent: nil)
        try run("UPDATE container SET colorRGBA = ? WHERE id = ?", [Int64(Self.recoveryColor), folder.key])
        for id in orphans {
            try move(head(id), to: folder, touching: false)
            try forgetOrigin(head(id).key)
        }
        report.recoveredNotes = orphans.count
        report.recoveryFolder = try container(key: folder.key)
    }

    // MARK: - Marks

    /// Derives the values again that depend on marked texts and titles.
    ///
    /// - Returns: how many of the notes another tool had changed.
    func refreshMarkedNotes(unfinished: Bool) throws -> Int {
        let marks = try rows(
            "SELECT note, typeof(text) = 'blob' FROM search_mark WHERE ? OR typeof(text) <> 'blob'", [unfinished])
        for mark in marks { try refreshMarked(mark[0], isOurs: mark[1]) }
        if !marks.isEmpty { change.notes = nil }
        return marks.count { !($0[1] as Bool) }
    }

    /// Derives a note's values again if another tool has changed its text or title.
    ///
    /// - Returns: whether another tool has.
    func refreshIfChangedOutside(_ key: Int64) throws -> Bool {
        let mark = try row("SELECT 1 FROM search_mark WHERE note = ? AND typeof(text) <> 'blob'", [key])
        if mark == nil { return false }
        try refreshMarked(key, isOurs: false)
        return true
    }

    private func refreshMarked(_ key: Int64, isOurs: Bool) throws {
        if let words = try indexedWords(of: key) { try unindex(key, words) }
        if !isOurs, let replaced = try Notebook.Notes.text(db, "SELECT text FROM search_mark WHERE note = ?", [key]) {
            try keepReplaced(replaced, of: key)
        }
        try refresh(key)
        try run("DELETE FROM search_mark WHERE note = ?", [key])
    }

    func rebuildDamagedIndex() throws -> Bool {
        guard try value("SELECT 1 FROM setting WHERE key = 'indexIsDamaged'") ?? false else { return false }
        try rebuildIndex()
        return true
    }

    /// Keeps a text that another tool has replaced as a version.
    private func keepReplaced(_ text: String, of key: Int64) throws {
        guard let row = try row("\(NoteHead.selection) WHERE id = ?", [key]),
            try Notebook.Notes.text(db, key: key) != text
        else { return }
        try keepVersion(of: NoteHead(row), text: text, .outside)
        // A program that has the note open must merge with the new text.
        try run("UPDATE note SET revision = revision % 9223372036854775807 + 1 WHERE id = ?", [key])
    }

    /// Derives all values of one note from its text and title again, and indexes it.
    ///
    /// The caller removes it from the index before.
    func refresh(_ key: Int64) throws {
        guard let row = try row("\(NoteHead.selection) WHERE id = ?", [key]) else { return }
        let head = NoteHead(row)
        let text = try Notebook.Notes.text(db, key: key) ?? ""
        let isDerived = head.title == head.defaultTitle
        let facts = TextFacts(of: text, title: isDerived ? nil : head.title)
        let summary = facts.summary
        let folder = try head.folder.map { try containerHead(key: $0) }
        let wanted = isDerived ? summary.derivedTitle : head.title
        let title = try folder.map { try freeTitle(wanted, in: $0, except: key) } ?? wanted
        try run(
            """
            UPDATE note SET title = ?1, titleKey = ?2, defaultTitle = ?3, preview = ?4, wordCount = ?5, size = ?6,
                features = ?7, uniqueTitle = ?8, titleStamp = titleStamp + 1 WHERE id = ?9
            """,
            [
                title, Folding.key(title), isDerived ? title : Self.ended(head.defaultTitle, by: title),
                summary.preview, summary.wordCount, summary.size, facts.features.rawValue,
                folder?.project != nil && folder?.place == .live, key,
            ])
        // A text that another tool inserted has no stamp from this program yet.
        try run("UPDATE note_text SET stamp = stamp + 1 WHERE note = ?", [key])
        try index(key, IndexedWords(title: title, text: text, unknownTo: termCache))
        try writeLinks(facts, of: key)
        try resolveLinks(to: key, id: head.id)
    }
}
