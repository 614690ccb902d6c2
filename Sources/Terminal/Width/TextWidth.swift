import TextPrimitives

/// Measures how many cells text takes when drawn, exactly as `Screen.write` does.
///
/// Control and format characters count as the symbols that are drawn for them. The result depends on the width model;
/// `WidthModel.current` changes when the terminal has been measured.
public struct TextWidth: Sendable {
    public let model: WidthModel

    public init(model: WidthModel) {
        self.model = model
    }

    /// Measures by the current width model.
    public static var shared: TextWidth { TextWidth(model: .current) }

    /// The width of a character in cells: 0 to 2, or more for one that is drawn as several symbols.
    public func width(of character: Character) -> Int {
        // `asciiValue` is not used: it compares with "\r\n" by Unicode equivalence.
        var text = String(character)
        return text.withUTF8 { bytes in
            if bytes.count == 1, bytes[0] >= 0x20, bytes[0] < 0x7F { return 1 }
            return width(utf8: bytes)
        }
    }

    /// The width of a text in cells, as if it stood in one row.
    public func width(of text: some StringProtocol) -> Int {
        var copy = String(text)
        return copy.withUTF8 { width(utf8: $0) }
    }

    /// The width of UTF-8; each invalid byte counts as one U+FFFD.
    public func width(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var scanner = PieceScanner(bytes, model: model)
        var columns = 0
        while let piece = scanner.next() {
            columns += piece.columns
        }
        return columns
    }
}

extension CellWidth {
    /// The terminal's widths by the current width model; create it again after the terminal has been measured.
    public static var ofTerminal: CellWidth { CellWidth { TextWidth.shared.width(of: $0) } }
}
