import Foundation

/// The identity of a saved search.
public struct SavedSearchID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID()) { self.uuid = uuid }

    public init(from decoder: any Decoder) throws { uuid = try UUID(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }

    public var description: String { uuid.uuidString }
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
