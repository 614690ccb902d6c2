/// The sort key of a list; the raw values of the first two are the app's.
public enum SortBy: Int, Sendable, Codable {
    case created = 0, updated = 1, title = 2
    /// The order in which the user arranged the notes; notes never arranged sort by creation. `newestFirst` means from
    /// the top down.
    case byHand = 3
}

/// The direction of a list: for titles `oldestFirst` is A to Z.
public enum SortOrder: Int, Sendable, Codable { case oldestFirst = 0, newestFirst = 1 }

/// The notes of a list and their order.
public struct ListQuery: Hashable, Sendable {
    public var container: ContainerID
    public var sortBy: SortBy
    public var sortOrder: SortOrder
    public var starredFirst: Bool
    /// Only notes that have this tag.
    public var tag: ContainerID?

    public init(
        container: ContainerID, sortBy: SortBy = .updated, sortOrder: SortOrder = .newestFirst,
        starredFirst: Bool = true, tag: ContainerID? = nil
    ) {
        self.container = container
        self.sortBy = sortBy
        self.sortOrder = sortOrder
        self.starredFirst = starredFirst
        self.tag = tag
    }
}

/// The start or end of a page of a list.
public enum ListAnchor: Equatable, Sendable {
    /// The first rows.
    case start
    /// The last rows, still in the list's order.
    case end
    /// The rows that follow this one, which need not exist any more.
    case after(NoteRow)
    /// The rows just before this one, still in the list's order.
    case before(NoteRow)
}
