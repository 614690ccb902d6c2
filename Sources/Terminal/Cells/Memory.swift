#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Both use the C library, which is optimised for the machine: they run for every frame.
extension UnsafeRawPointer {
    /// Whether `count` bytes are the same at both addresses.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawPointer, count: Int) -> Bool { memcmp(self, other, count) == 0 }

    /// The offset of the first `byte` among `count` bytes, or nil if there is none.
    @inline(__always)
    func firstOffset(of byte: UInt8, count: Int) -> Int? {
        memchr(self, Int32(byte), count).map { distance(to: UnsafeRawPointer($0)) }
    }
}
