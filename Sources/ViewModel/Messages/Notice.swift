/// One line said to the user in passing; it steals no key and leaves by itself.
public struct Notice: Equatable, Sendable {
    /// How much the line matters.
    public enum Kind: Sendable {
        /// Something was done.
        case done
        /// Something could not be done, and nothing was lost.
        case refused
        /// Something is wrong and stays wrong: shown until it is mended.
        case trouble
    }

    public let text: String
    public let kind: Kind

    public init(_ text: String, kind: Kind = .done) {
        self.text = text
        self.kind = kind
    }
}

/// Whether a command can act now, and if not, why.
public enum Availability: Equatable, Sendable {
    case available
    /// The reason is a sentence for the user.
    case unavailable(String)

    /// Available when `condition` holds, else unavailable for `reason`.
    public static func when(_ condition: Bool, else reason: @autoclosure () -> String) -> Availability {
        condition ? .available : .unavailable(reason())
    }

    public var isAvailable: Bool { self == .available }

    /// Why not, or nil.
    public var reason: String? {
        guard case .unavailable(let reason) = self else { return nil }
        return reason
    }
}
