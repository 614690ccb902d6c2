import TextEditing

/// A number in a line for Ctrl-A and Ctrl-X: decimal with its sign, hexadecimal after `0x`, or binary after `0b`.
struct VimNumber {
    /// The number's byte range in the line, including its sign or prefix.
    let range: Range<Int>
    private let base: Int
    /// The prefix `0x`, or none.
    private let prefix: [UInt8]
    private let digits: [UInt8]
    private let isNegative: Bool

    /// Finds the number at or after a column.
    ///
    /// With a limit, as in a selection, text before the column is ignored.
    init?(in line: [UInt8], from column: Int, limit: Int?) {
        let end = min(limit ?? line.count, line.count)
        func isDigit(_ index: Int, _ base: Int) -> Bool {
            guard line.indices.contains(index), index < end else { return false }
            return line[index].digit.map { $0 < base } ?? false
        }
        /// Returns the base of a prefix with its letter at an index, if a digit follows.
        func prefixBase(_ index: Int) -> Int? {
            guard index > 0, index < end, line[index - 1] == 0x30 else { return nil }
            let base = line[index] | 0x20 == 0x78 ? 16 : line[index] | 0x20 == 0x62 ? 2 : nil
            return base.flatMap { isDigit(index + 1, $0) ? $0 : nil }
        }
        var first = column
        if limit == nil {
            first = VimNumber.start(in: line, from: column, isDigit, prefixBase)
        } else {
            while first < end, !isDigit(first, 10) { first += 1 }
        }
        guard isDigit(first, 10) else { return nil }
        base = line[first] == 0x30 ? prefixBase(first + 1) ?? 10 : 10
        prefix = base == 10 ? [] : Array(line[first..<first + 2])
        var last = first + prefix.count
        while isDigit(last, base) { last += 1 }
        digits = Array(line[first + prefix.count..<last])
        isNegative = base == 10 && first > 0 && line[first - 1] == 0x2D && (limit == nil || first > column)
        range = (isNegative ? first - 1 : first)..<last
    }

    /// Returns the index at which the number at or after a column begins.
    private static func start(
        in line: [UInt8], from column: Int, _ isDigit: (Int, Int) -> Bool, _ prefixBase: (Int) -> Int?
    ) -> Int {
        // The column may be in the digits after a prefix, or on its letter.
        for radix in [16, 2] {
            var index = column
            while index > 0, isDigit(index, radix) { index -= 1 }
            if prefixBase(index) == radix { return index - 1 }
        }
        var first = column
        while first < line.count, !isDigit(first, 10) { first += 1 }
        while isDigit(first - 1, 10) { first -= 1 }
        return first
    }

    /// Returns the sum in the number's format, with as many digits as before if it began with a zero.
    func adding(_ amount: Int) -> String {
        let value = UInt64(String(decoding: digits, as: UTF8.self), radix: base) ?? .max
        var new: String
        var sign = ""
        if base == 10 {
            let signed = isNegative ? 0 &- Int64(truncatingIfNeeded: value) : Int64(truncatingIfNeeded: value)
            let sum = signed &+ Int64(amount)
            new = String(sum.magnitude)
            sign = sum < 0 ? "-" : ""
        } else {
            // The last letter determines the case.
            let isUpper = (prefix + digits).last { $0 >= 0x41 }.map { $0 < 0x61 } ?? false
            new = String(value &+ UInt64(bitPattern: Int64(amount)), radix: base, uppercase: isUpper)
        }
        if base != 10 || digits.first == 0x30 {
            new = String(repeating: "0", count: max(0, digits.count - new.utf8.count)) + new
        }
        return sign + String(decoding: prefix, as: UTF8.self) + new
    }
}

extension VimMachine {
    /// Adds to the number at or after a position in its line.
    mutating func addToNumber(
        _ amount: Int, in number: LineNumber, from position: ByteOffset, limit: ByteOffset? = nil
    ) throws(VimRefusal) {
        let range = text.lineRange(number)
        let bytes = text.bytes(in: range)
        let column = position - range.lowerBound
        guard let found = VimNumber(in: bytes, from: column, limit: limit.map { $0 - range.lowerBound }) else {
            throw VimRefusal()
        }
        let new = found.adding(amount)
        let start = range.lowerBound + found.range.lowerBound
        edit([(start..<range.lowerBound + found.range.upperBound, new)], caret: start)
        caret = start + max(0, new.utf8.count - 1)
    }
}

extension UInt8 {
    /// The value of an ASCII digit or letter as a digit, with letters from 10.
    fileprivate var digit: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x5A: Int(self) - 0x41 + 10
        case 0x61...0x7A: Int(self) - 0x61 + 10
        default: nil
        }
    }
}
