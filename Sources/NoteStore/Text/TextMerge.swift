import TextEditing

/// Three-way merging of a note's text.
enum TextMerge {
    /// Returns a text with both changes, `nil` if they touch the same words.
    static func merge(base: String, ours: String, theirs: String) -> String? {
        guard case .merged(let text) = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs) else { return nil }
        return text
    }
}
