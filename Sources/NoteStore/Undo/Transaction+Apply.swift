import Foundation
import GRDB
import TextEditing

extension Transaction {
    /// Changes notes and containers from their state `before` to `after`, as far as later changes allow.
    ///
    /// It changes only what the action itself changed, and what was deleted for ever stays deleted.
    func apply(_ changes: ActionChanges) throws {
        for change in changes.containers where change.after != nil { try apply(change) }
        for change in changes.notes { try apply(change) }
        for change in changes.containers where change.after == nil { try apply(change) }
        // These come after the folders that were made with them, which take their contents along to Trash.
        if let made = changes.made { try apply(made) }
        for change in changes.searches ?? [] { try apply(change) }
    }

    // MARK: - Containers

    private func apply(_ change: StateChange<ContainerState>) throws {
        switch (change.before, change.after) {
        case (let before?, let after?): try apply(before, after)
        case (nil, let after?): try bringBack(after)
        case (let before?, nil): try removeMade(before)
        case (nil, nil): break
        }
        self.change.containers = true
    }

    /// Changes what differs between two states of a container.
    private func apply(_ before: ContainerState, _ after: ContainerState) throws {
        guard let row = try row("\(ContainerHead.selection) WHERE uuid = ?", [after.id.description]) else { return }
        var head = ContainerHead(row)
        if before.colorRGBA != after.colorRGBA {
            try run("UPDATE container SET colorRGBA = ? WHERE id = ?", [after.colorRGBA, head.key])
        }
        if before.sortOrder != after.sortOrder {
            try run("UPDATE container SET sortOrder = ? WHERE id = ?", [after.sortOrder, head.key])
        }
        if before.symbol != after.symbol {
            try run("UPDATE container SET symbol = ? WHERE id = ?", [after.symbol, head.key])
        }
        if before.details != after.details {
            try run("UPDATE container SET details = ? WHERE id = ?", [after.details, head.key])
        }
        if before.parent != after.parent { try reparent(head, to: after) }
        head = try containerHead(key: head.key)
        if before.role != after.role { try setRole(after.role, of: head) }
        if before.name != after.name, head.name != after.name {
            let name = try freeName(after.name, kind: head.kind, parent: head.parent, except: head.key)
            try rename(head, name)
        }
        if before.notes != after.notes { try apply(notesOf: before, after, to: head) }
    }

    /// Takes a tag from the notes that only `before` has, and gives it to those that only `after` has.
    ///
    /// A tag that was deleted stays for the texts that have it, and for the tags nested in it.
    private func apply(notesOf before: ContainerState, _ after: ContainerState, to tag: ContainerHead) throws {
        let (old, new) = (Set(before.notes ?? []), Set(after.notes ?? []))
        for note in (before.notes ?? []) + (after.notes ?? []) where old.contains(note) != new.contains(note) {
            guard let key: Int64 = try value("SELECT id FROM note WHERE uuid = ?", [note.description]) else { continue }
            if new.contains(note) { try addTag(tag, to: key) } else { try removeTag(tag.key, from: key) }
            change.notes?.insert(note)
        }
        if new.isEmpty { try leaveToTexts(tag.key) }
    }

    private func setRole(_ role: NoteContainer.Role?, of head: ContainerHead) throws {
        try run(
            """
            UPDATE container SET role = ?1 WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM container AS other
                WHERE other.parent IS container.parent AND other.role = ?1 AND other.id <> container.id)
            """, [role?.rawValue, head.key])
        try refreshProject(head.project)
    }

    private func reparent(_ head: ContainerHead, to after: ContainerState) throws {
        let target = try after.parent.flatMap { id in
            try row("\(ContainerHead.selection) WHERE uuid = ?", [id.description]).map(ContainerHead.init)
        }
        let isThere = after.parent == nil || target.map { $0.kind == .trash || $0.holdsFolders } == true
        let isInTrash = target.map { $0.kind == .trash || $0.place == .trash } == true
        // If the old parent is gone, in Trash, or below this container, the rules of restoring apply, or the container
        // stays.
        guard isThere, isInTrash == (after.place == Place.trash.rawValue),
            try target.map({ try !isInside($0.key, head.key) }) != false
        else {
            if head.place == .trash { _ = try putBack(head) }
            return
        }
        let name = try freeName(head.name, kind: head.kind, parent: target?.key, except: head.key)
        try setParent(head, target?.key, name: name)
        try run(
            """
            UPDATE container SET origin = (SELECT id FROM container WHERE uuid = ?), originPath = ?, trashedDate = ?
            WHERE id = ?
            """, [after.origin?.description, after.originPath, after.trashedDate, head.key])
    }

    /// Makes a container again that the action removed: a tag, or something that undo itself had removed.
    private func bringBack(_ state: ContainerState) throws {
        if let row = try row("\(ContainerHead.selection) WHERE uuid = ?", [state.id.description]) {
            let head = ContainerHead(row)
            if head.place == .trash { _ = try putBack(head) }
            return
        }
        var parent: ContainerHead?
        if let above = state.parent {
            guard let row = try row("\(ContainerHead.selection) WHERE uuid = ?", [above.description]) else { return }
            parent = ContainerHead(row)
        }
        let name = try freeName(state.name, kind: state.kind, parent: parent?.key, except: nil)
        let head = try insertContainer(
            state.kind, name: name, parent: parent?.key, role: state.role, projectType: state.projectType,
            details: state.details, id: state.id)
        try run(
            "UPDATE container SET createdDate = ?, colorRGBA = ?, symbol = ?, sortOrder = ? WHERE id = ?",
            [state.createdDate, state.colorRGBA, state.symbol, state.sortOrder, head.key])
        for note in state.notes ?? [] {
            guard let key: Int64 = try value("SELECT id FROM note WHERE uuid = ?", [note.description]) else { continue }
            try addTag(head, to: key)
            change.notes?.insert(note)
        }
        try refreshSubtree(head.key)
        try refreshProject(head.project)
    }

