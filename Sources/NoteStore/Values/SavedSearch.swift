import Foundation

/// The identity of a saved search.
public struct SavedSearchID: ItemID {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID.random()) { self.uuid = uuid }
}

/// A search saved under a name; it runs again whenever it is shown.
public struct SavedSearch: Identifiable, Equatable, Sendable, Codable {
    public let id: SavedSearchID
    /// The name, which is trimmed, not empty, and different from other names when case is ignored.
    public var name: String
    /// The query as it is typed into the search field.
    public var query: String
    public var createdDate: Date
}
