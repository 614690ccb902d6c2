import NoteStore

/// Tags: making, deleting, and putting them on notes.
extension TakeNoteVM {
    /// All tags, in the order of their names.
    public var tags: [NoteContainer] { containers.filter(\.isTag) }

    /// How many of some notes have a tag.
    public enum TagCoverage: Equatable, Sendable {
        case none, some, all
    }

    /// Whether all of the notes have a tag, or some, or none.
    public func coverage(of tag: ContainerID, on notes: [NoteRow]) -> TagCoverage {
        let count = notes.count { $0.tags.contains(tag) }
        return count == 0 ? .none : count == notes.count ? .all : .some
    }

    /// Makes a tag.
    ///
    /// - Returns: why the name was refused, or nil.
    @discardableResult
    public func addTag(_ name: String) -> String? {
        refusal {
            let tag = try notebook.tags.create(name)
            sidebar.setExpanded(.tags, true)
            try reload()
            say(Texts.createdTag(tag.name))
        }
    }

    /// Puts a tag on the notes, or takes it from them when all have it.
    ///
    /// Marks stay, so that several tags can be set on the same notes one after another.
    public func toggleTag(_ tag: NoteContainer, on notes: [NoteRow]) {
        if coverage(of: tag.id, on: notes) == .all {
            act(Texts.Attempt.removeTag, on: notes, keepingMarks: true) {
                try notebook.tags.remove(tag.id, from: $0)
            } saying: {
                Texts.untagged($0, tag.name)
            }
        } else {
            addTag(tag, to: notes)
        }
    }

    /// Puts a tag on the notes.
    func addTag(_ tag: NoteContainer, to notes: [NoteRow]?) {
        act(Texts.Attempt.setTag, on: notes, keepingMarks: true) {
            try notebook.tags.add(tag.id, to: $0)
        } saying: {
            Texts.tagged($0, tag.name)
        }
    }

    /// Puts the tag of a name on the notes; it is made if there is none.
    ///
    /// - Returns: why the name was refused, or nil.
    public func tag(_ notes: [NoteRow], named name: String) -> String? {
        var tag: NoteContainer?
        let reason = refusal {
            tag = try notebook.tags.find(named: name) ?? notebook.tags.create(name)
            try reloadContainers()
        }
        if let tag { addTag(tag, to: notes) }
        return reason
    }

    /// Deletes a tag: its notes stay and lose it; undo brings it back to them.
    public func onTagDelete(_ tag: ContainerID) {
        guard let tag = container(tag), tag.isTag else { return }
        attempt(Texts.Attempt.deleteTag) {
            try notebook.containers.delete([tag.id])
            try leave(tag)
            say(Texts.tagDeleted(tag.name))
        }
    }
}
