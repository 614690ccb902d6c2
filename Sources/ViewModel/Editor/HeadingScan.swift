import Foundation
import TextEditing

/// Finds the lines of a text that may end a heading, by their first bytes and at the speed of memory.
///
/// Whether they do depends on the lines above them, which the highlighter knows: `# comment` may be in code.
struct HeadingScan {
    /// The position of the scan in a line.
    private enum State {
        /// At the start of the line, after this many spaces.
        case start(spaces: Int)
        /// After this many `#`.
        case hashes(Int)
        /// After the bytes that decide; the rest of the line is skipped.
        case rest
    }

    /// The deepest level of headings to find.
    let level: Int

    /// Calls `body` with the start of each such line, until it returns false; the range must begin with a line.
    func forEach(in range: Range<ByteOffset>, of buffer: TextBuffer, _ body: (ByteOffset) -> Bool) {
        var state = State.start(spaces: 0)
        var lineStart = range.lowerBound
        var pieceStart = range.lowerBound
        var goesOn = true
        buffer.forEachPiece(in: range) { piece in
            var position = 0
            while position < piece.count, goesOn {
                if case .rest = state {
                    guard let next = Self.lineFeed(in: piece, from: position) else { break }
                    position = next + 1
                    lineStart = pieceStart + position
                    state = .start(spaces: 0)
                    continue
                }
                let (next, isCandidate) = step(state, piece[position])
                if isCandidate { goesOn = body(lineStart) }
                state = next
                // The line feed itself is found by the search in the `rest` state.
                if case .rest = state { continue }
                position += 1
            }
            pieceStart += piece.count
            return goesOn
        }
        if goesOn, case .hashes(let count) = state, count <= level { _ = body(lineStart) }
    }

    /// Processes a byte; returns the next state, and whether the line is a candidate.
    private func step(_ state: State, _ byte: UInt8) -> (State, Bool) {
        switch (state, byte) {
        case (.start(let spaces), UInt8(ascii: " ")) where spaces < 3: (.start(spaces: spaces + 1), false)
        case (.start, UInt8(ascii: "#")): (.hashes(1), false)
        case (.start, UInt8(ascii: "=")): (.rest, level >= 1)
        case (.start, UInt8(ascii: "-")): (.rest, level >= 2)
        case (.hashes(let count), UInt8(ascii: "#")): count < 6 ? (.hashes(count + 1), false) : (.rest, false)
        case (.hashes(let count), 0x20), (.hashes(let count), 0x09), (.hashes(let count), 0x0A),
            (.hashes(let count), 0x0D):
            (.rest, count <= level)
        default: (.rest, false)
        }
    }

    private static func lineFeed(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
