import GRDB

/// Finds the notes that links by title refer to; caches the results, so that one finder serves many links.
///
/// Notes in Trash come last. Among the others a title comes before an alias, and an alias before a former title. Among
/// those of equal rank a note outside Archive comes first, then a note in the source's folder, then the newest by date
/// of creation. Of notes of the same moment the one that came last into the notebook is chosen, or the one with the
/// greatest UUID if the notebook is synchronised, so that all machines agree. A note links to itself only if nothing
/// else of its rank has the title.
///
/// A path that a note had, which is kept as a former title, comes after the notes that are at this path now.
final class LinkFinder {
    /// What the order of the notes with a title depends on.
    private struct Question: Hashable {
        let folder: Int64?
        /// Whether all notes with the title are needed, because a path chooses among them.
        let isWhole: Bool
    }

    private struct Candidate {
        let note: Int64
        /// Decides between notes of the same moment; if it is equal too, their keys decide.
        let order: String
        let folder: Int64?
        /// Equal for two candidates that agree in Trash and in title, alias or former title.
        var rank: Int
        let isArchived: Bool
        let created: Int64

        var isByTitle: Bool { rank % 3 == 0 }
        var isByFormerTitle: Bool { rank % 3 == 2 }
        var isInTrash: Bool { rank >= 3 }
        mutating func makeByTitle() { rank -= rank % 3 }
    }

    private let db: Database
    /// The folded titles that some notes are taken to have instead of their own; `nil` for none.
    private let supposed: [Int64: String?]
    /// The candidates by their title.
    private var known: [String: [Question: [Candidate]]] = [:]
    /// The candidates for titles that one note has at most, which are the same for every question.
    private var knownAlone: [String: [Candidate]] = [:]
    private var folders: [Int64: (nameKey: String, parent: Int64?)?] = [:]

    /// The maximum number of notes with the same title that are considered if no path chooses among them; the best come
    /// first.
    private static let candidateLimit = 200

    /// - Parameter supposed: the folded titles that some notes are taken to have instead of their own; `nil` for a note
    ///   that is found only by its aliases and former titles. Such a title must be a former one of the note.
    init(_ db: Database, supposing supposed: [Int64: String?] = [:]) { (self.db, self.supposed) = (db, supposed) }

    /// Returns the note that a reference in a note means, the anchor in it, and whether the note only was at the path in
    /// the reference.
    ///
    /// - Parameters:
    ///   - source: the note that contains the link; `nil` for a title that the user types.
    ///   - folder: the folder of that note.
    func note(_ reference: LinkReference, from source: Int64?, in folder: Int64?) throws -> (
        note: Int64, anchor: LinkAnchor?, isByFormerPath: Bool
    )? {
        var former: (candidate: Candidate, anchor: LinkAnchor?)?
        for reading in reference.readings {
            if reading.titleKey.isEmpty {
                if let source, let anchor = reading.anchor { return (source, anchor, false) }
            } else if let found = try candidate(reading, from: source, in: folder) {
                if found.isByFormerTitle, reading.isWholePath {
                    former = former ?? (found, reading.anchor)
                } else if former == nil || !found.isInTrash {
                    return (found.note, reading.anchor, false)
                }
            }
        }
        return former.map { ($0.candidate.note, $0.anchor, true) }
    }

    /// Returns the path in a reference by which it would lead to a note if the note were still in these folders, folded
    /// and without an anchor; `nil` if it would not.
    func path(in reference: LinkReference, to note: Int64, in folder: Int64?) throws -> String? {
        let reading = try reference.readings.first { reading in
            guard !reading.folderKeys.isEmpty else { return false }
            return try candidates(reading.titleKey, in: folder, areAll: true).contains { $0.note == note }
        }
        guard let reading else { return nil }
        return reference.readings.first { whole in
            whole.isWholePath && whole.anchor == reading.anchor && whole.titleKey.hasSuffix("/" + reading.titleKey)
        }?.titleKey
    }

