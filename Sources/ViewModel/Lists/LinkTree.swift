import NoteStore

/// The notes around one that links lead from and to, two steps far.
///
/// Above are the notes that link to it, each with those that link to that one; below the notes that it links to, each
/// with those that that one links to. A note that a branch has come by is not shown again in it, so every branch ends.
public struct LinkTree: Equatable, Sendable {
    public enum Direction: Sendable {
        /// The note links to the one before it in the branch.
        case from
        /// The note is linked to by the one before it in the branch.
        case to
    }

    public struct Row: Equatable, Sendable {
        public let note: NoteRow
        public let direction: Direction
        /// 1 for a note that is linked with the one in the middle, 2 for one that is linked with such a note.
        public let step: Int
        /// The 0-based line of the link in the text of a note that links to the one in the middle.
        public let line: Int?
    }

    public private(set) var rows: [Row] = []
    /// Whether there are more notes than are shown.
    public private(set) var isCut = false

    /// How many notes a branch shows: as many as somebody looks through.
    static let most = [60, 12]

    /// - Parameter links: the links of a note in a direction, each with the note at its other end.
    init(around middle: NoteID, links: (NoteID, Direction) throws -> [NoteLink]) rethrows {
        for direction in [Direction.from, .to] {
            try grow(from: middle, past: [middle], direction, step: 1, links)
        }
    }

    private mutating func grow(
        from note: NoteID, past: [NoteID], _ direction: Direction, step: Int,
        _ links: (NoteID, Direction) throws -> [NoteLink]
    ) rethrows {
        var shown: Set<NoteID> = []
        for link in try links(note, direction) {
            guard let other = direction == .from ? link.source : link.destination, other.place != .trash,
                !past.contains(other.id), !shown.contains(other.id)
            else { continue }
            guard shown.count < Self.most[step - 1] else {
                isCut = true
                break
            }
            shown.insert(other.id)
            let line = direction == .from && step == 1 ? link.line : nil
            rows.append(Row(note: other, direction: direction, step: step, line: line))
            guard step < Self.most.count else { continue }
            try grow(from: other.id, past: past + [other.id], direction, step: step + 1, links)
        }
    }
}

extension TakeNoteVM {
    /// The notes around one that links lead from and to; nil if they cannot be read.
    public func linkTree(around note: NoteRow) -> LinkTree? {
        saveNow()
        var tree: LinkTree?
        attempt(Texts.Attempt.followLink) {
            tree = try LinkTree(around: note.id) { note, direction in
                switch direction {
                // A note may link several times to another.
                case .from: try notebook.links.backlinks(of: note, limit: 4 * LinkTree.most[0])
                case .to: try notebook.links.outgoing(of: note)
                }
            }
        }
        return tree
    }
}
