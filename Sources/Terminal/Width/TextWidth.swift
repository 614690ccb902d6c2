import TextPrimitives

/// How many cells text takes when it is drawn: what `Screen.write` would use, exactly.
///
/// Control and format characters count as the visible symbols that they are drawn as. The answer depends on
/// `WidthModel.current`, which may change once, when the terminal has been measured.
public struct TextWidth: Sendable {
    public let model: WidthModel

    public init(model: WidthModel) {
        self.model = model
    }

    /// The width in the model that is in force now.
    public static var shared: TextWidth { TextWidth(model: .current) }

    public func width(of character: Character) -> Int {
        // Not by `asciiValue`, which compares with "\r\n" in every way that Unicode has.
        var text = String(character)
        return text.withUTF8 { bytes in
            if bytes.count == 1, bytes[0] >= 0x20, bytes[0] < 0x7F { return 1 }
            return width(utf8: bytes)
        }
    }

    public func width(of text: some StringProtocol) -> Int {
        var copy = String(text)
        return copy.withUTF8 { width(utf8: $0) }
    }

    /// The width of UTF-8; bytes that are none count as U+FFFD, one each.
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
    /// What the terminal takes, in the width model that is in force now; made anew when the terminal has been measured.
    public static var ofTerminal: CellWidth { CellWidth { TextWidth.shared.width(of: $0) } }
}
