/// Matches the files of the folder with the notes of the last round.
extension MirrorRound {
    /// Removes the new names of files that an interrupted round was renaming, which have both their names.
    ///
    /// Both are names of one file, so nothing is lost, and this round renames the file. A second name that somebody
    /// else gave a file stays: only one that the note's new title or folder asks for is removed.
    func finishMoves() throws {
        let owned = Set(state.notes.values.map { ExactText($0.path) })
        let byInode = Dictionary(grouping: hashes.keys.filter { !owned.contains($0) }) { seen[$0]?.inode ?? 0 }
        for (id, base) in state.notes {
            let path = ExactText(base.path)
            guard let row = rows[id], let hash = hashes[path], let inode = seen[path]?.inode else { continue }
            for other in byInode[inode] ?? [] where hashes[other] == hash && isNewName(other, of: row, base) {
                if !options.isDry { try? folder?.remove(other, expecting: hash) }  // it is taken for a copy then
                (hashes[other], texts[other]) = (nil, nil)
                takenNames.remove(Folding.key(other.string.contains("/") ? other.string : "/" + other.string))
            }
        }
    }

    /// Whether a round would give the note's file this path, since the note has another title or folder than before.
    private func isNewName(_ path: ExactText, of row: NoteRow, _ base: MirrorBase) -> Bool {
        let folder = tree.path(of: row.folder)
        let (isRenamed, isMoved) = (row.title != base.title, folder != base.folder)
        let stem = MirrorPath.stem(MirrorPath.names(path.string).last ?? "")
        let former = MirrorPath.stem(MirrorPath.names(base.path).last ?? "")
        return (isRenamed || isMoved)
            && (isRenamed ? MirrorPath.stem(stem, isOf: row.title) : stem == former)
            && MirrorPath.folder(path.string) == (isMoved ? folder : MirrorPath.folder(base.path))
    }

    /// Finds the present file of each note.
    ///
    /// A file at a note's old path belongs to that note, unless it is another note's file that was renamed to it. The
    /// others are matched by the following evidence, the surest first: a moved file is the same one, with the same bytes
    /// and time; a copied one has the same bytes; a moved and edited file has the same name; a renamed and edited file
    /// has at least half of the lines, or else the same inode and a line that no other note has. Each file is matched
    /// with a single note.
    func match() {
        var missing = linkPresent()
        if missing.isEmpty || fresh.isEmpty { return }
        let byHash = Dictionary(grouping: fresh.sorted()) { hashes[$0] ?? "" }
        func same(_ base: MirrorBase) -> [ExactText] { (byHash[base.hash] ?? []).filter(fresh.contains) }
        missing = matching(missing) { base, _ in same(base).first { self.isUntouched($0, base) } }
        let certain = Set(linked.keys)
        // Of equal files, prefer the one that belonged to this note.
        missing = matching(missing) { base, _ in same(base).first { self.isSameFile($0, base) } }
        missing = matching(missing) { base, _ in same(base).first { Self.hasSameName($0, base) } }
        missing = matching(missing) { base, _ in same(base).first }
        let byName = Dictionary(grouping: fresh.sorted()) { MirrorPath.names($0.string).last ?? "" }
        missing = matching(missing) { base, counts in
            let name = MirrorPath.names(base.path).last ?? ""
            let same = (byName[name] ?? []).filter(self.fresh.contains)
            return same.count == 1 && counts[name] == 1 ? same.first : nil
        }
        matchByLines(missing)
        matchByInode(missing.filter { linked[$0.0] == nil })
        awaitOthers(than: certain)
    }

    /// Links the notes whose files are known by their paths, and finds the files that belong to no note.
    ///
    /// - Returns: the notes whose files are missing.
    private func linkPresent() -> [(NoteID, MirrorBase)] {
        let owned = Set(state.notes.values.map { ExactText($0.path) })
        let renamed = renamedOntoOthers()
        // A note whose state a killed round had recorded is in its new place already.
        let replaced = Set(renamed.values).union(state.notes.values.filter(isInPlace).map { ExactText($0.path) })
        // A path whose file was renamed to another note's may have a new file.
        let vacated = Set(renamed.keys.compactMap { state.notes[$0].map { ExactText($0.path) } })
        fresh = Set(hashes.keys).subtracting(owned.subtracting(vacated)).subtracting(replaced)
        let left = Set(report.leftAlone.map { ExactText($0.path) })
        var missing: [(NoteID, MirrorBase)] = []
        for (id, base) in state.notes.sorted(by: { $0.value.path < $1.value.path }) {
            let path = ExactText(base.path)
            if let renamed = renamed[id] {
                linked[id] = renamed
            } else if isInPlace(base) || hashes[path] != nil && !replaced.contains(path) {
                linked[id] = path
            } else if !replaced.contains(path),
                Self.ways(to: base.path).contains(where: left.contains) || listing.files[path] != nil
            {
                frozen.insert(id)
            } else {
                missing.append((id, base))
            }
        }
        return missing
    }

