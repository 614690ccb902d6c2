/// The content of one cell, or of two for wide text.
struct Piece {
    /// The UTF-8 to draw: the range `start..<end` of the text, or up to 8 bytes in `substitute` unless that is 0.
    var start: Int
    var end: Int
    var substitute: UInt64 = 0
    /// The number of columns: 1 or 2.
    var columns: Int
    /// Whether terminals disagree about `columns`.
    var isDoubtful = false
}

/// Cuts UTF-8 into pieces to draw, with symbols in place of invisible characters.
///
/// Every width that the program computes and every cell that it draws comes from here, so they agree. Bytes that a
/// terminal could take for a command, and invisible characters, become symbols:
///
///     "\u{1B}[0m"   ->  ␛ [ 0 m
///     "a\u{202E}b"  ->  a <202E> b         (one piece per character)
///     "\u{301}a"    ->  ◌́ a
///
/// Where `model` says so, all of them are spelled: `\u{1B}[0m` is `<1B>[0m`.
///
/// A cluster is one piece, except where `model` says that the terminal draws it as several.
struct PieceScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let model: WidthModel
    private(set) var index = 0
    /// The end of the cluster that `index` is in; at most `index` when between clusters.
    private var clusterEnd = 0
    /// The remaining characters of a symbol like `<202E>`: ASCII, first byte lowest.
    private var spelling: UInt64 = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, model: WidthModel) {
        self.bytes = bytes
        self.model = model
    }

    /// Whether `index` is at the start of a cluster and nothing is left of the one before.
    var isBetweenClusters: Bool { spelling == 0 && index >= clusterEnd }

    @inline(__always)
    mutating func next() -> Piece? {
        if index < bytes.count, isBetweenClusters {
            let byte = bytes[index]
            // No byte below 0x80 joins the character before it.
            if byte >= 0x20, byte < 0x7F, index + 1 == bytes.count || bytes[index + 1] < 0x80 {
                defer { index += 1 }
                return Piece(start: index, end: index + 1, columns: 1)
            }
        }
        return nextSlowly()
    }

    private mutating func nextSlowly() -> Piece? {
        if spelling != 0 { return spell() }
        guard index < bytes.count else { return nil }
        if index < clusterEnd { return nextOfCluster() }
        let (scalar, length) = decode(index)
        let kind = ScalarClass.of(scalar.value)
        if kind != .complex, isUnjoined(at: index + length) {
            let start = index
            index += length
            let isWide = kind == .wide || model.contains(.ambiguousIsWide) && scalar.baseColumns(model) == 2
            return Piece(start: start, end: index, columns: isWide ? 2 : 1)
        }
        clusterEnd = endOfCluster(from: index)
        return nextOfCluster()
    }

    /// Whether the character at `position` cannot belong to the cluster before it.
    private func isUnjoined(at position: Int) -> Bool {
        guard position < bytes.count else { return true }
        return bytes[position] < 0x80 || ScalarClass.of(decode(position).scalar.value) != .complex
    }

    /// The end of the cluster that starts at `start`, by the standard library's own rules, so that a `Character` is
    /// never split.
    private func endOfCluster(from start: Int) -> Int {
        var recognizer = Unicode._CharacterRecognizer()
        var position = start
        while position < bytes.count {
            let (scalar, length) = decode(position)
            if recognizer.hasBreak(before: scalar), position > start { break }
            position += length
        }
        return position
    }

    // MARK: - Clusters

    private mutating func nextOfCluster() -> Piece {
        let start = index
        let (base, length) = decode(start)
        index += length
        if base.isInvisible { return show(base) }
        if base == "\u{FFFD}" { return substitute(0xBDBFEF) }
        if base.isMark {
            // U+25CC is the dotted circle that is drawn for a missing base; the mark follows it.
            return Piece(
                start: start, end: index, substitute: 0x8C97E2 | pack(start..<index) << 24, columns: 1, isDoubtful: true
            )
        }
        var traits = ClusterTraits(base: base, columns: base.baseColumns(model))
        extend(&traits)
        let isSettled = traits.isSettled || model.contains(.isMeasured) && traits.isMeasurable
        return Piece(start: start, end: index - traits.dropped, columns: traits.columns, isDoubtful: !isSettled)
    }

    /// Adds the scalars that belong to the base, up to one that must be drawn or shown separately.
    private mutating func extend(_ traits: inout ClusterTraits) {
        while index < clusterEnd {
            let (scalar, length) = decode(index)
            switch traits.fate(
                of: scalar, followedBy: index + length < clusterEnd ? decode(index + length).scalar : nil, model)
            {
            case .joins:
                index += length
            case .endsPiece:
                return
            case .endsPieceUnseen:
                index += length
                traits.dropped = length
                return
            }
        }
    }

    // MARK: - Symbols

    private mutating func show(_ scalar: Unicode.Scalar) -> Piece {
        if !model.contains(.spellsControls) {
            if scalar.value < 0x20 { return substitute(0x8090E2 + UInt64(scalar.value) << 16) }
            if scalar.value == 0x7F { return substitute(0xA190E2) }
        }
        let digits = (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        spelling = UInt64(UInt8(ascii: ">"))
        for digit in digits.utf8.reversed() {
            spelling = spelling << 8 | UInt64(digit)
        }
        return substitute(UInt64(UInt8(ascii: "<")))
    }

    private mutating func spell() -> Piece {
        defer { spelling >>= 8 }
        return substitute(spelling & 0xFF)
    }

    private func substitute(_ packed: UInt64) -> Piece {
        Piece(start: index, end: index, substitute: packed, columns: 1)
    }

    // MARK: - Bytes

    private func pack(_ range: Range<Int>) -> UInt64 {
        range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    /// The scalar at a position and its length in bytes; U+FFFD and 1 if the bytes are not UTF-8.
    @inline(__always)
    private func decode(_ position: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let first = bytes[position]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        return decodeLong(position, first)
    }

    private func decodeLong(_ position: Int, _ first: UInt8) -> (scalar: Unicode.Scalar, length: Int) {
        let replacement: (Unicode.Scalar, Int) = ("\u{FFFD}", 1)
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first <= 0xF4, position + length <= bytes.count else { return replacement }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else { return replacement }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return replacement }
        return (scalar, length)
    }
}
