import NoteStore

/// A position of the user: a container and the note open in it.
public struct Location: Equatable, Sendable, Codable {
    public var container: ContainerID
    public var note: NoteID?
}

/// The visited locations, for going back and forward.
struct NavigationHistory {
    /// The largest number of locations kept.
    private static let limit = 100

    private var back: [Location] = []
    private var forward: [Location] = []

    /// Records that the user leaves `location` for another location.
    mutating func leave(_ location: Location) {
        forward = []
        guard back.last != location else { return }
        back.append(location)
        back.removeFirst(max(0, back.count - Self.limit))
    }

    /// Removes the locations of a note that is no longer there.
    mutating func forget(_ note: NoteID) {
        back.removeAll { $0.note == note }
        forward.removeAll { $0.note == note }
    }

    /// Returns the previous location, to which `location` becomes the next one.
    ///
    /// The user may have come to `location` in another way, such as by leaving a search: going there is no step.
    mutating func goBack(from location: Location) -> Location? {
        while back.last == location { back.removeLast() }
        guard let last = back.popLast() else { return nil }
        forward.append(location)
        return last
    }

    /// Returns the next location, to which `location` becomes the previous one.
    mutating func goForward(from location: Location) -> Location? {
        while forward.last == location { forward.removeLast() }
        guard let next = forward.popLast() else { return nil }
        back.append(location)
        return next
    }
}
