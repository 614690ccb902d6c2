#if canImport(Darwin)
import Darwin
import TextPrimitives
#else
import Glibc
#endif

/// A buffer of UTF-8 bytes in memory; offsets are bytes from its start.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// The bytes that have a meaning in Markdown, by name.
enum Byte {
    static let tab: UInt8 = 0x09
    static let newline: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let bang: UInt8 = 0x21
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let dollar: UInt8 = 0x24
    static let ampersand: UInt8 = 0x26
    static let apostrophe: UInt8 = 0x27
    static let openParen: UInt8 = 0x28
    static let closeParen: UInt8 = 0x29
    static let star: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let hyphen: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let equals: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let question: UInt8 = 0x3F
    static let at: UInt8 = 0x40
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let caret: UInt8 = 0x5E
    static let underscore: UInt8 = 0x5F
    static let backtick: UInt8 = 0x60
    static let lowerW: UInt8 = 0x77
    static let lowerX: UInt8 = 0x78
    static let openBrace: UInt8 = 0x7B
    static let pipe: UInt8 = 0x7C
    static let tilde: UInt8 = 0x7E
}

/// A set of ASCII bytes stored in two words, so that a membership test is a shift and not a memory access.
struct ASCIISet: Sendable {
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0

    init(_ members: StaticString) {
        insert(members)
    }

    mutating func insert(_ members: StaticString) {
        members.withUTF8Buffer { bytes in
            for byte in bytes where byte < 128 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
            }
        }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 != 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `word`, given in lower-case ASCII, is at `offset`, ignoring case.
    func hasCaseless(_ word: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset + word.utf8CodeUnitCount <= count else { return false }
        return word.withUTF8Buffer { wanted in
            for index in 0..<wanted.count where self[offset + index].lowercased != wanted[index] { return false }
            return true
        }
    }

    /// Whether exactly `word` is at `offset`.
    func has(_ word: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset + word.utf8CodeUnitCount <= count else { return false }
        return word.withUTF8Buffer { wanted in
            for index in 0..<wanted.count where self[offset + index] != wanted[index] { return false }
            return true
        }
    }

    /// The offset of the first `byte` in `start..<end`; nil if there is none.
    func firstOffset(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard start < end, let base = baseAddress, let found = memchr(base + start, Int32(byte), end - start) else {
            return nil
        }
        return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    }

    /// The bytes from `start` up to `end`, without copying them.
    func slice(_ start: Int, _ end: Int) -> Bytes { Bytes(rebasing: self[start..<end]) }
}
