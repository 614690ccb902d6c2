import Foundation
import SeededRandom
import TerminalDriver

/// The notes that changes of several notes at once are tried on, and what is asked about them.
private enum Shelf {
    static let numbers = Array(100..<140)
    static func heading(_ number: Int) -> String { "Paper \(number)" }

    /// A text that takes a few pages of the notebook's file, with a link to the next note.
    static func text(_ number: Int, colour: String = "colour") -> String {
        let next = numbers.contains(number + 1) ? number + 1 : numbers[0]
        let line = "The \(colour) of number \(number) and another \(colour), see [[\(heading(next))]].\n"
        return "# \(heading(number))\n\n" + String(repeating: line, count: 40)
    }

    static func make(_ workplace: Workplace) throws -> NotebookTemplate {
        let folder = workplace.folder.appending(path: "papers")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in numbers { try Data(text(number).utf8).write(to: folder.appending(path: "\(heading(number)).md")) }
        let made = try workplace.tn("import", folder.path, "--folder", "Inbox")
        guard made.status == 0 else { throw PseudoTerminal.Failure(description: "no papers: \(made.error)") }
        try FileManager.default.removeItem(at: folder)
        return try NotebookTemplate(of: workplace)
    }

    /// Each note's place, title and text, the places first; then how many links lead nowhere, and what the index lacks.
    static let question = """
        SELECT place || '|' || title || '|' || hex(content) FROM notes ORDER BY 1;
        SELECT 'links that lead nowhere: ' || count(*) FROM note_link WHERE destination IS NULL;
        """
    static let soundLinks = "links that lead nowhere: 0"

    static func row(_ text: String, place: String = "live", title: String) -> String {
        "\(place)|\(title)|" + text.utf8.map { String(format: "%02X", $0) }.joined()
    }

    static let before = numbers.map { row(text($0), title: heading($0)) }.sorted()
}

/// Replaces a word in all notes, and in some lives takes that back.
struct KilledReplacing: KilledWork {
    private let template: NotebookTemplate
    private var isTakenBack = false
    private let after = Shelf.numbers.map {
        Shelf.row(Shelf.text($0, colour: "hue"), title: Shelf.heading($0))
    }.sorted()

    init(_ workplace: Workplace) throws { template = try Shelf.make(workplace) }

    var question: String { Shelf.question }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws { try template.putBack() }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        isTakenBack = chance.chance(30)
        let terminal = life.terminal
        try terminal.send("\u{10}")
        try terminal.wait(for: "Enter select")
        try terminal.send("replace in notes")
        try terminal.wait(for: "Replace in notes…")
        try terminal.send("\r")
        try terminal.wait(for: "─ Replace in notes ")
        try terminal.send("colour\rhue\r")
        try terminal.wait(for: "\(Shelf.numbers.count * 80) in \(Shelf.numbers.count) notes")
        try terminal.send("\r")
        if isTakenBack || life.number % 4 == 3 {
            try terminal.wait(for: "matches in \(Shelf.numbers.count) notes replaced")
            if isTakenBack { try terminal.send("u") }
        }
        try life.linger(milliseconds: chance.number(in: 0...chance.pick([20, 150, 600])))
    }

    func wasSeen(in life: KilledLife) -> Bool { life.lastShown.contains("notes replaced") }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        guard answer.last.map(String.init) == Shelf.soundLinks else { return "\(answer.last ?? "")" }
        let found = answer.dropLast().map(String.init).sorted()
        if found == Shelf.before { return wasSeen(in: life) && !isTakenBack ? "replaced, and back" : nil }
        return found == after ? nil : "half replaced: \(found.map { $0.prefix(30) })"
    }
}

/// Merges all notes into one, and in some lives takes that back.
struct KilledMerging: KilledWork {
    private let template: NotebookTemplate
    private var isTakenBack = false

    init(_ workplace: Workplace) throws { template = try Shelf.make(workplace) }

