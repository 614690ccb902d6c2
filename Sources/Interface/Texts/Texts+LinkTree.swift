extension Texts {
    /// The texts of the tree of links.
    enum LinkTree {
        static func title(_ note: String) -> String { "Links around “\(note)”" }
        static let linksHere = "links here"
        static let isLinked = "linked here"
        static let none = "No note links here, and this one links to none"
        static let more = "More"
        static let cut = "not all are shown"
        static let cutReason = "Not all links are shown"
    }
}
