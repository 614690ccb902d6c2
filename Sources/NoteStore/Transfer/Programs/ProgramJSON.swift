import Foundation

/// JSON that another program has written, in which halves of characters may stand alone.
///
/// JavaScript cuts texts between the two UTF-16 units of a character, and writes what is left as `\ud83d`. No text in
/// Unicode can contain that, and a strict decoder refuses the whole file. Here such a half becomes U+FFFD.
struct ProgramJSON {
    /// The JSON without halves of characters.
    let data: Data
    /// The character that stands for each half until `mend` replaces it; nil if there were none.
    ///
    /// It tells in which texts they were.
    private let mark: Character?

    /// The noncharacters that Unicode leaves to programs for purposes of their own.
    private static let marks = 0xFDD0...0xFDEF

    init(_ data: Data) {
        var bytes = Array(data)
        let halves = Self.halves(in: bytes)
        guard !halves.isEmpty, let scalar = Self.unusedMark(in: bytes) else {
            (self.data, mark) = (data, nil)
            return
        }
        let escape = Array("\\u\(String(scalar.value, radix: 16))".utf8)
        for start in halves { bytes.replaceSubrange(start..<start + escape.count, with: escape) }
        (self.data, mark) = (Data(bytes), Character(scalar))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONDecoder().decode(type, from: data) }

    /// Replaces the marks in a note's texts by U+FFFD, and records in the note that there were some.
    func mend(_ note: TranslatedNote) -> TranslatedNote {
        if mark == nil { return note }
        var mended = note
        mended.title = note.title.map(mend)
        mended.text = mend(note.text)
        mended.tags = note.tags.map(mend)
        mended.hasBrokenCharacters = mended.title != note.title || mended.text != note.text || mended.tags != note.tags
        return mended
    }

    func mend(_ text: String) -> String { mark.map { text.replacing(String($0), with: "\u{FFFD}") } ?? text }

    /// Returns the offsets of the escapes that are one half of a character and have no other beside them.
    private static func halves(in bytes: [UInt8]) -> [Int] {
        var halves: [Int] = []
        var offset = 0
        while offset < bytes.count, let backslash = bytes[offset...].firstIndex(of: UInt8(ascii: "\\")) {
            offset = backslash + 2
            guard let unit = Self.unit(at: backslash, in: bytes) else { continue }
            offset = backslash + 6
            guard (0xD800...0xDFFF).contains(unit) else { continue }
            if unit < 0xDC00, let next = Self.unit(at: offset, in: bytes), (0xDC00...0xDFFF).contains(next) {
                offset += 6
            } else {
                halves.append(backslash)
            }
        }
        return halves
    }

    /// Returns the UTF-16 unit that an escape gives; `nil` if there is no such escape.
    private static func unit(at offset: Int, in bytes: [UInt8]) -> UInt16? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u"),
            bytes[offset + 2..<offset + 6].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        return UInt16(String(decoding: bytes[offset + 2..<offset + 6], as: UTF8.self), radix: 16)
    }

    private static func unusedMark(in bytes: [UInt8]) -> Unicode.Scalar? {
        let data = Data(bytes)
        return marks.lazy.compactMap { Unicode.Scalar($0) }.first { scalar in
            let digits = String(scalar.value, radix: 16)
            let forms = [String(scalar), "\\u\(digits)", "\\u\(digits.uppercased())"]
            return forms.allSatisfy { data.range(of: Data($0.utf8)) == nil }
        }
    }
}
