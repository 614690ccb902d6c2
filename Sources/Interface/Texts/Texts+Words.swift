extension Texts {
    /// The words that tell a screen reader what marks tell others.
    enum Words {
        static let marked = "marked"
        static let starred = "starred"
        static let folded = "folded"
        static let unfolded = "unfolded"
        static let tag = "tag"
        static let search = "saved search"
    }
}