    private func candidate(
        _ reading: LinkReference.Reading, from source: Int64?, in folder: Int64?
    ) throws -> Candidate? {
        var candidates = try candidates(reading.titleKey, in: folder, areAll: !reading.folderKeys.isEmpty)
        if !reading.folderKeys.isEmpty {
            candidates = try candidates.filter { try isFolder($0.folder, reading.folderKeys) }
        }
        guard let first = candidates.first else { return nil }
        if first.note != source { return first }
        return candidates.dropFirst().first { $0.rank == first.rank } ?? first
    }

    /// Returns the notes that have a title, an alias or a former title of this key, the best first.
    private func candidates(_ titleKey: String, in folder: Int64?, areAll: Bool) throws -> [Candidate] {
        let question = Question(folder: folder, isWhole: areAll)
        if let found = knownAlone[titleKey] ?? known[titleKey]?[question] { return found }
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, folder, (place = 2) * 3 + tier, place = 1, createdDate,
                    iif(EXISTS (SELECT 1 FROM setting WHERE key = ?4), upper(uuid), '') AS precedence
                FROM (
                    SELECT id, folder, place, createdDate, uuid, 0 AS tier FROM note WHERE titleKey = ?1
                    UNION ALL SELECT id, folder, place, createdDate, uuid, 1
                        FROM note_alias JOIN note ON note.id = note_alias.note WHERE aliasKey = ?1
                    UNION ALL SELECT id, folder, place, createdDate, uuid, 2
                        FROM former_title JOIN note ON note.id = former_title.note WHERE former_title.titleKey = ?1)
                ORDER BY place = 2, tier, place = 1, folder IS NOT ?2, createdDate DESC, precedence DESC, id DESC
                LIMIT ?3
                """)
        let rows = try Row.fetchAll(
            statement,
            arguments: [titleKey, folder, areAll ? -1 : Self.candidateLimit, Notebook.Sync.Key.url])
        let found = rows.map {
            Candidate(
                note: $0[0], order: $0[5], folder: $0[1] as Int64?, rank: $0[2], isArchived: $0[3], created: $0[4])
        }
        let ordered = supposed.isEmpty ? found : reordered(found, titleKey, in: folder)
        if ordered.count > 1 {
            known[titleKey, default: [:]][question] = ordered
        } else {
            knownAlone[titleKey] = ordered
        }
        return ordered
    }

    /// Returns the candidates in the order that they have with the supposed titles.
    private func reordered(_ found: [Candidate], _ titleKey: String, in folder: Int64?) -> [Candidate] {
        let candidates = found.compactMap { candidate -> Candidate? in
            guard let title = supposed[candidate.note] else { return candidate }
            var candidate = candidate
            if title == titleKey { candidate.makeByTitle() } else if candidate.isByTitle { return nil }
            return candidate
        }
        return candidates.sorted { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            if one.isArchived != other.isArchived { return other.isArchived }
            let (isHere, otherIsHere) = (one.folder == folder, other.folder == folder)
            if isHere != otherIsHere { return isHere }
            return (one.created, one.order, one.note) > (other.created, other.order, other.note)
        }
    }

    /// Whether a folder's path from the root ends with these names.
    private func isFolder(_ folder: Int64?, _ names: [String]) throws -> Bool {
        var next = folder
        for name in names.reversed() {
            guard let here = next, let container = try container(here), container.nameKey == name else { return false }
            next = container.parent
        }
        return true
    }

    private func container(_ key: Int64) throws -> (nameKey: String, parent: Int64?)? {
        if let known = folders[key] { return known }
        let statement = try db.cachedStatement(sql: "SELECT nameKey, parent FROM container WHERE id = ?")
        let found = try Row.fetchOne(statement, arguments: [key]).map { row in
            (nameKey: row[0] as String, parent: row[1] as Int64?)
        }
        folders[key] = .some(found)
        return found
    }
}