    /// Takes back, in a program that works beside others, what only resembles a note's file while that is missing for
    /// the first time.
    ///
    /// While git checks out another commit, a file that is to be written again is missing for a moment, and another
    /// note's may have come already. The note and the file that was found for it are left for the next round.
    private func awaitOthers(than certain: Set<NoteID>) {
        guard let missed = options.missed else { return }
        for id in Set(linked.keys).subtracting(certain) {
            guard let base = state.notes[id], !missed.contains(base.path) else { continue }
            linked[id] = nil
            frozen.insert(id)
            awaited.insert(base.path)
        }
    }

    /// Finds the files that were renamed to the paths of other notes' files, as when two are swapped.
    ///
    /// Such a file is still the same one, with the same bytes, while a file that got another's text is an edited one,
    /// unless all that text's files have exchanged theirs.
    private func renamedOntoOthers() -> [NoteID: ExactText] {
        let moved = state.notes.filter { !isInPlace($0.value) }
        let paths = moved.values.map { ExactText($0.path) }.filter { hashes[$0] != nil }
        let byInode = Dictionary(grouping: paths) { seen[$0]?.inode ?? 0 }
        let renamed = moved.compactMapValues { base -> ExactText? in
            // Several names of one file do not mean a renaming.
            guard let inode = base.inode, let found = byInode[inode], found.count == 1 else { return nil }
            return hashes[found[0]] == base.hash && isUntouched(found[0], base) ? found[0] : nil
        }
        let followed = Set(renamed.values)
        return exchanged(moved.filter { renamed[$0.key] == nil }, paths.filter { !followed.contains($0) })
            .merging(renamed) { $1 }
    }

    /// Finds the files that have exchanged their whole texts, as git writes both anew when it checks out a commit in which
    /// they have each other's names.
    ///
    /// Only texts that occur once tell whose they are, and only if none of the exchanged ones is lost.
    private func exchanged(_ moved: [NoteID: MirrorBase], _ paths: [ExactText]) -> [NoteID: ExactText] {
        if moved.count < 2 { return [:] }
        let owners = Dictionary(grouping: state.notes.values, by: \.hash).mapValues(\.count)
        let byHash = Dictionary(grouping: paths) { hashes[$0] ?? "" }
        var found = moved.compactMapValues { base -> ExactText? in
            guard owners[base.hash] == 1, !base.text.isEmpty, let same = byHash[base.hash], same.count == 1 else {
                return nil
            }
            return same[0]
        }
        while true {
            // A text whose former file has no text of another one was copied.
            let own = Set(found.keys.compactMap { moved[$0].map { ExactText($0.path) } })
            let taken = Set(found.values)
            let kept = found.filter { id, path in
                own.contains(path) && moved[id].map { taken.contains(ExactText($0.path)) } ?? false
            }
            if kept.count == found.count { return found }
            found = kept
        }
    }

    /// Links the notes for which a file is found, and returns the others.
    ///
    /// - Parameter find: finds the file for a note's state; the second argument counts the missing files of each name.
    private func matching(
        _ missing: [(NoteID, MirrorBase)], _ find: (MirrorBase, [String: Int]) -> ExactText?
    ) -> [(NoteID, MirrorBase)] {
        let counts = Dictionary(grouping: missing) { MirrorPath.names($0.1.path).last ?? "" }.mapValues(\.count)
        return missing.filter { id, base in
            guard let found = find(base, counts) else { return true }
            linked[id] = found
            fresh.remove(found)
            return false
        }
    }

    private func isInPlace(_ base: MirrorBase) -> Bool { hashes[ExactText(base.path)] == base.hash }

    private func isSameFile(_ path: ExactText, _ base: MirrorBase) -> Bool {
        base.inode != nil && seen[path]?.inode == base.inode
    }

    /// Whether a file is the one of the last round, which nobody has written since.
    ///
    /// The system gives the inode of a removed file to a new one, but that has another time.
    private func isUntouched(_ path: ExactText, _ base: MirrorBase) -> Bool {
        isSameFile(path, base) && (base.modified == nil || seen[path]?.modified == base.modified)
    }

    private static func hasSameName(_ path: ExactText, _ base: MirrorBase) -> Bool {
        MirrorPath.names(path.string).last == MirrorPath.names(base.path).last
    }

    // MARK: - Notes of a killed round

