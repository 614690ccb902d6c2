import Crypto
import Foundation

/// Identities derived from content, so that every machine computes the same ones.
enum StableID {
    /// Returns the identity that is derived from these parts.
    static func uuid(_ parts: [UInt8]...) -> UUID {
        var hash = SHA256()
        for part in parts {
            // The length keeps ("ab", "c") and ("a", "bc") apart.
            hash.update(data: Array("\(part.count):".utf8))
            hash.update(data: part)
        }
        var bytes = Array(hash.finalize().prefix(16))
        // Version 8 and the variant of RFC 9562: a UUID whose other bits have no defined meaning.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Whether an identity may be one of these, judged by its version.
    static func isDerived(_ id: UUID) -> Bool { id.uuid.6 & 0xF0 == 0x80 }

    static func uuid(_ kind: String, _ parts: [UInt8]...) -> UUID {
        uuid(Array(kind.utf8), parts.reduce(into: []) { $0 += Array("\($1.count):".utf8) + $1 })
    }
}
