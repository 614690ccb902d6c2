import NoteStore

/// Creating and deleting tags, and tagging notes.
extension TakeNoteVM {
    /// All tags, sorted by name.
    public var tags: [NoteContainer] { containers.filter(\.isTag) }

    /// The share of a set of notes that have a tag.
    public enum TagCoverage: Equatable, Sendable {
        case none, some, all
    }

    /// Whether all of the notes have a tag, or some, or none.
    public func coverage(of tag: ContainerID, on notes: [NoteRow]) -> TagCoverage {
        let count = notes.count { $0.tags.contains(tag) }
        return count == 0 ? .none : count == notes.count ? .all : .some
    }

    /// Creates a tag.
    ///
    /// - Returns: the reason why the name was refused, or nil.
    @discardableResult
    public func addTag(_ name: String) -> String? {
        refusal {
            let tag = try notebook.tags.create(name)
            sidebar.setExpanded(.tags, true)
            try reload()
            say(Texts.createdTag(tag.name))
        }
    }

    /// Adds a tag to the notes, or removes it if all of them have it.
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

    /// Adds a tag to the notes.
    func addTag(_ tag: NoteContainer, to notes: [NoteRow]?) {
        act(Texts.Attempt.setTag, on: notes, keepingMarks: true) {
            try notebook.tags.add(tag.id, to: $0)
        } saying: {
            Texts.tagged($0, tag.name)
        }
    }

    /// Adds the tag with this name to the notes, and creates the tag if it does not exist.
    ///
    /// - Returns: the reason why the name was refused, or nil.
    public func tag(_ notes: [NoteRow], named name: String) -> String? {
        var tag: NoteContainer?
        let reason = refusal {
            tag = try notebook.tags.findOrCreate(name)
            try reloadContainers()
        }
        if let tag { addTag(tag, to: notes) }
        return reason
    }

    /// Returns the question before renaming a tag that is used in texts; nil if no text has it.
    public func renamingQuestion(_ tag: NoteContainer, to name: String) -> Question? {
        // Renaming itself reports what cannot be read.
        guard tag.isTag, let count = try? notebook.tags.textCount(of: tag.id), count > 0 else { return nil }
        return Question(
            title: Texts.renameTagTitle(tag.name, name), text: Texts.renameTagText(tag.name, notes: count),
            accept: Texts.renameAnswer)
    }

    /// Renames a tag, also in the texts that contain it.
    public func renameInTexts(_ tag: NoteContainer, to name: String) {
        attempt(Texts.Attempt.renameTag) {
            saver.saveNow()
            let renaming = try notebook.tags.renaming(tag.id, to: name, rewritingTexts: true)
            try reload()
            if let title = renaming.kept.first {
                let left = Texts.tagLeft(tag.name, in: title, others: renaming.kept.count - 1)
                say(left, kind: .refused)
            } else {
                say(Texts.tagRenamed(name, notes: renaming.rewritten, undo: keyLabel("app.undo")))
            }
        }
    }

    /// Whether a tag can be deleted; texts have it until somebody changes them.
    public func canDelete(_ tag: NoteContainer) -> Availability {
        let count = (try? notebook.tags.textCount(of: tag.id)) ?? 0  // deleting itself reports what cannot be read
        return .when(count == 0, else: Texts.tagIsInTexts(tag.name, notes: count))
    }

    /// Deletes a tag and removes it from its notes; undo restores both.
    ///
    /// A tag in which others are nested stays for these.
    public func onTagDelete(_ tag: ContainerID) {
        guard let tag = container(tag), tag.isTag else { return }
        attempt(Texts.Attempt.deleteTag) {
            try notebook.containers.delete([tag.id])
            try leave(tag)
            // If the tag stays, it may be that no note had it by itself, and then there is nothing to undo.
            let isLeft = container(tag.id) != nil
            say(isLeft ? Texts.tagStays(tag.name) : Texts.tagDeleted(tag.name, undo: keyLabel("app.undo")))
        }
    }
}
