import NoteStore

/// The rows of one list; only a window of rows around the visible ones is held in memory.
///
/// Indices count from 0 over the whole list. The window is extended by keyset pagination at either end, so that a step
/// costs the same in a list of ten notes and of a hundred thousand.
public struct NoteList: Sendable {
    /// The number of rows fetched at a time: a few screens, and well under a millisecond.
    static let chunk = 200
    /// The largest number of rows held; beyond it, rows at the far end are dropped.
    static let held = 1_000

    /// The number of rows in the whole list.
    public private(set) var count = 0
    private var start = 0
    private var rows: [NoteRow] = []

    /// The indices of the rows in memory.
    public var window: Range<Int> { start..<start + rows.count }

    init() {}

    /// A list that is in memory as a whole, as search hits are.
    init(rows: [NoteRow]) {
        self.rows = rows
        count = rows.count
    }

    /// The row at `index`; nil if there is none or it is not in memory.
    public subscript(index: Int) -> NoteRow? {
        window.contains(index) ? rows[index - start] : nil
    }

    /// Whether the rows of `range` are in memory, as far as the list has them.
    func holds(_ range: Range<Int>) -> Bool {
        let range = range.clamped(to: 0..<count)
        return range.isEmpty || window.contains(range.lowerBound) && window.contains(range.upperBound - 1)
    }

    /// The index of a note among the rows in memory.
    public func index(of id: NoteID) -> Int? {
        rows.firstIndex { $0.id == id }.map { $0 + start }
    }
}

extension NoteList {
    /// Reads a list with the rows around the note `id`, or with its first rows if `id` is not in it.
    ///
    /// - Throws: the notebook's read errors.
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

    /// Fetches the rows of `range`, as far as the list has them.
    ///
    /// - Throws: the notebook's read errors.
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
