/// Measures the width of a cluster in terminal cells.
///
/// The width depends on the code that draws, so the measuring function is injected. Printable ASCII is one cell wide
/// and never measured. Each scalar below U+0800 is measured once, and so is one character of each large block of wide
/// characters.
public struct CellWidth: Sendable {
    @usableFromInline let measure: @Sendable (Character) -> Int
    /// The widths of the scalars below U+0800.
    @usableFromInline let low: [UInt8]
    /// The width of a Han ideograph.
    public let han: Int
    @usableFromInline let kana: Int
    @usableFromInline let hangul: Int

    /// Creates a measure from a function that returns a character's width in cells, 0 or more.
    ///
    /// The function is called about 2,000 times at once, and later for rare characters.
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

    /// The widths according to Unicode, for text that is measured without a terminal.
    ///
    /// East Asian wide characters and emoji are 2 cells wide, nonspacing marks 0, and all others 1.
    public static let unicode = CellWidth { character in
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        if EastAsianWidth.contains(scalar.value, in: EastAsianWidth.wide) { return 2 }
        return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }

    /// Returns the width of a character.
    public func cells(of character: Character) -> Int { measure(character) }

    /// Returns the width of a text, in which a tab has the width that the measuring function gives it.
    public func cells(of text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            if bytes.isPrintableASCII { return bytes.count }
            var (position, sum) = (0, 0)
            while position < bytes.count {
                let end = Clusters.end(from: position, in: bytes)
                sum += cells(position..<end, in: bytes)
                position = end
            }
            return sum
        }
    }

    /// Returns the width of the cluster in `range` of valid UTF-8.
    ///
    /// The width of a tab depends on its column, which is not known here.
    @inlinable public func cells(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
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
        return measured(range, in: bytes)
    }

    @usableFromInline func measured(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        return text.reduce(0) { $0 + measure($1) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are printable ASCII, so that bytes, characters and cells have the same count.
    @inlinable public var isPrintableASCII: Bool {
        guard let base = baseAddress else { return true }
        var (index, odd): (Int, UInt64) = (0, 0)
        // Of eight bytes at once, the highest bit of each shows whether it is above 0x7F, below 0x20 or 0x7F.
        while index + 8 <= count {
            let word = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            odd |= word | (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101)
            index += 8
        }
        while index < count {
            odd |= base[index] &- 0x20 < 0x5F ? 0 : 0x80
            index += 1
        }
        return odd & 0x8080_8080_8080_8080 == 0
    }
}
