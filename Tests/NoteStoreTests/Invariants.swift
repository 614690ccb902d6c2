import Testing

@testable import NoteStore

extension TestNotebook {
    /// Expects that every rule of the notebook holds.
    func expectSound(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let problems = try notebook.care.check()
        #expect(problems.isEmpty, comment, sourceLocation: sourceLocation)
    }
}
