/// The scroll offset of content that may be taller than its viewport.
struct Scroller: Equatable {
    /// The first visible row.
    private(set) var top = 0
    /// The height of the viewport in rows; at least 1.
    private(set) var room = 1
    /// The number of rows.
    private(set) var count = 0
    /// The row that a screen reader reads; nil until a key has moved it.
    private var line: Int?

    /// The mark of the rows in sight; nil if all are.
    var mark: ScrollMark? { ScrollMark(top: top, room: room, count: count) }

    /// The row of the viewport that is read: the first one, unless a screen reader reads row by row.
    var readRow: Int { min(max((line ?? top) - top, 0), room - 1) }

    /// Sets the number of rows and the height of the viewport, and limits the scroll offset to them.
    mutating func arrange(count: Int, room: Int) {
        self.count = count
        self.room = max(1, room)
        scroll(by: 0)
    }

    mutating func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, count - room))
    }

    /// Scrolls as little as possible to make a row visible.
    mutating func show(_ row: Int) {
        top = min(max(top, row - room + 1), row)
    }

    mutating func scrollToTop() { top = 0 }

    /// Scrolls, if the action is one of those that move through a text.
    ///
    /// - Parameter byLine: whether a screen reader reads row by row: keys then move from row to row, and the viewport
    ///   follows.
    /// - Returns: whether it is.
    mutating func perform(_ action: OverlayAction, byLine: Bool = false) -> Bool {
        let rows: Int
        switch action {
        case .down: rows = 1
        case .up: rows = -1
        case .pageDown: rows = room
        case .pageUp: rows = -room
        case .first: rows = -count
        case .last: rows = count
        default: return false
        }
        guard byLine else {
            scroll(by: rows)
            return true
        }
        let next = min(max((line ?? top) + rows, 0), max(count - 1, 0))
        line = next
        show(next)
        return true
    }
}

/// The cursor row of a list, and the scroll offset that keeps it visible.
struct ListCursor: Equatable {
    /// The row under the cursor; 0 if the list is empty.
    private(set) var row = 0
    private var scroller = Scroller()

    /// The first visible row.
    var top: Int { scroller.top }
    /// The height of the viewport in rows; at least 1.
    var room: Int { scroller.room }
    /// The mark of the rows in sight; nil if all are.
    var mark: ScrollMark? { scroller.mark }
    /// The number of rows that a page key moves; the height of the viewport unless a screen reader reads the list.
    private var page = 1

    /// Sets the number of rows and the height of the viewport, and makes the cursor's row visible.
    ///
    /// A screen reader speaks every row that a key changes, so it gets the cursor's row alone where each typed character
    /// changes the list.
    ///
    /// - Parameter isRead: whether a screen reader reads the list, and what is typed filters it.
    mutating func arrange(count: Int, room: Int, isRead: Bool = false) {
        page = max(room, 1)
        let room = isRead ? 1 : room
        row = min(row, max(count - 1, 0))
        scroller.arrange(count: count, room: room)
        scroller.show(row)
    }

    /// Puts the cursor on a row, or on the nearest one that exists.
    mutating func move(to row: Int, of count: Int) {
        self.row = min(max(row, 0), max(count - 1, 0))
    }

    /// Scrolls as a turn of the wheel does: three rows a tick; the cursor keeps its row, or takes the nearest in sight.
    mutating func turnWheel(by ticks: Int, of count: Int) {
        scroller.scroll(by: ticks * 3)
        move(to: min(max(row, top), top + room - 1), of: count)
    }

    /// Moves the cursor back to the top.
    mutating func reset() {
        row = 0
        scroller.scrollToTop()
    }

    /// Moves the cursor, if the action is one of those that move through a list.
    ///
    /// - Returns: whether it is.
    mutating func perform(_ action: OverlayAction, of count: Int) -> Bool {
        switch action {
        case .down: move(to: row + 1, of: count)
        case .up: move(to: row - 1, of: count)
        case .pageDown: move(to: row + page, of: count)
        case .pageUp: move(to: row - page, of: count)
        case .first: move(to: 0, of: count)
        case .last: move(to: count - 1, of: count)
        default: return false
        }
        return true
    }

    /// Returns the index of the list's row at a row of the viewport; nil outside the viewport or after the last row.
    func index(atOffset offset: Int, of count: Int) -> Int? {
        let index = top + offset
        return offset >= 0 && offset < room && index < count ? index : nil
    }
}
