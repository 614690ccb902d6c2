import Foundation

extension UnsafeBufferPointer<UInt8> {
    /// Whether both hold the same bytes.
    ///
    /// It uses the C library, which is optimised for the machine: a save compares the whole text.
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let mine = baseAddress, let others = other.baseAddress else {
            return count == other.count
        }
        return memcmp(mine, others, count) == 0
    }
}

extension String {
    /// Whether two texts are equal byte for byte; `==` treats composed and decomposed letters as equal.
    public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether a byte occurs in the text's UTF-8.
    ///
    /// It uses the C library, since every text that is stored is searched for some byte.
    func contains(byte: UInt8) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, CInt(byte), bytes.count) != nil
        }
    }

    /// Passes the text's bytes to `body` as a value for SQLite, without a copy; it is valid only during `body`.
    func withLentBytes<R>(_ body: (Data) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return try body(Data()) }
            return try body(
                Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none))
        }
    }
}
