/// The pictures that the terminal has, and those that are on the way to it.
///
/// Pictures go out in pieces between frames, when no key waits. A picture that the terminal has costs nothing when it
/// is shown again; after the terminal was lost, every picture that is still shown is sent again.
struct PictureQueue {
    /// How many bytes go out between two frames, so that a key waits for no more than these.
    static let share = 16_384
    /// How many bytes of pictures the terminal is left with; those shown longest ago are deleted.
    var mostBytes = 32 << 20

    /// Whether tmux stands before the terminal, and must pass the sequences on.
    var isPassedOn = false

    private struct Entry {
        let picture: PicturePlaceholder
        let sequences: [[UInt8]]
        let byteCount: Int
        /// How many sequences the terminal has been sent.
        var sent = 0
        var isComplete: Bool { sent == sequences.count }
    }

    /// In the order in which they were last shown.
    private var entries: [Entry] = []
    /// Sequences that take pictures from the terminal, to be sent between two pictures.
    private var deletions: [UInt8] = []

    /// The numbers of the pictures that the terminal has, or has a part of.
    var numbers: [UInt32] { entries.filter { $0.sent > 0 }.map(\.picture.number) }

    /// Whether something waits to be sent.
    var isWaiting: Bool { !deletions.isEmpty || entries.contains { !$0.isComplete } }

    /// Whether the terminal has a picture whole.
    func isShown(_ picture: PicturePlaceholder) -> Bool {
        entries.contains { $0.picture == picture && $0.isComplete }
    }

    /// Adds a picture, or notes that it is shown again.
    mutating func show(_ picture: PicturePlaceholder, png: @autoclosure () -> [UInt8]) {
        if let known = entries.firstIndex(where: { $0.picture == picture }) {
            // One that is half sent stays in its place: its pieces must follow each other.
            if entries[known].isComplete { entries.append(entries.remove(at: known)) }
            return
        }
        var sequences = PictureTransmission.sequences(picture, png: png())
        if isPassedOn { sequences = sequences.map(PictureTransmission.passedOn) }
        entries.append(
            Entry(picture: picture, sequences: sequences, byteCount: sequences.reduce(0) { $0 + $1.count }))
        deleteOldest()
    }

    private mutating func deleteOldest() {
        var total = entries.reduce(0) { $0 + $1.byteCount }
        while total > mostBytes, entries.count > 1, entries[0].isComplete {
            let oldest = entries.removeFirst()
            total -= oldest.byteCount
            deletions += PictureTransmission.deletion(oldest.picture.number, passedOn: isPassedOn)
        }
    }

    /// The next bytes to send: whole sequences, about `share` bytes; empty if nothing waits.
    mutating func nextShare() -> [UInt8] {
        var output: [UInt8] = []
        while output.count + PictureTransmission.chunk <= Self.share {
            let begun = entries.firstIndex { $0.sent > 0 && !$0.isComplete }
            // No other sequence of the protocol may come between the pieces of a picture.
            if begun == nil {
                output += deletions
                deletions = []
            }
            guard let index = begun ?? entries.lastIndex(where: { !$0.isComplete }) else { break }
            output += entries[index].sequences[entries[index].sent]
            entries[index].sent += 1
        }
        return output
    }

    /// Forgets what the terminal has: what is shown again is sent again.
    mutating func startOver(passedOn: Bool = false) {
        isPassedOn = passedOn
        (entries, deletions) = ([], [])
    }
}
