import Foundation
import GRDB

extension Notebook.Lists {
    /// The direction in which a note moves in a list that is sorted by hand.
    public enum OrderStep: Sendable { case up, down }

    /// Moves a note one position up or down in a container's list as it is sorted by hand, starred notes first.
    ///
    /// - Returns: whether there was a position to move to.
    @discardableResult
    public func move(_ id: NoteID, _ step: OrderStep, in list: ContainerID) throws(StoreError) -> Bool {
        try notebook.act(.reorder, notes: [id]) { transaction in
            let query = ListQuery(container: list, sortBy: .byHand)
            let row = try transaction.noteRow(id)
            _ = try transaction.changeableHead(id)
            guard let reader = try ListReader(transaction.db, query), try reader.shows(row.key) else { return false }
            let anchor = step == .up ? ListAnchor.before(row) : .after(row)
            var near = try ListReader.rows(transaction.db, reader.window(from: anchor, limit: 2))
            if step == .up { near.reverse() }
            guard let passed = near.first, passed.starred == row.starred else { return false }
            let beyond = near.dropFirst().first.flatMap { $0.starred == row.starred ? $0 : nil }
            try transaction.move(row, past: passed, before: beyond, step, in: reader)
            return true
        }
    }
}

extension NoteRow {
    /// The sort key of lists sorted by hand: the position that the user gave, or else the creation date.
    ///
    /// The factor of 1,024 leaves room for a thousand notes between two milliseconds.
    var handKey: Int64 {
        let (byDate, isTooLarge) = createdDate.milliseconds.multipliedReportingOverflow(by: 1024)
        let key = sortOrder != 0 ? sortOrder : !isTooLarge ? byDate : createdDate.milliseconds < 0 ? .min : .max
        return min(max(key, -Self.maximumHandKey), Self.maximumHandKey)
    }

    /// The greatest key, which leaves room for computing with keys; no date or position is as great, but any program can
    /// store one.
    static let maximumHandKey: Int64 = 1 << 61
}

extension ListReader {
    /// `NoteRow.handKey` in SQL.
    static let handKey = """
        max(min(iif(note.sortOrder = 0, note.createdDate * 1024, note.sortOrder), \(NoteRow.maximumHandKey)), \
        -\(NoteRow.maximumHandKey))
        """
}

extension Transaction {
    /// The gap that is made where two notes are too close for another one between them.
    static let handGap: Int64 = 1 << 20

    /// The maximum number of notes that take over the displayed order, which takes about 50 ms to write.
    static let orderedAtOnce = 5_000

    /// Moves a note past its neighbour; if there is no room before the next one, moves that one and all beyond it away.
    fileprivate func move(
        _ row: NoteRow, past passed: NoteRow, before beyond: NoteRow?, _ step: Notebook.Lists.OrderStep,
        in list: ListReader
    ) throws {
        let sign: Int64 = step == .up ? 1 : -1
        var position = passed.handKey + sign * Self.handGap
        if let beyond {
            let room = abs(beyond.handKey - passed.handKey)
            if room < 2 { try moveAway(beyond, step, except: row, in: list) }
            position = passed.handKey + sign * (room < 2 ? Self.handGap / 2 : room / 2)
        }
        try run("UPDATE note SET sortOrder = ? WHERE id = ?", [position, row.key])
        change.notes?.insert(row.id)
    }

    /// Moves a note and all beyond it in the list by a gap.
    private func moveAway(
        _ first: NoteRow, _ step: Notebook.Lists.OrderStep, except row: NoteRow, in list: ListReader
    ) throws {
        let (sign, comparison) = step == .up ? ("+", ">=") : ("-", "<=")
        try run(
            """
            UPDATE note SET sortOrder = \(ListReader.handKey) \(sign) ?
            WHERE (\(ListReader.handKey), id) \(comparison) (?, ?) AND id <> ? AND starred = ?
                AND id IN (SELECT note FROM listing WHERE list = ?)
            """, [Self.handGap, first.handKey, first.key, row.key, first.starred, list.list])
        change.notes = nil
    }
}

extension Notebook.Lists {
    /// Stores the displayed order of a list that was never ordered by hand.
    ///
    /// A list of more than 5,000 notes stays sorted by creation, since nobody orders so many by hand.
    public func beginOrder(as query: ListQuery) throws(StoreError) {
        try notebook.write { transaction in
            guard let list = try ListReader(transaction.db, query), try !list.isOrderedByHand() else { return }
            let notes = try list.window(from: .start, limit: Transaction.orderedAtOnce + 1)
            guard notes.count <= Transaction.orderedAtOnce else { return }
            // Notes made from now on must come above.
            let top = transaction.now * 1024
            for (index, note) in notes.enumerated() {
                let key = top - Int64(index + 1) * Transaction.handGap
                try transaction.run("UPDATE note SET sortOrder = ? WHERE id = ?", [key, note])
            }
            transaction.change.notes = nil
        }
    }
}

extension ListReader {
    fileprivate func isOrderedByHand() throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM listing JOIN note ON note.id = listing.note
                    WHERE list = ? AND note.sortOrder <> 0)
                """)
        return try Bool.fetchOne(statement, arguments: [list]) ?? false
    }
}