    var question: String {
        """
        SELECT place || '|' || title || '|' || hex(content) FROM notes WHERE length(content) < 10000 ORDER BY 1;
        SELECT 'merged, ' || place || ': ' || content FROM notes WHERE length(content) >= 10000;
        """
    }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws { try template.putBack() }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        isTakenBack = chance.chance(30)
        try life.terminal.send("*")
        try life.terminal.wait(for: "Esc unmark")
        try life.terminal.send("M")
        if isTakenBack || life.number % 4 == 3 {
            try life.terminal.wait(for: "merged into one")
            if isTakenBack { try life.terminal.send("u") }
        }
        try life.linger(milliseconds: chance.number(in: 0...chance.pick([20, 150, 600])))
    }

    func wasSeen(in life: KilledLife) -> Bool { life.lastShown.contains("merged into one") }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        let parts = answer.prefix { !$0.hasPrefix("merged, ") }.map(String.init).sorted()
        let merged = answer.dropFirst(parts.count)
        // Undo puts the merged note into the Trash.
        if parts == Shelf.before, merged.isEmpty || isTakenBack && merged.first?.hasPrefix("merged, trash: ") == true {
            return wasSeen(in: life) && !isTakenBack ? "merged, and apart again" : nil
        }
        let trashed = Shelf.numbers.map { Shelf.row(Shelf.text($0), place: "trash", title: Shelf.heading($0)) }
        guard parts == trashed.sorted() else { return "half merged: \(parts.map { $0.prefix(30) })" }
        guard merged.count(where: { $0.hasPrefix("merged, live: ") }) == 1,
            merged.first?.hasPrefix("merged, live: ") == true
        else { return "not one merged note: \(merged.map { $0.prefix(30) })" }
        // Each text, with its own lines around it, is in the merged one.
        let whole = merged.joined(separator: "\n").dropFirst("merged, live: ".count)
        let lost = Shelf.numbers.filter { !whole.contains(Shelf.text($0).dropLast()) }
        return lost.isEmpty ? nil : "not in the merged note: \(lost)"
    }
}

/// Renames note after note, with the heading in the text.
struct KilledRenaming: KilledWork {
    private let template: NotebookTemplate
    /// The number of the last name that was given, over all lives.
    private var names = 0
    /// The last name that was told to be given in this life.
    private var told: String?

    init(_ workplace: Workplace) throws { template = try Shelf.make(workplace) }

    /// Each note's title and heading, and what the search finds by its title; then the links as in `Shelf.question`.
    var question: String {
        """
        SELECT title || '|' || substr(text, 1, instr(text, char(10)) - 1) || '|' || length(text) || '|'
            || (SELECT count(*) FROM search_title WHERE rowid = note.id AND search_title MATCH '"' || note.title || '"')
        FROM note JOIN note_text ON note_text.note = note.id ORDER BY 1;
        SELECT 'links that lead nowhere: ' || count(*) FROM note_link WHERE destination IS NULL;
        """
    }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws {
        if chance.chance(50) { try template.putBack() }
    }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        told = nil
        for _ in 0..<chance.number(in: 1...4) {
            names += 1
            let name = "Named \(1000 + names)"
            for _ in 0..<chance.number(in: 0...3) { try life.terminal.send("j") }
            try life.terminal.send("r")
            try life.terminal.wait(for: "leave empty")
            try life.terminal.send("\u{15}\(name)\r")
            if chance.chance(40) {
                // The notice may still be that of the rename before.
                try life.terminal.wait(for: "# \(name)")
                told = name
            } else {
                try life.linger(milliseconds: chance.number(in: 0...chance.pick([5, 40, 150])))
            }
        }
    }

    func wasSeen(in life: KilledLife) -> Bool { life.lastShown.contains("Renamed, with the heading") }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        guard answer.last.map(String.init) == Shelf.soundLinks else { return "\(answer.last ?? "")" }
        let rows = answer.dropLast().map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        guard rows.count == Shelf.numbers.count else { return "\(rows.count) notes" }
        for row in rows where row.count != 4 || row[1] != "# \(row[0])" || row[3] != "1" {
            return "half renamed: \(row.joined(separator: "|"))"
        }
        let titles = Set(rows.map { String($0[0]) })
        guard titles.count == rows.count else { return "one name for two: \(titles.sorted())" }
        if let told, !titles.contains(told) {
            // A later rename, which was not told, may have been of the same note.
            let later = titles.contains { $0 > told && $0.hasPrefix("Named ") }
            return later ? nil : "\(told) was told, and is not there: \(titles.sorted())"
        }
        return nil
    }
}
