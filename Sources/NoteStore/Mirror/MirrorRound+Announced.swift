/// Finds out which files a killed round has written though it could not record them.
extension MirrorRound {
    /// Takes the announced states of the files that were written for the common states of their notes.
    ///
    /// What cannot be read now stays announced, and its note waits with it.
    func takeUpAnnounced() {
        for (id, base) in state.announced {
            let path = ExactText(base.path)
            guard let hash = hashes[path] else {
                guard listing.files[path] != nil else { continue }
                state.keepAnnounced(id)
                frozen.insert(id)
                continue
            }
            let isEdited = texts[path].map { continues($0, base, since: state.notes[id]) } ?? false
            guard hash == base.hash || isEdited else { continue }
            state.takeUp(id)
            if hash == base.hash { texts[path] = nil }
        }
    }

    /// Whether somebody has edited the announced text of a file, not the one that the file had before.
    ///
    /// Then the file has all that was new in it. That could be so by chance, too, but then nothing is lost by taking it
    /// for granted: with the former text as the base, what is new would stand twice.
    private func continues(_ text: String, _ base: MirrorBase, since former: MirrorBase?) -> Bool {
        guard let former else { return Self.sharesLine(base.text, text) }
        let (before, after, present) = (Self.wordCounts(former.text), Self.wordCounts(base.text), Self.wordCounts(text))
        if before == after { return false }
        return Set(before.keys).union(after.keys).allSatisfy { word in
            let (old, new, count) = (before[word] ?? 0, after[word] ?? 0, present[word] ?? 0)
            return new == old || (new > old ? count >= new : count <= new)
        }
    }

    /// Returns the words of a text, with the number of times that each occurs.
    private static func wordCounts(_ text: String) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) { counts[word, default: 0] += 1 }
        return counts
    }
}
