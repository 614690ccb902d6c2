import Foundation
import SeededRandom
import TerminalDriver

/// A dozen notes in the Inbox and a folder, to be moved and trashed.
private struct Papers {
    static let titles = (10..<22).map { "Paper \($0)" }
    /// The state of each note, in the order of their titles.
    static let question = "SELECT title || '|' || ifnull(folder, '') || '|' || place FROM notes ORDER BY title;"

    /// Creates them by a single import.
    static func make(_ workplace: Workplace) throws {
        let folder = workplace.folder.appending(path: "papers")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for title in titles { try Data(title.utf8).write(to: folder.appending(path: title + ".md")) }
        _ = try workplace.tn("folder", "add", "Shelf")
        let made = try workplace.tn("import", folder.path, "--folder", "Inbox")
        guard made.status == 0 else { throw PseudoTerminal.Failure(description: "no papers: \(made.error)") }
        try FileManager.default.removeItem(at: folder)
    }

    /// Returns the fault if a note is missing or duplicated, or fewer notes are in a container than were seen there;
    /// nil for none.
    static func fault(in answer: [Substring], at place: String, atLeast shown: Int?) -> String? {
        let titles = answer.map { $0.split(separator: "|")[0] }
        if titles.map(String.init) != Self.titles { return "lost or doubled: \(titles)" }
        let there = answer.count { $0.split(separator: "|").dropFirst().contains { $0 == place } }
        return there >= shown ?? 0 ? nil : "\(shown ?? 0) were seen at \(place), \(there) are there"
    }
}

/// Moves notes, a single one or several marked ones, to another container by keys.
struct KilledRelocating: KilledWork {
    /// A way to move notes to another container.
    struct Way {
        /// The keys to press, in pieces with a short pause between them.
        let keys: [String]
        /// The container's name in the sidebar.
        let name: String
        /// The container's name or place in the notebook.
        let place: String

        static let move = Way(keys: ["m", "Shelf\r"], name: "Shelf", place: "Shelf")
        static let delete = Way(keys: ["d"], name: "Trash", place: "trash")
    }

    private let way: Way
    private let template: NotebookTemplate

    init(_ workplace: Workplace, by way: Way) throws {
        self.way = way
        try Papers.make(workplace)
        template = try NotebookTemplate(of: workplace)
    }

    var question: String { Papers.question }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws {
        if chance.number(in: 0...1) == 0 { try template.putBack() }
    }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        for _ in 0..<chance.number(in: 1...6) {
            for _ in 0..<chance.number(in: 0...3) { try life.terminal.send(chance.pick([" ", "j", "k"])) }
            for keys in way.keys {
                try life.terminal.send(keys)
                try life.linger(milliseconds: chance.number(in: 0...60))
            }
        }
    }

    func wasSeen(in life: KilledLife) -> Bool { (life.shownCount(of: way.name) ?? 0) > 0 }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        Papers.fault(in: answer, at: way.place, atLeast: life.shownCount(of: way.name))
    }
}

/// Empties the Trash, which makes a backup first.
struct KilledEmptying: KilledWork {
    private static let trashed = 8
    private let template: NotebookTemplate

    init(_ workplace: Workplace) throws {
        try Papers.make(workplace)
        let result = try workplace.run(Workplace.program, ["trash"] + Papers.titles.prefix(Self.trashed))
        guard result.status == 0 else {
            throw PseudoTerminal.Failure(description: "nothing in the Trash: \(result.error)")
        }
        template = try NotebookTemplate(of: workplace)
    }

    var question: String { Papers.question }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws { try template.putBack() }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        try life.terminal.send("\u{1B}1X")
        try life.terminal.wait(for: "Empty the Trash?")
        try life.terminal.send("y")
        try life.linger(milliseconds: chance.number(in: 0...chance.pick([50, 500])))
    }

    func wasSeen(in life: KilledLife) -> Bool { life.lastShown.contains("Trash emptied") }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        let left = answer.count { $0.hasSuffix("|trash") }
        if answer.count - left != Papers.titles.count - Self.trashed { return "not all that live are there: \(answer)" }
        if left != 0, left != Self.trashed { return "half emptied: \(answer)" }
        return left > 0 && wasSeen(in: life) ? "emptied, and back: \(answer)" : nil
    }
}
