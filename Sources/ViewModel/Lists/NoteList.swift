import NoteStore

/// The rows of one list, of which only a window around what is looked at is held.
///
/// Indices count from 0 over the whole list. The window is extended by keyset at either end, so that a step
/// costs the same in a list of ten notes and of a hundred thousand.
public struct NoteList: Sendable {
    /// Rows fetched at a time: a few screens, and well under a millisecond.
    static let chunk = 200
    /// Rows held at most; the far end is let go beyond it.
    static let held = 1_000

    /// How many rows the whole list has.
    public private(set) var count = 0
    private var start = 0
    private var rows: [NoteRow] = []

    /// The indices whose rows are at hand.
    public var window: Range<Int> { start..<start + rows.count }

    init() {}

    /// A list that is held whole, as search hits are.
    init(rows: [NoteRow]) {
        self.rows = rows
        count = rows.count
    }

    /// The row at `index`, or nil where none is or none is at hand.
    public subscript(index: Int) -> NoteRow? {
        window.contains(index) ? rows[index - start] : nil
    }

    /// Whether the rows of `range` are at hand, as far as the list has them.
    func holds(_ range: Range<Int>) -> Bool {
        let range = range.clamped(to: 0..<count)
        return range.isEmpty || window.contains(range.lowerBound) && window.contains(range.upperBound - 1)
    }

    /// The index of a note among the rows at hand.
    public func index(of id: NoteID) -> Int? {
        rows.firstIndex { $0.id == id }.map { $0 + start }
    }

    /// Puts a changed row in the place of its former self.
    mutating func update(_ row: NoteRow) {
        guard let index = index(of: row.id) else { return }
        rows[index - start] = row
    }
}

extension NoteList {
    /// Reads a list anew, with the rows around the note `id` at hand, or its first rows where `id` is not in it.
    ///
    /// - Throws: what the notebook's reading throws.
    static func read(_ query: ListQuery, around id: NoteID?, from notebook: Notebook) throws -> NoteList {
        var list = NoteList()
        list.count = try notebook.lists.count(query)
        if let id, let anchor = try notebook.notes.row(id), let index = try notebook.lists.ordinal(of: id, in: query) {
            let above = try notebook.lists.rows(query, from: .before(anchor), limit: min(index, chunk))
            list.start = index - above.count
            list.rows = above + [anchor] + (try notebook.lists.rows(query, from: .after(anchor), limit: chunk))
        } else {
            list.rows = try notebook.lists.rows(query, from: .start, limit: chunk)
        }
        list.count = max(list.count, list.window.upperBound)
        return list
    }

    /// Makes the rows of `range` available, as far as the list has them.
    ///
    /// - Throws: what the notebook's reading throws.
    mutating func require(_ range: Range<Int>, of query: ListQuery, from notebook: Notebook) throws {
        guard !holds(range) else { return }
        let range = range.clamped(to: 0..<count)
        if range.lowerBound >= start, range.upperBound <= window.upperBound + Self.chunk, let last = rows.last {
            rows += try notebook.lists.rows(query, from: .after(last), limit: Self.chunk)
            let surplus = max(0, rows.count - Self.held)
            rows.removeFirst(surplus)
            start += surplus
        } else if range.lowerBound < start, range.lowerBound >= start - Self.chunk, let first = rows.first {
            let above = try notebook.lists.rows(query, from: .before(first), limit: min(start, Self.chunk))
            rows.insert(contentsOf: above, at: 0)
            start -= above.count
            rows.removeLast(max(0, rows.count - Self.held))
        } else if range.upperBound == count {
            rows = try notebook.lists.rows(query, from: .end, limit: max(Self.chunk, range.count))
            start = count - rows.count
        } else {
            rows = try notebook.lists.rows(query, from: .start, limit: range.upperBound + Self.chunk)
            start = 0
        }
    }
}
