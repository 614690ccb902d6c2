/// The pictures that the terminal has, and those that are being sent to it.
///
/// Pictures go out in pieces between frames, when no key waits. A picture that the terminal has is not sent when it is
/// shown again. After the terminal was lost, every picture that is still shown is sent again.
struct PictureQueue {
    /// The most bytes that go out between two frames, so that a key waits for no more than these.
    static let share = 16_384
    /// The most bytes of pictures that are kept in the terminal; the pictures shown longest ago are deleted.
    var maximumBytes = 32 << 20

    /// Whether the program runs in tmux, which must pass the sequences on to the terminal.
    var goesThroughTmux = false

    private struct Entry {
        let picture: PicturePlaceholder
        let sequences: [[UInt8]]
        let byteCount: Int
        /// The number of sequences that were sent to the terminal.
        var sent = 0
        var isComplete: Bool { sent == sequences.count }
    }

    /// The pictures, in the order in which they were last shown.
    private var entries: [Entry] = []
    /// Sequences that delete pictures from the terminal, to be sent between two pictures.
    private var deletions: [UInt8] = []

    /// The numbers of the pictures that the terminal has, completely or in part.
    var numbers: [UInt32] { entries.filter { $0.sent > 0 }.map(\.picture.number) }

    /// Whether something waits to be sent.
    var isWaiting: Bool { !deletions.isEmpty || entries.contains { !$0.isComplete } }

    /// Whether the terminal has the complete picture.
    func isShown(_ picture: PicturePlaceholder) -> Bool {
        entries.contains { $0.picture == picture && $0.isComplete }
    }

    /// Adds a picture, or notes that it is shown again.
    mutating func show(_ picture: PicturePlaceholder, png: @autoclosure () -> [UInt8]) {
        if let known = entries.firstIndex(where: { $0.picture == picture }) {
            // A picture that is sent in part stays at its index: its pieces must follow each other.
            if entries[known].isComplete { entries.append(entries.remove(at: known)) }
            return
        }
        var sequences = PictureTransmission.sequences(picture, png: png())
        if goesThroughTmux { sequences = sequences.map(PictureTransmission.wrappedForTmux) }
        entries.append(
            Entry(picture: picture, sequences: sequences, byteCount: sequences.reduce(0) { $0 + $1.count }))
        deleteOldest()
    }

    private mutating func deleteOldest() {
        var total = entries.reduce(0) { $0 + $1.byteCount }
        while total > maximumBytes, entries.count > 1, entries[0].isComplete {
            let oldest = entries.removeFirst()
            total -= oldest.byteCount
            deletions += PictureTransmission.deletion(oldest.picture.number, throughTmux: goesThroughTmux)
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

    /// Forgets which pictures the terminal has, so that those shown again are sent again.
    mutating func startOver(throughTmux: Bool = false) {
        goesThroughTmux = throughTmux
        (entries, deletions) = ([], [])
    }
}
