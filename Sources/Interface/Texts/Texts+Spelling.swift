extension Texts {
    /// The texts about spelling.
    enum Spelling {
        static let off = "Spelling is off; editor.spelling in config.toml names a language"
        static let nothingWrong = "Nothing is spelt wrong here, as far as it was checked"
        static let asking = "The spelling is being checked…"
        static let ownWords = "your own words"
        static func title(_ word: String) -> String { "Spelling: \(word)" }
        static func learn(_ word: String) -> String { "Add “\(word)” to your dictionary" }
    }
}
