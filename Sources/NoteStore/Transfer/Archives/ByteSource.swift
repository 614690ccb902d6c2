import SystemPackage

/// Bytes that are read piece by piece: of a file, or of a file inside an archive.
enum ByteSource: Sendable {
    case file(FileDescriptor, size: Int)
    case memory([UInt8])

    var count: Int {
        switch self {
        case .file(_, let size): size
        case .memory(let bytes): bytes.count
        }
    }

    /// Reads bytes at an offset; throws if there are not enough.
    func bytes(at offset: Int, count wanted: Int) throws -> [UInt8] {
        guard offset >= 0, wanted >= 0, offset <= count, wanted <= count - offset else { throw DamagedArchive() }
        switch self {
        case .memory(let bytes): return Array(bytes[offset..<offset + wanted])
        case .file(let file, _):
            return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                filled = 0
                while filled < wanted {
                    let rest = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<wanted])
                    let read = try file.read(fromAbsoluteOffset: Int64(offset + filled), into: rest)
                    if read == 0 { throw DamagedArchive() }
                    filled += read
                }
            }
        }
    }
}
