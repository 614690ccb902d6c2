import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The content of a file as memory that the system reads when it is looked at.
enum MappedFile {
    /// The bytes of a regular file, which stays mapped for as long as the value lives.
    static func data(of path: FilePath) throws(StoreError) -> Data {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                let status = try FileStatus(file)
                guard status.kind == .file else { throw Errno.notSupported }
                guard status.size > 0 else { return Data() }
                let memory = mmap(nil, status.size, PROT_READ, MAP_PRIVATE, file.rawValue, 0)
                guard let memory, memory != MAP_FAILED else { throw Errno(rawValue: errno) }
                return Data(bytesNoCopy: memory, count: status.size, deallocator: .unmap)
            }
        } catch {
            throw StoreError(error, path: path.string)
        }
    }
}
