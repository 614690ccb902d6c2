import Foundation
import SystemPackage
import Testing

@testable import NoteStore

/// Tests reading packed tars.
@Suite struct GzipTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    /// Returns bytes as one packed file with these flags in its head, and what the flags say follows.
    private func packed(_ bytes: [UInt8], flags: UInt8 = 0, _ more: [UInt8] = []) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3] + more + Deflate.pack(bytes) + number(Int(CRC32.of(bytes)))
            + number(bytes.count)
    }

    private func unpacked(_ source: ByteSource, limit: Int = 9_000_000, isAll: Bool = true) throws -> [UInt8] {
        var (all, largest): ([UInt8], Int) = ([], 0)
        let wasAll = try Gzip.unpack(source, limit: limit) { bytes in
            all += bytes
            largest = max(largest, bytes.count)
        }
        #expect(wasAll == isAll)
        #expect(largest < 2_000_000)
        return all
    }

    @Test func `packed files that were joined are one, also with zeros after them`() throws {
        let (one, two) = (Array("one ".utf8), Array("two".utf8))
        let extra: [UInt8] = [2, 0, 7, 7] + Array("name".utf8) + [0] + Array("comment".utf8) + [0, 9, 9]
        let joined = packed(one) + packed([]) + packed(two, flags: 2 | 4 | 8 | 16, extra)
        #expect(try unpacked(.memory(joined)) == one + two)
        #expect(try unpacked(.memory(joined + [0, 0, 0])) == one + two)
        for more: [UInt8] in [[1], [0x1F], [0x1F, 0x8C], Array("<html>".utf8)] {
            #expect(try unpacked(.memory(joined + more), isAll: false) == one + two)
        }
        let cut = [1, 30, joined.count].map { Array(joined.dropLast($0)) }
        for damaged in cut + [joined + [0x1F, 0x8B, 1], Array(repeating: 0, count: 30)] {
            #expect(throws: Inflate.Problem.self) { try unpacked(.memory(damaged)) }
        }
        for index in joined.indices {
            var changed = joined
            changed[index] ^= 0x55
            // Nothing traps.
            _ = try? Gzip.unpack(.memory(changed), limit: 5_000) { _ in }
        }
    }

    @Test func `the file that a tar is unpacked to has no name, so that a kill leaves nothing`() throws {
        let (file, folder) = try PrivateFile.makeNamelessFile()
        #expect(try file.closeAfter { try FileStatus(file).names } == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.string))
    }

    @Test func `a long file is unpacked piece by piece, up to the limit`() throws {
        let lines = (0..<120_000).map { "line \($0 % 977) of a text that repeats\n" }
        let bytes = Array(lines.joined().utf8)
        #expect(bytes.count > 3_000_000)
        let once = packed(bytes)
        let path = try write("long", Data(once + once))
        let file = try FileDescriptor.open(path, .readOnly)
        try file.closeAfter {
            let source = ByteSource.file(file, size: try FileStatus(file).size)
            #expect(try unpacked(source) == bytes + bytes)
            #expect(throws: Inflate.Problem.self) { try unpacked(source, limit: bytes.count * 2 - 1) }
        }
    }

    @Test func `a tar whose pieces were packed one by one is imported, also with other bytes after its end`() throws {
        func json(_ title: String) -> String {
            #"{"isTrashed":false,"isArchived":false,"title":"\#(title)","textContent":"text","userEditedTimestampUsec":1}"#
        }
        let files = ["One", "Two"].map { ArchiveBuilder.File("Takeout/Keep/\($0).json", json($0)) }
        let tar = [UInt8](ArchiveBuilder.tar(files))
        let pieces = packed(Array(tar[..<700])) + packed(Array(tar[700...]))
        let path = try write("a.tgz", Data(pieces))
        #expect(try take(path).noteImportCount == 2)
        #expect(try take(path).unchangedCount == 2)
        let longer = try write("longer.tgz", Data(pieces + Array("<p>The end".utf8)))
        let again = try take(longer)
        #expect(again.problems == [ImportProblem(path: longer, reason: .bytesAfterEnd)])
        #expect(!again.problems.contains { !$0.isRemark })
        #expect(again.unchangedCount == 2)
    }
}
