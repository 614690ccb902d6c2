import Foundation
import NoteStore

/// The names and the file format of an encrypted repository.
///
/// The encrypted name of a file holds its path, its mode and the object name of its bytes. So a tree can be listed
/// without reading a single file, and no file can be put in another one's place. The bytes are padded and encrypted
/// separately, so renaming a folder rewrites only names.
struct SealedLayout: Sendable {
    let key: SyncKey

    /// The file that holds the key, encrypted with a passphrase.
    static let keyPath: TreePath = "key"
    private static let folder: TreePath = "s"
    /// The greatest length of one path component; a longer encrypted name is split into nested folders.
    private static let maximumComponentLength = 200
    private static let (plus, slash, equals) = (UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="))
    private static let (hyphen, line) = (UInt8(ascii: "-"), UInt8(ascii: "_"))
    private static let modes = ["100644", "100755", "120000", "160000"]

    // MARK: - Names

    /// Returns the encrypted path of an entry, or `nil` if its mode or object name is invalid.
    func encryptedPath(of path: TreePath, _ entry: TreeEntry) -> TreePath? {
        guard let mode = Self.modes.firstIndex(of: entry.mode), let object = Self.bytes(entry.object) else {
            return nil
        }
        var plain = [UInt8(mode)] + object + path.bytes
        plain += [UInt8](repeating: 0, count: (32 - plain.count % 32) % 32)
        guard let sealed = key.sealed(name: plain) else { return nil }
        var encryptedPath = Self.folder.appending(key.folder(of: path.bytes))
        // The URL-safe alphabet of base64, since a slash would make a folder.
        let text = Data(sealed).base64EncodedData().filter { $0 != Self.equals }.map { byte in
            byte == Self.plus ? Self.hyphen : byte == Self.slash ? Self.line : byte
        }
        for start in stride(from: 0, to: text.count, by: Self.maximumComponentLength) {
            encryptedPath = encryptedPath.appending(text[start..<min(start + Self.maximumComponentLength, text.count)])
        }
        return encryptedPath
    }

    /// Returns the clear path and entry for an encrypted path, or `nil` if it was not made with the key.
    func entry(at encryptedPath: TreePath) -> (path: TreePath, entry: TreeEntry)? {
        let names = encryptedPath.names
        guard names.count > 2, names[0].elementsEqual(Self.folder.bytes) else { return nil }
        var text = names.dropFirst(2).joined().map { byte in
            byte == Self.hyphen ? Self.plus : byte == Self.line ? Self.slash : byte
        }
        text += [UInt8](repeating: Self.equals, count: (4 - text.count % 4) % 4)
        guard let sealed = Data(base64Encoded: Data(text)), let plain = key.opened(name: Array(sealed)),
            plain.count > 21, Int(plain[0]) < Self.modes.count
        else { return nil }
        let path = TreePath(Array(plain[21...].prefix { $0 != 0 }))
        let object = plain[1...20].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return path.isUnsafe ? nil : (path, TreeEntry(mode: Self.modes[Int(plain[0])], object: object))
    }

    private static func bytes(_ object: String) -> [UInt8]? {
        let digits = object.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 40, object.utf8.count == 40 else { return nil }
        return stride(from: 0, to: 40, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    // MARK: - Contents

    func sealed(_ content: [UInt8]) -> [UInt8]? {
        // Large files are mostly pictures and the like, which are already compressed.
        let packed = content.count <= Self.maximumPackedSize ? Notebook.Sync.packed(content) : content
        let isPacked = packed.count < content.count
        let plain = Self.head(isPacked, content.count, packed.count) + (isPacked ? packed : content)
        let padded = Self.paddedCount(plain.count)
        return key.sealed(content: plain + [UInt8](repeating: 0, count: padded - plain.count))
    }

    /// Returns the clear content, or `nil` if it was not written with the key.
    func opened(_ bytes: [UInt8]) -> [UInt8]? {
        guard let plain = key.opened(content: bytes), plain.count >= Self.headCount else { return nil }
        func number(_ start: Int) -> Int {
            Int(truncatingIfNeeded: plain[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        let (count, written) = (number(1), number(9))
        guard written >= 0, written <= plain.count - Self.headCount else { return nil }
        let rest = Array(plain[Self.headCount..<(Self.headCount + written)])
        switch plain[0] {
        case 0: return rest
        case 1 where count >= 0 && count <= Self.maximumPackedSize: return Notebook.Sync.unpacked(rest, limit: count)
        default: return nil
        }
    }

    private static let maximumPackedSize = 1 << 20
    private static let headCount = 17

    /// Returns the header: whether the content is compressed, its length in bytes, and the number of bytes that follow.
    private static func head(_ isPacked: Bool, _ count: Int, _ packed: Int) -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        return [isPacked ? 1 : 0] + bytes(count) + bytes(isPacked ? packed : count)
    }

    /// Returns the padded size, which reveals little about the true one: at least 256 bytes, and at most 12 % more than
    /// `count`.
    ///
    /// The scheme is Padmé (Nikitin et al., 2019).
    static func paddedCount(_ count: Int) -> Int {
        if count <= 256 { return 256 }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - kept)) - 1
        return (count + mask) & ~mask
    }
}
