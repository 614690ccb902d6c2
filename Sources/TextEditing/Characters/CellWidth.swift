/// How many terminal cells a character takes when it is drawn.
///
/// The answer belongs to whoever draws, so it is injected. Printable ASCII is one cell and is never asked for; single
/// scalars below U+0800 are asked once, and so is one character of each large block of wide ones.
public struct CellWidth: Sendable {
    private let measure: @Sendable (Character) -> Int
    /// Widths of the scalars below U+0800.
    private let low: [UInt8]
    let han: Int
    private let kana: Int
    private let hangul: Int

    /// Takes the width in cells of a character, 0 or more; called about 2,000 times at once, then for rare characters.
    public init(_ measure: @escaping @Sendable (Character) -> Int) {
        self.measure = measure
        low = (0..<0x800).map { (value: UInt32) -> UInt8 in
            if (0x20..<0x7F).contains(value) { return 1 }
            guard let scalar = Unicode.Scalar(value) else { return 1 }
            return UInt8(clamping: measure(Character(scalar)))
        }
        han = measure("一")
        kana = measure("あ")
        hangul = measure("가")
    }

    /// A plain rule for tests and tools: East Asian wide and emoji 2, marks 0, all other 1.
    public static let unicode = CellWidth { character in
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3: return 2
        case 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF: return 2
        case 0x20000...0x3FFFD: return 2
        default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    /// The cells of one character.
    public func cells(of character: Character) -> Int { measure(character) }

    /// The cells of the cluster in `range`, which is not a tab.
    func cells(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let first = bytes[range.lowerBound]
        if first >= 0x20, first < 0x7F, range.count == 1 { return 1 }
        if range.count == Clusters.scalarLength(first) {
            let scalar = Clusters.scalar(at: range.lowerBound, in: bytes)
            switch scalar {
            case ..<0x800: return Int(low[Int(scalar)])
            case 0x3041...0x3098, 0x309B...0x30FF: return kana
            case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFD: return han
            case 0xAC00...0xD7A3: return hangul
            default: break
            }
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        return text.reduce(0) { $0 + measure($1) }
    }
}
