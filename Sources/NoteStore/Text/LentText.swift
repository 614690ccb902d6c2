import Foundation

extension String {
    /// Whether two texts are the same byte for byte; `==` takes composed and decomposed letters for the same.
    public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Lends the text's bytes as a value that SQLite takes as it is, without a copy; good for the time of `body`.
    func withLentBytes<R>(_ body: (Data) throws -> R) rethrows -> R {
        var text = self
        return try text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return try body(Data()) }
            return try body(
                Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none))
        }
    }
}
