import Crypto
import CryptoExtras
import Foundation

/// The key of an encrypted repository, with every computation that uses it.
///
/// No other file knows a cipher.
///
/// Encryption is deterministic: equal bytes give equal encrypted bytes, so that two machines in the same state make the
/// same commit. Each nonce is therefore derived from a keyed hash of the clear bytes, with a key used for nothing else.
package struct SyncKey: Equatable, Sendable {
    /// 32 random bytes.
    let bytes: [UInt8]
    private let names, nameNonces, contents, contentNonces, folders, identity, commits, keys, keyNonces: SymmetricKey

    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
        let master = SymmetricKey(data: self.bytes)
        func part(_ name: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: master, info: Array("tn sync \(name)".utf8), outputByteCount: 32)
        }
        (names, nameNonces) = (part("names"), part("nonces of names"))
        (contents, contentNonces) = (part("contents"), part("nonces of contents"))
        (folders, identity, commits) = (part("folders"), part("identity"), part("commits"))
        (keys, keyNonces) = (part("former keys"), part("nonces of former keys"))
    }

    static let length = 32

    /// Returns a new random key.
    static func random() -> SyncKey { SyncKey(randomBytes(length)) ?? random() }

    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// An identifier of this key, which reveals nothing about its bytes.
    var name: String {
        Self.hexadecimal(HMAC<SHA256>.authenticationCode(for: Array("name".utf8), using: identity).prefix(8))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    // MARK: - Names and contents

    func sealed(name: [UInt8]) -> [UInt8]? { Self.encrypt(name, names, nameNonces) }
    func opened(name: [UInt8]) -> [UInt8]? { Self.decrypt(name, names) }
    func sealed(content: [UInt8]) -> [UInt8]? { Self.encrypt(content, contents, contentNonces) }
    func opened(content: [UInt8]) -> [UInt8]? { Self.decrypt(content, contents) }

    /// Encrypts an earlier key that this one has replaced.
    func sealed(former key: SyncKey) -> [UInt8]? { Self.encrypt(key.bytes, keys, keyNonces) }
    func opened(former bytes: [UInt8]) -> SyncKey? { Self.decrypt(bytes, keys).flatMap { SyncKey($0) } }

    /// Returns the keyed hash (HMAC) of bytes in hexadecimal, which only a holder of the key can compute.
    func seal(of bytes: [UInt8]) -> String {
        Self.hexadecimal(HMAC<SHA256>.authenticationCode(for: bytes, using: commits))
    }

    /// Returns the name of one of 256 folders, always the same one for the same path.
    func folder(of path: [UInt8]) -> String {
        Self.hexadecimal(HMAC<SHA256>.authenticationCode(for: path, using: folders).prefix(1))
    }

    private static func encrypt(_ bytes: [UInt8], _ key: SymmetricKey, _ nonces: SymmetricKey) -> [UInt8]? {
        let hash = HMAC<SHA256>.authenticationCode(for: bytes, using: nonces)
        // Neither call fails for inputs of these lengths.
        guard let nonce = try? AES.GCM.Nonce(data: Array(hash.prefix(12))),
            let box = try? AES.GCM.seal(bytes, using: key, nonce: nonce)  // see above
        else { return nil }
        return box.combined.map { Array($0) }
    }

    /// Decrypts bytes, or returns `nil` if they were not encrypted with this key.
    private static func decrypt(_ bytes: [UInt8], _ key: SymmetricKey) -> [UInt8]? {
        // Decryption fails if the bytes are too short or were changed.
        guard let box = try? AES.GCM.SealedBox(combined: bytes), let opened = try? AES.GCM.open(box, using: key)
        else { return nil }
        return Array(opened)
    }

    // MARK: - Passphrases

    /// Returns the key encrypted with a passphrase and authenticated together with the header that precedes it in its
    /// file.
    ///
    /// - Parameter work: scrypt's N as a power of two; each step doubles time and memory.
    func wrapped(by passphrase: String, salt: [UInt8], work: Int, header: String) -> [UInt8]? {
        guard let key = Self.passphraseKey(passphrase, salt, work),
            // The salt is new each time, and so is the derived key: a fixed nonce is safe.
            let box = try? AES.GCM.seal(
                bytes, using: key, nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
                authenticating: Array(header.utf8))
        else { return nil }
        return box.combined.map { Array($0) }
    }

    /// Decrypts a key, or returns `nil` if the passphrase is wrong.
    static func unwrapped(_ bytes: [UInt8], by passphrase: String, salt: [UInt8], work: Int, header: String) -> SyncKey?
    {
        guard let key = passphraseKey(passphrase, salt, work),
            // A wrong passphrase cannot be told from a damaged file.
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Array(header.utf8))  // see above
        else { return nil }
        return SyncKey(opened)
    }

    private static func passphraseKey(_ passphrase: String, _ salt: [UInt8], _ work: Int) -> SymmetricKey? {
        // Composed and decomposed letters look alike and are typed alike.
        let bytes = Array(passphrase.precomposedStringWithCanonicalMapping.utf8)
        guard !bytes.isEmpty, !salt.isEmpty, (1...20).contains(work) else { return nil }
        // Scrypt fails if there is too little memory.
        return try? KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: 32, rounds: 1 << work, blockSize: 8, parallelism: 1)
    }
}
