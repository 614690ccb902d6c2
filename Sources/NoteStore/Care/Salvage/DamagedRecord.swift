import Foundation
import GRDB

/// A value of a damaged file, byte for byte.
enum DamagedValue: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Data)
    case blob(Data)

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The text, with invalid UTF-8 replaced by U+FFFD.
    var text: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }

    /// The value as a statement argument; a text is passed as bytes and cast, since GRDB would end it at U+0000.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let bytes), .blob(let bytes): Data(bytes).databaseValue
        }
    }

    /// The placeholder for the value in a statement.
    var mark: String { if case .text = self { "CAST(? AS TEXT)" } else { "?" } }
}

/// A row as stored in a page.
struct DamagedRecord {
    /// The rowid; 0 for a row of a table without rowids.
    let key: Int64
    var values: [DamagedValue]
    /// Whether the row is complete; pages on which a long row continues may be lost.
    let isWhole: Bool

    /// Decodes the values of a row; nil if the bytes are not a row.
    init?(_ payload: Data, key: Int64, isWhole: Bool) {
        var reader = ByteReader(payload)
        guard let headerSize = reader.variable(), headerSize >= 1, headerSize <= payload.count else { return nil }
        var types: [Int] = []
        while reader.offset < headerSize {
            guard let type = reader.variable() else { return nil }
            types.append(type)
        }
        guard reader.offset == headerSize, !types.isEmpty, types.count <= Self.maximumColumns else { return nil }
        values = []
        var whole = isWhole
        for type in types {
            guard let value = reader.value(type) else {
                // The row is cut off; the beginning of a long text or blob is kept.
                guard !isWhole, type >= 12, reader.rest > 0 else {
                    if isWhole { return nil }
                    values.append(.null)
                    whole = false
                    continue
                }
                let rest = reader.take(reader.rest) ?? Data()
                values.append(type % 2 == 0 ? .blob(rest) : .text(rest))
                whole = false
                continue
            }
            values.append(value)
        }
        self.key = key
        self.isWhole = whole
    }

    /// The maximum number of columns that is accepted, which is more than any of our tables has.
    private static let maximumColumns = 100
}

/// Reads numbers and values in sequence.
struct ByteReader {
    private let data: Data
    private(set) var offset = 0

    init(_ data: Data, at offset: Int = 0) {
        self.data = data
        self.offset = offset
    }

    var rest: Int { data.count - offset }

    mutating func take(_ count: Int) -> Data? {
        guard count >= 0, count <= rest else { return nil }
        defer { offset += count }
        return data.slice(offset, count)
    }

    /// Reads a number of one to nine bytes, seven bits each; nil at the end, or if the number is negative.
    mutating func variable() -> Int? {
        signed().flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
    }

    /// Reads a number that may be negative, such as a rowid.
    mutating func signed() -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard offset < data.count else { return nil }
            let byte = data[data.startIndex + offset]
            offset += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }

    /// Reads a value of a record by its serial type; nil if bytes are missing.
    mutating func value(_ type: Int) -> DamagedValue? {
        switch type {
        case 0: return .null
        case 1...6:
            guard let bytes = take([1, 2, 3, 4, 6, 8][type - 1]), let first = bytes.first else { return nil }
            let start: Int64 = first >= 0x80 ? -1 : 0
            return .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
        case 7:
            guard let bytes = take(8) else { return nil }
            return .real(Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 12...:
            guard let bytes = take((type - 12) / 2) else { return nil }
            return type % 2 == 0 ? .blob(bytes) : .text(bytes)
        default: return nil
        }
    }
}
