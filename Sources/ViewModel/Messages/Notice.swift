/// A one-line message for the user, which needs no key to dismiss it and disappears after a while.
public struct Notice: Equatable, Sendable {
    /// The importance of the message.
    public enum Kind: Sendable {
        /// An action succeeded.
        case done
        /// An action failed, and nothing was lost.
        case refused
        /// A problem that persists: shown until it is solved.
        case trouble
    }

    public let text: String
    public let kind: Kind
    /// Whether no act of the user has caused it.
    public let isNews: Bool

    public init(_ text: String, kind: Kind = .done, isNews: Bool = false) {
        self.text = text
        self.kind = kind
        self.isNews = isNews
    }
}

/// Whether a command is available now, and if not, why.
public enum Availability: Equatable, Sendable {
    case available
    /// The command is unavailable; the reason is a sentence for the user.
    case unavailable(String)

    /// Returns available if `condition` holds, otherwise unavailable for `reason`.
    public static func when(_ condition: Bool, else reason: @autoclosure () -> String) -> Availability {
        condition ? .available : .unavailable(reason())
    }

    public var isAvailable: Bool { self == .available }

    /// The reason why it is unavailable; nil if it is available.
    public var reason: String? {
        guard case .unavailable(let reason) = self else { return nil }
        return reason
    }
}
