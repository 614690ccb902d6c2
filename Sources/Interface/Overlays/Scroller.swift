/// Which rows of something taller than its place are in sight.
struct Scroller: Equatable {
    /// The first row in sight.
    private(set) var top = 0
    /// Rows that there is room for; at least 1.
    private(set) var room = 1
    /// Rows that there are.
    private(set) var count = 0

    /// Takes over how many rows there are and how many of them fit, and stays within them.
    mutating func arrange(count: Int, room: Int) {
        self.count = count
        self.room = max(1, room)
        scroll(by: 0)
    }

    mutating func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, count - room))
    }

    /// Moves as little as can be for a row to be in sight.
    mutating func show(_ row: Int) {
        top = min(max(top, row - room + 1), row)
    }

    mutating func scrollToTop() { top = 0 }

    /// Scrolls as one of the commands that go through a text.
    ///
    /// - Returns: whether the action is one of them.
    mutating func perform(_ action: OverlayAction) -> Bool {
        switch action {
        case .down: scroll(by: 1)
        case .up: scroll(by: -1)
        case .pageDown: scroll(by: room)
        case .pageUp: scroll(by: -room)
        case .first: scroll(by: -count)
        case .last: scroll(by: count)
        default: return false
        }
        return true
    }
}

/// The row of a list that the keys act on, and the part of the list that is in sight.
struct ListCursor: Equatable {
    /// The row under the cursor; 0 where there are none.
    private(set) var row = 0
    private var scroller = Scroller()

    /// The first row in sight.
    var top: Int { scroller.top }
    /// Rows that there is room for; at least 1.
    var room: Int { scroller.room }

    /// Takes over how many rows there are and how many of them fit; the cursor's row is in sight.
    mutating func arrange(count: Int, room: Int) {
        row = min(row, max(count - 1, 0))
        scroller.arrange(count: count, room: room)
        scroller.show(row)
    }

    /// Puts the cursor on a row, or on the nearest one that there is.
    mutating func move(to row: Int, of count: Int) {
        self.row = min(max(row, 0), max(count - 1, 0))
    }

    /// Begins again at the top.
    mutating func reset() {
        row = 0
        scroller.scrollToTop()
    }

    /// Moves as one of the commands that go through a list.
    ///
    /// - Returns: whether the action is one of them.
    mutating func perform(_ action: OverlayAction, of count: Int) -> Bool {
        switch action {
        case .down: move(to: row + 1, of: count)
        case .up: move(to: row - 1, of: count)
        case .pageDown: move(to: row + room, of: count)
        case .pageUp: move(to: row - room, of: count)
        case .first: move(to: 0, of: count)
        case .last: move(to: count - 1, of: count)
        default: return false
        }
        return true
    }

    /// The row of the list at a row of its place; nil where the list has ended.
    func index(atOffset offset: Int, of count: Int) -> Int? {
        let index = top + offset
        return offset >= 0 && offset < room && index < count ? index : nil
    }
}
