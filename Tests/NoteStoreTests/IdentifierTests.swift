import Foundation
import Testing

@testable import NoteStore

/// Tests how identities are read from text.
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
}
