extension Texts {
    /// The messages about spelling.
    enum Spelling {
        static let noProgram = "Spelling is not checked: neither hunspell nor aspell is installed"
        static let noAnswer = "Spelling is not checked: the program does not answer"
        static func noDictionary(_ language: String) -> String {
            "Spelling is not checked: there is no dictionary “\(language)”; hunspell -D lists what is installed"
        }
        /// The reason why the user's own dictionary is not read.
        static func notRead(_ problem: SettingsFile.Problem) -> String {
            switch problem {
            case .unreadable: "Your dictionary words.txt cannot be read"
            case .tooLarge:
                "Your dictionary words.txt is larger than \(SettingsFile.limit / 1_000_000) MB and is not read"
            }
        }
        static func learned(_ word: String) -> String { "“\(word)” is in your dictionary" }
    }
}
