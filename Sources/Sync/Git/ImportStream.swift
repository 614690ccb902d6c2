import Synchronization

/// The input of `git fast-import`, generated piece by piece while git reads it, since it may contain all notes.
final class ImportStream: Sendable {
    /// A command, and the bytes that belong to it.
    struct Part: Sendable {
        let header: String
        var contents: [UInt8]?
    }

    private let parts: [Part]
    /// The index of the first part that was not passed on yet.
    private let position = Mutex(0)
    /// The size in bytes from which a piece is passed on: as much as a pipe holds.
    private static let pieceSize = 65_536

    init(_ parts: [Part]) { self.parts = parts }

    /// Returns the next piece, or `nil` at the end.
    @Sendable func next() -> [UInt8]? {
        position.withLock { position in
            guard position < parts.count else { return nil }
            var piece: [UInt8] = []
            while position < parts.count, piece.count < Self.pieceSize {
                piece += Array(parts[position].header.utf8)
                if let contents = parts[position].contents { piece += contents + [0x0A] }
                position += 1
            }
            return piece
        }
    }
}