    /// Returns the notes that a killed round has made, by the paths of their files.
    func notesMade(among notes: [NoteRow]) -> [ExactText: NoteRow] {
        Dictionary(notes.compactMap { row in state.begun[row.id].map { (ExactText($0.path), row) } }) { $1 }
    }

    /// Links such notes to those of the new files that somebody has made of theirs by renaming and editing them.
    func matchRenamed(_ made: [NoteRow]) {
        let missing = made.compactMap { row in state.begun[row.id].map { (row.id, $0) } }
            .filter { listing.files[ExactText($0.1.path)] == nil }
            .sorted { $0.1.path < $1.1.path }
        matchByLines(missing)
        for (id, _) in missing { taken[id] = linked[id] }
    }

    // MARK: - Similar texts

    /// Links notes to new files that have at least half of their lines, by bytes; the most similar pairs first.
    private func matchByLines(_ missing: [(NoteID, MirrorBase)]) {
        if missing.isEmpty || fresh.isEmpty { return }
        let files = fresh.sorted().map { ($0, Self.lines(texts[$0] ?? "")) }
        var owners: [Substring: [Int]] = [:]
        for (index, file) in files.enumerated() {
            for line in file.1.keys { owners[line, default: []].append(index) }
        }
        var pairs: [(likeness: Double, note: Int, file: Int)] = []
        for (note, (_, base)) in missing.enumerated() {
            let lines = Self.lines(base.text)
            var shared: [Int: Int] = [:]
            for (line, count) in lines {
                // A line that many files have is not evidence, and counting it would make the work grow with the number
                // of pairs.
                guard let found = owners[line], found.count <= Self.maximumOwners else { continue }
                for file in found { shared[file, default: 0] += min(count, files[file].1[line] ?? 0) * line.utf8.count }
            }
            let size = Self.bytes(lines)
            for (file, bytes) in shared {
                let likeness = Double(bytes) / Double(max(size, Self.bytes(files[file].1)))
                if likeness >= Self.minimumLikeness { pairs.append((likeness, note, file)) }
            }
        }
        pairs.sort { ($1.likeness, $0.note, $0.file) < ($0.likeness, $1.note, $1.file) }
        for pair in pairs {
            let (id, file) = (missing[pair.note].0, files[pair.file].0)
            guard linked[id] == nil, fresh.contains(file) else { continue }
            linked[id] = file
            fresh.remove(file)
        }
    }

    /// Links notes to new files with the same inode that share a line with them which no other note has.
    ///
    /// The system gives the inode of a removed file to a new one, and notes that are made from a template share its
    /// lines.
    private func matchByInode(_ missing: [(NoteID, MirrorBase)]) {
        let files = Dictionary(grouping: fresh) { seen[$0]?.inode ?? 0 }
        var owners: [Int: Int]?
        _ = matching(missing) { base, _ in
            guard let file = files[base.inode ?? 0]?.first, self.isSameFile(file, base), self.fresh.contains(file)
            else { return nil }
            let known = owners ?? self.owners()
            owners = known
            let own = Self.words(base.text).filter { known[$0.hashValue, default: 0] < 2 }
            return own.isDisjoint(with: Self.words(self.texts[file] ?? "")) ? nil : file
        }
    }

    /// Counts the notes of the last round that have each line, by its hash.
    private func owners() -> [Int: Int] {
        var owners: [Int: Int] = [:]
        for base in state.notes.values {
            for line in Self.words(base.text) { owners[line.hashValue, default: 0] += 1 }
        }
        return owners
    }

    /// The share of the longer text, by bytes, that two texts must have in common to match; git's default for renames
    /// too.
    private static let minimumLikeness = 0.5
    /// The largest number of new files that may contain a line for it to count as evidence.
    private static let maximumOwners = 20

    /// Returns the lines that are not blank, with the number of times that each occurs.
    private static func lines(_ text: String) -> [Substring: Int] {
        var lines: [Substring: Int] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.contains(where: { !$0.isWhitespace }) {
            lines[line, default: 0] += 1
        }
        return lines
    }

    private static func bytes(_ lines: [Substring: Int]) -> Int {
        lines.reduce(0) { $0 + $1.key.utf8.count * $1.value }
    }

    /// Returns whether two texts share a line with a letter or digit; an unrelated file is unlikely to have one.
    static func sharesLine(_ one: String, _ other: String) -> Bool {
        !words(one).isDisjoint(with: words(other))
    }

    /// Returns the different lines of a text that have a letter or digit.
    private static func words(_ text: String) -> Set<Substring> {
        Set(lines(text).keys.filter { $0.contains { $0.isLetter || $0.isNumber } })
    }
}
