import Foundation
import Testing

@testable import NoteStore

struct AttachmentPathTests {
    @Test func `identities are found by the present paths, byte for byte`() {
        let (one, two) = (UUID(), UUID())
        var paths = AttachmentPaths([one: "a.png"])
        paths[two] = "a.png"
        #expect(paths.identities(at: "a.png") == [one, two])
        paths[one] = "e\u{301}.png"
        #expect(paths.identities(at: "a.png") == [two])
        #expect(paths.identities(at: "e\u{301}.png") == [one] && paths.identities(at: "\u{E9}.png").isEmpty)
        paths[two] = nil
        #expect(paths.identities(at: "a.png").isEmpty && paths[two] == nil && paths.paths == [one: "e\u{301}.png"])
    }
}
