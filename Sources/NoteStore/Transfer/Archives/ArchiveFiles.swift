import Foundation
import SystemPackage

/// The files in an archive, a zip or a tar, read without unpacking it to the disk, except that a packed tar is unpacked
/// to a file without a name.
///
/// An archive may come from a stranger, so everything in it is limited: the number of files that it lists, and the
/// sizes to which each of them and all together may unpack.
final class ArchiveFiles: Sendable {
    struct Entry: Sendable {
        /// The names of its parent folders and its own name.
        let names: [String]
        let size: Int
        let modified: Date
        /// The offset of its header (zip) or its bytes (tar).
        let offset: Int
        let packedSize: Int
        /// The compression method: 0 stored, 8 deflated.
        let method: Int
        let checksum: UInt32?
    }

    let path: FilePath
    private let source: ByteSource
    private let isZip: Bool
    /// The entries by their paths, joined by `/`.
    let entries: [String: Entry]
    /// The paths of the files, sorted.
    let names: [String]
    /// The problems of files that are left out.
    let problems: [ImportProblem]

    /// The maximum number of files that an archive may list.
    static let maximumFiles = 500_000
    /// The maximum size of the list of files, in bytes.
    static let maximumListSize = 200_000_000
    /// The maximum number of a file's parent folders.
    private static let maximumDepth = 50
    /// The maximum size of all unpacked files together: so many bytes, or so many times the archive's own size.
    static let total = (bytes: 4_000_000_000, times: 60)

    /// The maximum size in bytes of archives that are read whole: all those in an archive together.
    static let maximumMemory = 900_000_000
    /// The maximum size in bytes of an unpacked tar, which takes room on the disk.
    private static let maximumTar = 900_000_000

    /// Opens an archive; `nil` for a file that is not an archive.
    ///
    /// - Throws: `StoreError`: `damagedArchive`, `tooLarge`.
    convenience init?(_ path: FilePath) throws {
        guard Self.isArchive(path) else { return nil }
        let (source, problems) = try Self.packedTar(path) ?? (Self.file(path), [])
        do {
            try self.init(source, path: path, problems)
        } catch {
            Self.close(source)
            throw error
        }
    }

    /// Opens an archive that is inside another one.
    convenience init(_ bytes: [UInt8], path: FilePath) throws { try self.init(.memory(bytes), path: path) }

    private init(_ source: ByteSource, path: FilePath, _ found: [ImportProblem] = []) throws {
        do {
            let isZip = Self.isZip(try source.bytes(at: 0, count: min(4, source.count)))
            let list = isZip ? try ZipList.read(source) : try TarList.read(source)
            let all = list.entries.reduce(0) { $0 + min($1.size, Self.total.bytes) }
            guard all <= max(Self.total.bytes, source.count * Self.total.times) else {
                throw StoreError.tooLarge(name: path.string, bytes: all, limit: Self.total.bytes)
            }
            var entries: [String: Entry] = [:]
            var problems = found
            var numbers: [String: Int] = [:]
            for entry in list.entries where !entry.names.isEmpty {
                let name = Self.name(entry.names)
                if entry.names.contains("..") {
                    problems.append(ImportProblem(path: "\(path.string)/\(name)", reason: .linkOutside))
                } else if let before = entries[name], isZip || before.names != entry.names {
                    entries[Self.free(name, in: entries, &numbers)] = entry
                } else {
                    // If a file was added to a tar again, the last entry is the valid one.
                    entries[name] = entry
                }
            }
            problems += Self.problems(list.locked, .locked, in: path) + Self.problems(list.links, .notRegular, in: path)
            (self.path, self.source, self.isZip) = (path, source, isZip)
            (self.entries, names, self.problems) = (entries, entries.keys.sorted(), problems)
        } catch {
            if let error = error as? StoreError { throw error }
            throw StoreError.damagedArchive(path: path.string)
        }
    }

    /// Returns the problems of files that cannot be read, without hidden ones.
    private static func problems(
        _ names: [String], _ reason: ImportProblem.Reason, in path: FilePath
    ) -> [ImportProblem] {
        names.filter { !$0.hasPrefix("__MACOSX/") && ![String](inArchive: $0).contains { $0.hasPrefix(".") } }
            .map { ImportProblem(path: "\(path.string)/\($0)", reason: reason) }
    }

    /// Returns the path of a file; parent folders beyond the maximum become part of its name.
    private static func name(_ names: [String]) -> String {
        guard names.count > maximumDepth + 1 else { return names.joined(separator: "/") }
        return (names[..<maximumDepth] + [names[maximumDepth...].joined(separator: "-")]).joined(separator: "/")
    }

