import Foundation
import TextPrimitives

/// The identity of a thing in the notebook: a UUID, which is the same in every copy of the notebook.
public protocol ItemID: Hashable, Sendable, Codable, CustomStringConvertible {
    var uuid: UUID { get }

    init(_ uuid: UUID)
}

extension ItemID {
    /// Reads a UUID in its usual form, in upper or lower case.
    public init?(_ text: String) {
        guard let uuid = UUID(digits: text) else { return nil }
        self.init(uuid)
    }

    public init(from decoder: any Decoder) throws { self.init(try UUID(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try uuid.encode(to: encoder) }

    /// The form that is stored in the notebook and used in links: upper case.
    public var description: String { uuid.digits }

    /// Reads a stored UUID; invalid text becomes zero.
    ///
    /// The schema accepts only text of a UUID's length; `tn doctor` finds text of that length that is no UUID.
    init(stored text: String) { self.init(UUID(digits: text) ?? .zero) }
}

extension UUID {
    fileprivate static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The same text as `uuidString`: 32 digits in upper case, in five groups.
    ///
    /// That one formats each byte by `snprintf`, 6,200 instructions in all (callgrind, 2026-11).
    public var digits: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var number = bigEndianNumber
            for index in stride(from: 35, through: 0, by: -1) {
                if [8, 13, 18, 23].contains(index) {
                    text[index] = UInt8(ascii: "-")
                } else {
                    let digit = UInt8(truncatingIfNeeded: number & 15)
                    text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
                    number >>= 4
                }
            }
            return 36
        }
    }

    /// Whether an identity comes before another in the order that all machines use: that of their texts in upper case.
    public func precedes(_ other: UUID) -> Bool { bigEndianNumber < other.bigEndianNumber }

    /// A UUID's bytes as a number, the first byte being the highest.
    private var bigEndianNumber: UInt128 { UInt128(bigEndian: unsafeBitCast(uuid, to: UInt128.self)) }

    /// Parses the same texts as `init(uuidString:)`: 32 digits in either case, in five groups.
    ///
    /// That one takes 8,700 instructions, and each row of a list has two UUIDs (callgrind, 2026-11).
    init?(digits text: String) {
        var text = text
        guard let number = text.withUTF8(Self.number) else { return nil }
        self.init(number)
    }

    private static func number(of digits: UnsafeBufferPointer<UInt8>) -> UInt128? {
        guard digits.count == 36 else { return nil }
        var number: UInt128 = 0
        for (index, byte) in digits.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = byte.hexDigitValue else { return nil }
                number = number << 4 | UInt128(digit)
            }
        }
        return number
    }

    /// A UUID's bytes are those of its number, the first one first.
    private init(_ number: UInt128) {
        self.init(uuid: unsafeBitCast(number.bigEndian, to: uuid_t.self))
    }

    /// Makes a new random UUID, of version 4 (RFC 9562, section 5.4).
    ///
    /// Foundation reads `/dev/urandom` for that. Where the file cannot be opened, as in a folder that a program was
    /// confined to, Foundation makes the same UUID each time, and notes and drafts would take each other's places.
    public static func random() -> UUID {
        // The system is asked without a file.
        let random = UInt128.random(in: .min ... .max)
        // The version has four bits, the variant two.
        let (fixed, version): (UInt128, UInt128) = (0xF << 76 | 0x3 << 62, 0x4 << 76 | 0x2 << 62)
        return UUID(random & ~fixed | version)
    }
}

/// The identity of a note: it never changes, and is the same in every copy of the notebook.
public struct NoteID: ItemID {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID.random()) { self.uuid = uuid }

    /// `takenote://note/<UUID>`.
    public var url: String { "takenote://note/" + description }
}

/// The identity of a folder, project, tag or system container.
public struct ContainerID: ItemID {
    public let uuid: UUID

    public init(_ uuid: UUID = UUID.random()) { self.uuid = uuid }
}

extension ContainerID {
    // These are fixed, so that two programs which both make the system containers make the same ones. The last digit is
    // also the row's integer key.
    public static let inbox = system(1)
    public static let starred = system(2)
    public static let allNotes = system(3)
    public static let trash = system(4)
    public static let archive = system(5)
    public static let buffer = system(6)

    private static func system(_ number: UInt8) -> ContainerID {
        ContainerID(UUID(uuid: (0x7A, 0x4E, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}
