import Foundation

/// The identity of a note: it never changes, and is the same in every copy of the notebook.
public struct NoteID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID()) { self.uuid = uuid }

    /// Reads a UUID in its usual form, in upper or lower case.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    public init(from decoder: any Decoder) throws { uuid = try UUID(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }

    /// The form that is stored in the notebook and used in links: upper case.
    public var description: String { uuid.uuidString }

    /// `takenote://note/<UUID>`.
    public var url: String { "takenote://note/" + description }
}

/// The identity of a folder, project, tag or system container.
public struct ContainerID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID()) { self.uuid = uuid }

    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    public init(from decoder: any Decoder) throws { uuid = try UUID(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }

    public var description: String { uuid.uuidString }
}

extension ContainerID {
    // These are fixed, so that two programs which both make the system containers make the same ones. The last digit is
    // also the row's integer key.
    public static let inbox = system(1)
    public static let starred = system(2)
    public static let allNotes = system(3)
    public static let trash = system(4)
    public static let archive = system(5)
    public static let buffer = system(6)

    private static func system(_ number: UInt8) -> ContainerID {
        ContainerID(UUID(uuid: (0x7A, 0x4E, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}
