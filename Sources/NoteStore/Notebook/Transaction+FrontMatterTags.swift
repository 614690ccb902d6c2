/// Tags that other programs write into front matter, where Obsidian has those of a note.
extension Transaction {
    /// Gives a note the tags that somebody has added to the front matter of its file, and takes those removed there.
    ///
    /// Tags that stand in both texts stay as they are: somebody may have taken one from the note in the notebook.
    func followTags(from old: String, to new: String, of id: NoteID) throws {
        let (before, after) = (Self.tagNames(in: old), Self.tagNames(in: new))
        if before.keys == after.keys { return }
        let head = try head(id)
        let present = try tags(of: head.key, .hand)
        for (key, name) in after.sorted(by: { $0.key < $1.key }) where before[key] == nil {
            let tag = try tag(named: name).tag
            if !present.contains(tag.key) { try addTag(tag, to: head.key) }
        }
        for key in before.keys where after[key] == nil {
            let tag: Int64? = try value("SELECT id FROM container WHERE nameKey = ? AND kind = 'tag'", [key])
            if let tag, present.contains(tag) { try removeTag(tag, from: head.key) }
        }
        change.notes?.insert(id)
    }

    /// Returns the tags in a text's front matter; makes missing ones.
    func tags(inFrontMatterOf text: String) throws -> [ContainerID] {
        try Self.tagNames(in: text).sorted { $0.key < $1.key }.map { try tag(named: $0.value).tag.id }
    }

    /// Returns the names of the tags in a text's front matter by their folded forms.
    private static func tagNames(in text: String) -> [String: String] {
        let names = (NoteFrontMatter(of: text)?.tags ?? []).map(cleanTitle)
        return Dictionary(names.map { (Folding.key($0), $0) }) { first, _ in first }.filter { !$0.key.isEmpty }
    }
}