    /// Returns the name with the first free number before its extension, for one of several files with the same name.
    private static func free(_ name: String, in entries: [String: Entry], _ next: inout [String: Int]) -> String {
        let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
        let dot = name[start...].lastIndex(of: ".").flatMap { $0 > start ? $0 : nil } ?? name.endIndex
        var number = next[name] ?? 2
        defer { next[name] = number + 1 }
        while true {
            let candidate = "\(name[..<dot]) \(number)\(name[dot...])"
            if entries[candidate] == nil { return candidate }
            number += 1
        }
    }

    deinit { Self.close(source) }

    private static func file(_ path: FilePath) throws -> ByteSource {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        do {
            return .file(file, size: try FileStatus(file).size)
        } catch {
            try? file.close()  // nothing was written
            throw error
        }
    }

    private static func close(_ source: ByteSource) {
        if case .file(let file, _) = source { try? file.close() }  // what was written to it is not needed any more
    }

    /// Whether a file is a zip or a tar, judged by its first bytes.
    static func isArchive(_ path: FilePath) -> Bool {
        guard (try? FileStatus(path, followsLinks: true))?.kind == .file,  // a missing file is not an archive
            let head = try? RegularFile.head(path, count: 512)  // nor an unreadable one; importing it reports why
        else { return false }
        return isZip(head) || TarList.isHeader(head) || Gzip.isTar(path, head)
    }

    /// Unpacks the tar in a packed one to a temporary file without a name; returns `nil` for another archive.
    private static func packedTar(_ path: FilePath) throws -> (ByteSource, [ImportProblem])? {
        guard Gzip.isTar(path, try RegularFile.head(path, count: 3)) else { return nil }
        let packed = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? packed.close() }  // nothing was written
        let (tar, folder) = try PrivateFile.makeNamelessFile()
        do {
            let isAll = try Gzip.unpack(.file(packed, size: FileStatus(packed).size), limit: maximumTar) { bytes in
                do {
                    try tar.writeAll(bytes)
                } catch {
                    throw StoreError(error, path: folder.string)
                }
            }
            let problems = isAll ? [] : [ImportProblem(path: path.string, reason: .bytesAfterEnd)]
            return (.file(tar, size: try FileStatus(tar).size), problems)
        } catch {
            try? tar.close()  // the file has no name any more
            switch error {
            case Inflate.Problem.tooLarge:
                throw StoreError.tooLarge(name: path.string, bytes: maximumTar + 1, limit: maximumTar)
            case Inflate.Problem.failed(let error as StoreError): throw error
            case Inflate.Problem.failed(let error as Errno):
                throw StoreError.unreadable(name: path.string, errno: error.rawValue)
            default: throw StoreError.damagedArchive(path: path.string)
            }
        }
    }

    static func isZip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// Returns the content of a file.
    func read(_ name: String, limit: Int) throws(ImportFailure) -> RegularFile.Content {
        guard let entry = entries[name] else { throw ImportFailure(.notFound) }
        if entry.size > limit {
            return RegularFile.Content(bytes: [], modified: entry.modified, size: entry.size, isTooLarge: true)
        }
        // A stored file has its own size, and a packed file is hardly larger than the unpacked one.
        let maximumPackedSize = entry.size + (entry.method == 0 ? 0 : entry.size / 100 + 65_536)
        guard entry.packedSize <= maximumPackedSize, entry.method != 0 || entry.packedSize == entry.size else {
            throw ImportFailure(.damagedArchive)
        }
        do {
            var offset = entry.offset
            if isZip { offset = try ZipList.dataOffset(source, headerAt: offset) }
            let packed = try source.bytes(at: offset, count: entry.packedSize)
            let bytes =
                entry.method == 8 ? try Inflate.unpack(packed, expecting: entry.size, limit: entry.size) : packed
            guard bytes.count == entry.size, entry.checksum.map({ $0 == CRC32.of(bytes) }) ?? true else {
                throw ImportFailure(.damagedArchive)
            }
            return RegularFile.Content(bytes: bytes, modified: entry.modified, size: bytes.count)
        } catch let failure as ImportFailure {
            throw failure
        } catch let error as Errno {
            throw ImportFailure(.unreadable(errno: error.rawValue))
        } catch {
            throw ImportFailure(.damagedArchive)
        }
    }
}

/// The error for an archive whose list contradicts itself.
struct DamagedArchive: Error {}

/// Reads numbers from bytes, the lowest byte first.
struct LittleEndian {
    let bytes: [UInt8]

    func number(_ offset: Int, _ count: Int) throws -> Int {
        guard offset >= 0, offset + count <= bytes.count else { throw DamagedArchive() }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        guard value <= UInt64(Int.max) else { throw DamagedArchive() }
        return Int(value)
    }
}

/// The checksum of zips.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private var rest = ~UInt32(0)
    var value: UInt32 { ~rest }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        let table = Self.table
        rest = bytes.reduce(rest) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.add(bytes)
        return checksum.value
    }
}

extension [String] {
    /// Splits a path of an archive into names; some programs on Windows write `\`.
    init(inArchive path: String) {
        self = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init).filter { $0 != "." }
    }
}
