extension Texts {
    /// The messages about spelling.
    enum Spelling {
        static let noProgram = "Spelling is not checked: neither hunspell nor aspell is installed"
        static let noAnswer = "Spelling is not checked: the program does not answer"
        static func noDictionary(_ language: String) -> String {
            "Spelling is not checked: there is no dictionary “\(language)”; hunspell -D lists what is installed"
        }
        static func learned(_ word: String) -> String { "“\(word)” is in your dictionary" }
    }
}
