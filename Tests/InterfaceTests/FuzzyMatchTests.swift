import Testing

@testable import Interface

struct FuzzyMatchTests {
    private func score(_ pattern: String, _ text: String) -> Int? {
        FuzzyMatch(pattern.foldedCharacters, in: text.foldedCharacters)?.score
    }

    @Test func `all characters must be there, in order`() {
        #expect(score("rl", "Reading list") != nil)
        #expect(score("lr", "Reading list") == nil)
        #expect(score("", "anything") == 0)
    }

    @Test func `case and accents do not matter`() {
        #expect(score("cafe", "CAFÉ") == score("cafe", "cafe"))
    }

    @Test(arguments: [
        ("gro", "Groceries", "Big or so"), ("nn", "New note", "Running"), ("move", "Move to folder", "More overt"),
    ])
    func `what stands together or begins words is better`(pattern: String, better: String, worse: String) throws {
        #expect(try #require(score(pattern, better)) > (score(pattern, worse) ?? .min))
    }
}
