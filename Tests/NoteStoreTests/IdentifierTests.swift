import Foundation
import Testing

@testable import NoteStore

/// Tests how identities are read from text, written and ordered.
@Suite struct IdentifierTests {
    private static let text = "6C2D971B-43D2-4D6D-B14E-4769FE0B2346"

    @Test(arguments: [
        text, text.lowercased(), "6c2D971b-43d2-4D6D-b14E-4769fE0b2346", "00000000-0000-0000-0000-000000000001",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ])
    func `a UUID is what Foundation reads`(text: String) throws {
        #expect(UUID(digits: text) == UUID(uuidString: text))
        #expect(try #require(NoteID(text)).description == text.uppercased())
    }

    @Test(arguments: [
        "", "6C2D971B", String(text.dropLast()), text + "0", text.replacing("-", with: ""), "{\(text.dropFirst(2))}",
        "6C2D971-B43D2-4D6D-B14E-4769FE0B2346", "6C2D971B-43D2-4D6D-B14E-4769FE0B234G",
        "6C2D971B_43D2_4D6D_B14E_4769FE0B2346", "+6C2D971-43D2-4D6D-B14E-4769FE0B234 ",
        "６C2D971B-43D2-4D6D-B14E-4769FE0B23",
    ])
    func `any other text is none`(text: String) {
        #expect(UUID(digits: text) == nil)
        #expect(NoteID(text) == nil)
    }

    @Test func `a new UUID is random and of version 4`() {
        let made = (0..<1000).map { _ in UUID.random() }
        #expect(Set(made).count == made.count)
        for uuid in made { #expect(uuid.uuid.6 >> 4 == 4 && uuid.uuid.8 >> 6 == 2, "\(uuid)") }
        // All other bits are both 0 and 1 somewhere.
        let numbers = made.map { unsafeBitCast($0.uuid, to: UInt128.self) }
        let (some, all) = (numbers.reduce(0, |), numbers.reduce(.max, &))
        #expect((~some).nonzeroBitCount + all.nonzeroBitCount == 6)
    }

    @Test func `no source makes UUIDs that need a file of the system`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 100)
        let wrong = try paths.filter {
            try String(contentsOf: root.appending(path: $0), encoding: .utf8).contains("UUID()")
        }
        #expect(wrong == [])
    }

    @Test func `a UUID is written as Foundation writes it, and ordered as these texts are`() {
        let uuids =
            [0, 1, UInt64.max].map { UUID(uuid: unsafeBitCast(($0, $0), to: uuid_t.self)) }
            + (0..<1000).map { _ in UUID() }
        for (one, other) in zip(uuids, uuids.dropFirst()) {
            #expect(one.digits == one.uuidString)
            #expect(one.precedes(other) == (one.uuidString < other.uuidString))
            #expect(!one.precedes(one))
        }
        // Those that differ in the last digit alone.
        let near = (0..<16).map { UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
        #expect(near.reversed().sorted { $0.precedes($1) } == near.sorted { $0.uuidString < $1.uuidString })
    }
}
