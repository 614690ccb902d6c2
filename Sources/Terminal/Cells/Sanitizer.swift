/// Makes text safe to print outside of the full screen: command output, errors, names.
public enum Sanitizer {
    /// `text` with all that is invisible or could command a terminal replaced by symbols; line feeds and tabs too.
    ///
    ///     "a\u{1B}[31mb" -> "a␛[31mb"
    public static func visible(_ text: some StringProtocol) -> String {
        var copy = String(text)
        return copy.withUTF8 { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            // Nothing is split up here: who prints cannot know what the terminal joins.
            var scanner = PieceScanner(bytes, model: .unicode)
            while let piece = scanner.next() {
                if piece.substitute != 0 {
                    Glyph(packed: piece.substitute).append(to: &output)
                } else {
                    output += bytes[piece.start..<piece.end]
                }
            }
            return String(decoding: output, as: UTF8.self)
        }
    }
}