    /// Removes a container that the action made: deletes a tag, or moves a folder to Trash, where it can be found.
    private func removeMade(_ state: ContainerState) throws {
        guard let row = try row("\(ContainerHead.selection) WHERE uuid = ?", [state.id.description]) else { return }
        let head = ContainerHead(row)
        if head.kind == .tag {
            try removeTag(head)
        } else if head.place == .live {
            try putAway(head)
        }
    }

    // MARK: - Notes

    private func apply(_ change: StateChange<NoteState>) throws {
        guard let id = change.before?.id ?? change.after?.id,
            let row = try row("\(NoteHead.selection) WHERE uuid = ?", [id.description])
        else { return }
        let head = NoteHead(row)
        self.change.notes?.insert(id)
        self.change.containers = true
        switch (change.before, change.after) {
        case (let before?, let after?): try apply(before, after, to: head)
        case (nil, .some): if head.place == .trash { _ = try putBack(head) }
        case (.some, nil): if head.place != .trash { try putAway(head, into: SystemKey.trash) }
        case (nil, nil): break
        }
    }

    /// Changes what differs between two states of a note.
    private func apply(_ before: NoteState, _ after: NoteState, to head: NoteHead) throws {
        let date: Int64? = try value("SELECT updatedDate FROM note WHERE id = ?", [head.key])
        if before.starred != after.starred {
            try run("UPDATE note SET starred = ? WHERE id = ?", [after.starred, head.key])
        }
        if before.folder != after.folder || before.place != after.place { try moveToFolder(head, as: after) }
        var isMerged = false
        if let old = before.text, let new = after.text, old != new {
            isMerged = try changeText(of: self.head(head.id), from: old, to: new)
        }
        let head = try self.head(head.id)
        if before.title != after.title, head.title != after.title {
            let folder = try head.folder.map { try containerHead(key: $0) }
            let follows = after.title == after.defaultTitle
            // The text may have changed since: a title that follows it is that of the text as it is now.
            let text = follows ? try Notebook.Notes.text(db, key: head.key) : nil
            let wanted = text.map(TextFacts.derivedTitle) ?? after.title
            let title = try folder.map { try freeTitle(wanted, in: $0, except: head.key) } ?? wanted
            try retitle(head, title, follow: follows)
        }
        try apply(tagsOf: before, after, to: head.key)
        if let order = after.sortOrder, before.sortOrder != order {
            try run("UPDATE note SET sortOrder = ? WHERE id = ?", [order, head.key])
        }
        // The date of a newer change stays, and so does that of a merged text, which contains one.
        if before.updatedDate != after.updatedDate, date == before.updatedDate, !isMerged {
            try run("UPDATE note SET updatedDate = ? WHERE id = ?", [after.updatedDate, head.key])
        }
    }

    /// Undoes or redoes an action's change of a text, merged three ways with later changes.
    ///
    /// The present text is kept as a version. If both changed the same words, the later change stays, and the text that
    /// would have been restored is kept as a version too.
    ///
    /// - Returns: whether the text had changed since.
    private func changeText(of head: NoteHead, from old: String, to new: String) throws -> Bool {
        _ = try refreshIfChangedOutside(head.key)
        let present = try Notebook.Notes.text(db, key: head.key) ?? ""
        guard !present.utf8.elementsEqual(new.utf8) else { return false }
        try keepVersion(of: head, text: present, .restored)
        guard !present.utf8.elementsEqual(old.utf8) else {
            try replaceText(new, of: head)
            return false
        }
        switch ThreeWayMerge.merge(base: old, ours: new, theirs: present) {
        case .merged(let text):
            try replaceText(text, of: head)
        case .conflict(let conflict):
            try keepVersion(of: head, text: new, .merged)
            try replaceText(conflict.preferringTheirs, of: head)
        }
        return true
    }

    /// Moves a note to its folder in `state`, with its origin there; if that folder is gone, the rules of restoring
    /// apply.
    private func moveToFolder(_ head: NoteHead, as state: NoteState) throws {
        let folder = try state.folder.flatMap {
            try row("\(ContainerHead.selection) WHERE uuid = ?", [$0.description]).map(ContainerHead.init)
        }
        guard let folder, folder.holdsNotes, folder.notePlace.rawValue == state.place else {
            if head.place != .live { _ = try putBack(head) }
            return
        }
        // Only the session that owns a cut note can paste it, and the one that cut it may have ended.
        if state.place == Place.buffer.rawValue, owner == nil { return }
        try move(head, to: folder, touching: false)
        try run(
            """
            UPDATE note SET origin = (SELECT id FROM container WHERE uuid = ?), originPath = ?, originPlace = ?,
                movedDate = ?, owner = ? WHERE id = ?
            """,
            [
                state.origin?.description, state.originPath, state.originPlace, state.movedDate,
                state.place == Place.buffer.rawValue ? owner : state.owner, head.key,
            ])
    }

    private func apply(tagsOf before: NoteState, _ after: NoteState, to note: Int64) throws {
        func head(_ tag: ContainerID) throws -> ContainerHead? {
            try row("\(ContainerHead.selection) WHERE uuid = ? AND kind = 'tag'", [tag.description])
                .map(ContainerHead.init)
        }
        for tag in Set(before.tags).subtracting(after.tags) {
            if let tag = try head(tag) { try removeTag(tag.key, from: note) }
        }
        for tag in Set(after.tags).subtracting(before.tags) {
            if let tag = try head(tag) { try addTag(tag, to: note) }
        }
    }
}
