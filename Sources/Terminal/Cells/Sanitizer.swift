/// Makes text safe to print outside the full screen: command output, errors, names.
public enum Sanitizer {
    /// The text with symbols for all characters that are invisible or could command a terminal, also line feeds and
    /// tabs.
    ///
    ///     "a\u{1B}[31mb" -> "a␛[31mb"
    public static func visible(_ text: some StringProtocol) -> String {
        var copy = String(text)
        return copy.withUTF8 { bytes in
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            // Clusters are not split here: the code that prints cannot know which ones the terminal joins.
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
