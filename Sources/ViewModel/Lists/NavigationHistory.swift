import NoteStore

/// Where the user is: a container and the note open in it.
public struct Location: Equatable, Sendable, Codable {
    public var container: ContainerID
    public var note: NoteID?
}

/// The places that were gone through, for back and forward.
struct NavigationHistory {
    /// Places kept at most.
    private static let limit = 100

    private var back: [Location] = []
    private var forward: [Location] = []

    /// Notes that `place` is being left for another.
    mutating func leave(_ place: Location) {
        guard back.last != place else { return }
        back.append(place)
        back.removeFirst(max(0, back.count - Self.limit))
        forward = []
    }

    /// The place before, to which `place` becomes the one ahead.
    mutating func goBack(from place: Location) -> Location? {
        guard let last = back.popLast() else { return nil }
        forward.append(place)
        return last
    }

    /// The place ahead, to which `place` becomes the one before.
    mutating func goForward(from place: Location) -> Location? {
        guard let next = forward.popLast() else { return nil }
        back.append(place)
        return next
    }
}
