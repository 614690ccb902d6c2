#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The C library knows the machine: these two are on the way of every frame.
extension UnsafeRawPointer {
    /// Whether `count` bytes are the same here and there.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawPointer, count: Int) -> Bool { memcmp(self, other, count) == 0 }

    /// Where a byte stands first among `count` bytes.
    @inline(__always)
    func firstOffset(of byte: UInt8, count: Int) -> Int? {
        memchr(self, Int32(byte), count).map { distance(to: UnsafeRawPointer($0)) }
    }
}
