import Foundation
import NoteStore
import SystemPackage

/// The file beside the notebook in which this machine keeps the key of its repository, readable by its owner only.
///
/// It holds a copy of the repository's file `key` and also the key itself, unless a command supplies the passphrase
/// each time.
struct KeyFile {
    let path: String

    private static let secretPrefix = "secret "
    /// The largest size in bytes; a key file has some hundred.
    private static let limit = 1 << 16

    func read() -> (wrapped: WrappedKey, key: SyncKey?)? {
        // Without the file, or with one that cannot be read, the key is asked for again.
        guard let bytes = try? PrivateFile.read(FilePath(path), limit: Self.limit), let wrapped = WrappedKey(bytes)
        else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last {
            $0.hasPrefix(Self.secretPrefix)
        }
        let secret = line.flatMap { Data(base64Encoded: String($0.dropFirst(Self.secretPrefix.count))) }
        return (wrapped, secret.flatMap { SyncKey($0) }.flatMap { $0.name == wrapped.id ? $0 : nil })
    }

    /// - Parameter key: The key, or `nil` if it must not be stored on this disk.
    func write(_ wrapped: WrappedKey, _ key: SyncKey?) throws(SyncError) {
        var text = wrapped.text
        if let key { text += Self.secretPrefix + Data(key.bytes).base64EncodedString() + "\n" }
        do {
            try PrivateFile.write(text.utf8, to: FilePath(path))
        } catch {
            throw .store(error)
        }
    }

    func remove() {
        try? PrivateFile.removeAll(FilePath(path))  // a file that stays has a key that nothing uses any more
    }
}
