import Markdown
import TextEditing

/// Gives the Markdown reader access to the lines of a text.
struct BufferLines: LineSource {
    let buffer: TextBuffer

    var lineCount: Int { buffer.lineCount }

    func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try buffer.withUTF8(of: LineNumber(index), body)
    }

    func withStart<R>(
        of index: Int, upTo limit: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> R
    ) rethrows -> R {
        try buffer.withStart(of: LineNumber(index), upTo: limit, body)
    }

    func length(of index: Int) -> Int { buffer.lineRange(LineNumber(index)).length }

    func withPart<R>(
        of index: Int, _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        let start = buffer.lineStart(LineNumber(index))
        return try buffer.withUTF8(in: start + range.lowerBound..<start + range.upperBound, body)
    }
}
