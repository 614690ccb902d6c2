import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The processes that a process has started, for a program that has no group of its own.
enum Descendants {
    /// Returns the children of a process, their children, and so on; empty if the system does not tell.
    static func of(_ id: Int32) -> [Int32] {
        var (found, waiting) = ([Int32](), [id])
        while let next = waiting.popLast() {
            let children = children(of: next).filter { !found.contains($0) }
            found += children
            waiting += children
        }
        return found
    }

    #if canImport(Darwin)
    private static func children(of id: Int32) -> [Int32] {
        var ids = [Int32](repeating: 0, count: 256)
        let size = ids.withUnsafeMutableBytes { buffer in
            proc_listpids(UInt32(PROC_PPID_ONLY), UInt32(id), buffer.baseAddress, Int32(buffer.count))
        }
        return ids.prefix(max(0, Int(size)) / MemoryLayout<Int32>.size).filter { $0 > 0 }
    }
    #else
    /// The kernel lists the children of a process's first thread as numbers separated by blanks.
    private static func children(of id: Int32) -> [Int32] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        // The process may have ended, and then it has no children.
        guard let file = try? FileDescriptor.open("/proc/\(id)/task/\(id)/children", .readOnly, options: .closeOnExec)
        else { return [] }
        defer { try? file.close() }  // nothing was written
        while let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
    #endif
}
