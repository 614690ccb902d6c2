import GRDB

/// An SQL condition on the table of notes, with its arguments.
struct SearchCondition {
    var sql: String
    var arguments: [any DatabaseValueConvertible] = []

    /// The condition of a query apart from its words: places and filters.
    init(_ query: SearchQuery, _ expression: SearchExpression) throws {
        let places = query.places.map { "\($0.rawValue)" }
        sql = places.count == 1 ? "note.place = \(places[0])" : "note.place IN (\(places.joined(separator: ", ")))"
        for group in query.filters {
            let parts = try group.map { try Self($0, expression) }
            sql += " AND (\(parts.map(\.sql).joined(separator: " OR ")))"
            arguments += parts.flatMap(\.arguments)
        }
        for text in query.unindexed {
            sql += " AND (instr(note.title, ?) OR instr(note.preview, ?))"
            arguments += [text, text]
        }
    }

    private init(sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
        self.sql = sql
        self.arguments = arguments
    }

    private init(_ condition: SearchQuery.Condition, _ expression: SearchExpression) throws {
        switch condition.kind {
        case .term(let term):
            self.init(
                sql: "note.id IN (SELECT rowid FROM search WHERE search MATCH ?)", [try expression.expression(term)])
        case .filter(let filter): self.init(filter)
        }
        if condition.isNegated { sql = "NOT (\(sql))" }
    }

    private init(_ filter: SearchQuery.Filter) {
        switch filter {
        case .starred: self.init(sql: "note.starred = 1")
        case .hasLink: self.init(sql: "note.features & 1 <> 0")
        case .hasBacklink: self.init(sql: Self.hasBacklink)
        case .hasBrokenLink: self.init(sql: Self.hasBrokenLink)
        case .hasImage: self.init(sql: "note.features & 2 <> 0")
        case .hasOpenTask: self.init(task: [" "])
        case .hasDoneTask: self.init(task: ["x", "X"])
        case .tag(let name):
            self.init(
                sql: """
                    EXISTS (SELECT 1 FROM note_tag JOIN container ON container.id = tag
                        WHERE note_tag.note = note.id AND nameKey = ?)
                    """, [Folding.key(name)])
        case .folder(let names): self.init(folder: names)
        case .place(let place): self.init(sql: "note.place = \(place.rawValue)")
        case .created(let range):
            self.init(
                sql: "(note.createdDate >= ? AND note.createdDate < ?)", [range.lowerBound, range.upperBound])
        case .updated(let range):
            self.init(
                sql: "(note.updatedDate >= ? AND note.updatedDate < ?)", [range.lowerBound, range.upperBound])
        }
    }

    /// Matches a note to which another one links that is not in Trash, as `backlinks` does.
    private static let hasBacklink = """
        EXISTS (SELECT 1 FROM note_link JOIN note AS linking ON linking.id = source
            WHERE destination = note.id AND source <> destination AND linking.place <> 2)
        """

    /// Matches a note with a link that leads nowhere, as `broken` does.
    private static let hasBrokenLink = """
        EXISTS (SELECT 1 FROM note_link WHERE source = note.id AND destination IS NULL AND (note_link.kind <> 'image'
            OR NOT EXISTS (SELECT 1 FROM note_image WHERE note_image.uuid = note_link.target)))
        """

    /// Matches a note with a task whose box contains one of these marks.
    ///
    /// The column `features` shows which notes have tasks; only their texts are read.
    private init(task marks: [String]) {
        let boxes = ["-", "*", "+", ".", ")"].flatMap { bullet in marks.map { "\(bullet) [\($0)] " } }
        let tests = boxes.map { _ in "instr(text, ?)" }.joined(separator: " OR ")
        self.init(
            sql: """
                (note.features & 4 <> 0 AND EXISTS (SELECT 1 FROM note_text WHERE note_text.note = note.id
                    AND (\(tests))))
                """, boxes)
    }

    /// Matches notes in a folder, given by its name or the end of its path, and in everything below; also those that a
    /// project's `All`, All Notes or Starred lists.
    private init(folder names: [String]) {
        var tests = ""
        var container = "start"
        // The chain goes upwards from the folder itself, with one condition for each given name above it.
        for depth in names.indices.dropFirst() {
            let above = "above\(depth)"
            tests +=
                " AND EXISTS (SELECT 1 FROM container AS \(above) WHERE \(above).id = \(container).parent"
                + " AND \(above).nameKey = ?"
            container = above
        }
        tests += String(repeating: ")", count: names.count - 1)
        self.init(
            sql: """
                note.folder IN (WITH RECURSIVE below(id) AS (
                    SELECT start.id FROM container AS start WHERE start.nameKey = ? AND start.kind <> 'tag'\(tests)
                    UNION SELECT container.id FROM container
                        JOIN below ON below.id IN (container.parent, container.gatheredBy))
                    SELECT id FROM below)
                """, names.reversed().map(Folding.key))
        guard let name = names.first, names.count == 1 else { return }
        let list = "EXISTS (SELECT 1 FROM container WHERE nameKey = ? AND kind ="
        sql = "(\(sql) OR note.place = 0 AND \(list) 'allNotes') OR note.starred = 1 AND \(list) 'starred'))"
        arguments += [Folding.key(name), Folding.key(name)]
    }
}
