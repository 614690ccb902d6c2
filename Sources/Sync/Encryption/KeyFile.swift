import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file beside the notebook in which this machine keeps the key of its repository, readable by its owner only.
///
/// It holds a copy of the repository's file `key` and also the key itself, unless a command supplies the passphrase
/// each time.
struct KeyFile {
    let path: String

    private static let mark = "secret "

    func read() -> (wrapped: WrappedKey, key: SyncKey?)? {
        guard let bytes = FileManager.default.contents(atPath: path), let wrapped = WrappedKey(Array(bytes)) else {
            return nil
        }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last { $0.hasPrefix(Self.mark) }
        let secret = line.flatMap { Data(base64Encoded: String($0.dropFirst(Self.mark.count))) }
        return (wrapped, secret.flatMap { SyncKey($0) }.flatMap { $0.name == wrapped.id ? $0 : nil })
    }

    /// - Parameter key: The key, or `nil` if it must not be stored on this disk.
    func write(_ wrapped: WrappedKey, _ key: SyncKey?) throws(SyncError) {
        var text = wrapped.text
        if let key { text += Self.mark + Data(key.bytes).base64EncodedString() + "\n" }
        let unfinished = path + ".new"
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .store(.system(path: path, errno: errno)) }
        let bytes = Array(text.utf8)
        let isWritten = isWritten(to: descriptor, bytes) && fsync(descriptor) == 0 && rename(unfinished, path) == 0
        let error = errno
        close(descriptor)
        guard isWritten else {
            // The unfinished file holds the key.
            unlink(unfinished)
            throw .store(.system(path: path, errno: error))
        }
    }

    private func isWritten(to descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }

    func remove() { unlink(path) }
}

/// Calls the system's `write`, which the method of this name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
