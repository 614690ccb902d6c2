import Foundation

/// The content of the repository's file `key`: the key, encrypted with a passphrase.
///
///     tn-encrypted 1
///     id 0011223344556677
///     scrypt 17 SALT
///     key BYTES
///     former 8899aabbccddeeff BYTES
///
/// The file also holds the earlier keys that this one replaced, so that its holder can read the whole history.
package struct WrappedKey: Equatable, Sendable {
    let text: String
    /// The name of the encrypted key.
    let id: String
    /// Earlier keys of the repository by their names, encrypted with this one.
    private let earlierKeys: [String: [UInt8]]
    private let work: Int
    private let salt: [UInt8]
    private let sealed: [UInt8]

    /// The exponent of scrypt's N, a power of two: 128 MB and about half a second.
    static let usualWork = 17
    private static let maximumWork = 20

    /// - Parameters:
    ///   - earlierKeys: The keys that this one has replaced.
    ///   - salt: 16 random bytes; only tests pass their own.
    package init(
        _ key: SyncKey, passphrase: String, earlierKeys: [SyncKey] = [], work: Int = usualWork,
        salt: [UInt8] = SyncKey.randomBytes(16)
    ) throws(SyncError) {
        let header = Self.header(key.name, work, salt)
        guard let sealed = key.wrapped(by: passphrase, salt: salt, work: work, header: header) else {
            throw .key(.noPassphrase)
        }
        var sealedEarlierKeys: [String: [UInt8]] = [:]
        for former in earlierKeys { sealedEarlierKeys[former.name] = key.sealed(former: former) }
        (id, self.work, self.salt, self.sealed, self.earlierKeys) = (key.name, work, salt, sealed, sealedEarlierKeys)
        text = Self.text(header, sealed, sealedEarlierKeys)
    }

    /// Reads a key file, or returns `nil` if the bytes are not one.
    init?(_ bytes: [UInt8]) {
        // Each former key takes 110 bytes.
        guard bytes.count < 1 << 16 else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        guard lines.count >= 4, lines[0] == ["tn-encrypted", "1"], lines[1].count == 2, lines[1][0] == "id",
            lines[2].count == 3, lines[2][0] == "scrypt", let work = Int(lines[2][1]),
            (1...Self.maximumWork).contains(work), let salt = Data(base64Encoded: lines[2][2]),
            lines[3].count == 2, lines[3][0] == "key", let sealed = Data(base64Encoded: lines[3][1])
        else { return nil }
        var earlierKeys: [String: [UInt8]] = [:]
        for line in lines.dropFirst(4) where line.count == 3 && line[0] == "former" {
            earlierKeys[line[1]] = Data(base64Encoded: line[2]).map { Array($0) }
        }
        (id, self.work, self.salt, self.sealed) = (lines[1][1], work, Array(salt), Array(sealed))
        self.earlierKeys = earlierKeys
        self.text = Self.text(Self.header(id, work, Array(salt)), Array(sealed), earlierKeys)
    }

    var bytes: [UInt8] { Array(text.utf8) }

    private static func header(_ id: String, _ work: Int, _ salt: [UInt8]) -> String {
        "tn-encrypted 1\nid \(id)\nscrypt \(work) \(text(salt))\n"
    }

    private static func text(_ header: String, _ sealed: [UInt8], _ earlierKeys: [String: [UInt8]]) -> String {
        earlierKeys.sorted { $0.key < $1.key }.reduce(into: header + "key \(text(sealed))\n") {
            $0 += "former \($1.key) \(text($1.value))\n"
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Returns the key, or `nil` if the passphrase is wrong.
    func key(_ passphrase: String) -> SyncKey? {
        let key = SyncKey.unwrapped(
            sealed, by: passphrase, salt: salt, work: work, header: Self.header(id, work, salt))
        return key?.name == id ? key : nil
    }

    /// Returns whether this key has replaced the one of this name.
    func hasEarlier(_ name: String) -> Bool { earlierKeys[name] != nil }

    /// Returns the keys that `key` has replaced, without entries that were not written with it.
    func earlierKeys(_ key: SyncKey) -> [SyncKey] {
        earlierKeys.sorted { $0.key < $1.key }.compactMap { name, bytes in
            key.opened(former: bytes).flatMap { $0.name == name ? $0 : nil }
        }
    }
}

/// Generated passphrases.
enum Passphrase {
    /// Returns seven pronounceable words, which hold 112 random bits: "lusab-gutih-tugad-…".
    static func random() -> String {
        let bytes = SyncKey.randomBytes(14)
        return (0..<7).map { word(UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1])) }.joined(separator: "-")
    }

    /// Returns sixteen bits as a word of alternating consonants and vowels, as in "proquints".
    static func word(_ number: UInt16) -> String {
        let (consonants, vowels) = (Array("bdfghjklmnprstvz"), Array("aiou"))
        return String([
            consonants[Int(number >> 12)], vowels[Int(number >> 10 & 3)], consonants[Int(number >> 6 & 15)],
            vowels[Int(number >> 4 & 3)], consonants[Int(number & 15)],
        ])
    }
}
