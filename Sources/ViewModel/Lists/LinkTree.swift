import NoteStore

/// The notes around one that are linked with it, up to two links away.
///
/// Above it are the notes that link to it, each with the notes that link to that note; below it are the notes that it
/// links to, each with the notes that they link to. A note appears only once in a branch, so every branch ends.
public struct LinkTree: Equatable, Sendable {
    public enum Direction: Sendable {
        /// The note links to the previous note of the branch.
        case from
        /// The previous note of the branch links to the note.
        case to
    }

    public struct Row: Equatable, Sendable {
        public let note: NoteRow
        public let direction: Direction
        /// 1 for a note linked with the one in the middle, 2 for a note linked with one of step 1.
        public let step: Int
        /// The 0-based line of the link in the text of a note that links to the one in the middle.
        public let line: Int?
    }

    public private(set) var rows: [Row] = []
    /// Whether there are more notes than are shown.
    public private(set) var isCut = false

    /// The largest number of notes in a branch at each step: about as many as a user looks through.
    static let maximumLinks = [60, 12]

    /// - Parameter links: returns a note's links in a direction, each with the linked note.
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
            guard shown.count < Self.maximumLinks[step - 1] else {
                isCut = true
                break
            }
            shown.insert(other.id)
            let line = direction == .from && step == 1 ? link.line : nil
            rows.append(Row(note: other, direction: direction, step: step, line: line))
            guard step < Self.maximumLinks.count else { continue }
            try grow(from: other.id, past: past + [other.id], direction, step: step + 1, links)
        }
    }
}

extension TakeNoteVM {
    /// Returns the notes linked with a note, up to two links away; nil if they cannot be read.
    public func linkTree(around note: NoteRow) -> LinkTree? {
        saveNow()
        var tree: LinkTree?
        attempt(Texts.Attempt.followLink) {
            tree = try LinkTree(around: note.id) { note, direction in
                switch direction {
                // A note may link to another several times, so more links than notes are read.
                case .from: try notebook.links.backlinks(of: note, limit: 4 * LinkTree.maximumLinks[0])
                case .to: try notebook.links.outgoing(of: note)
                }
            }
        }
        return tree
    }
}
