import NoteStore
import SystemPackage

/// The lines of standard input, as bytes.
///
/// `readLine` of Swift puts U+FFFD in the place of what is not UTF-8, which nobody has typed.
final class LineInput {
    /// What has been read; the lines before `start` have been given away.
    private var bytes: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Returns the next line without its end; nil at the end of input.
    func next() -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                let line = bytes[start..<end]
                return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            }
            if isAtEnd {
                defer { start = bytes.count }
                return start < bytes.count ? Array(bytes[start...]) : nil
            }
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            readMore()
        }
    }

    /// Reads what is there, at most as much as a pipe holds; waits for it if there is nothing.
    private func readMore() {
        do {
            let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = try FileDescriptor.standardInput.readWaiting(into: UnsafeMutableRawBufferPointer(buffer))
            }
            isAtEnd = piece.isEmpty
            bytes += piece
        } catch {
            // A terminal that is gone, or an input that was never there, ends the conversation.
            isAtEnd = true
        }
    }
}
