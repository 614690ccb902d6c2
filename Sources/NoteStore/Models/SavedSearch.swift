import Foundation

/// The identity of a saved search.
public struct SavedSearchID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID()) { self.uuid = uuid }

    public init(from decoder: any Decoder) throws { uuid = try UUID(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }

    public var description: String { uuid.uuidString }
}

/// A search that is kept under a name; what it finds is looked for whenever it is shown.
public struct SavedSearch: Identifiable, Equatable, Sendable, Codable {
    public let id: SavedSearchID
    /// Trimmed, not empty, different from the others' without regard to case.
    public var name: String
    /// As it is typed into the search field.
    public var query: String
    public var createdDate: Date
}
