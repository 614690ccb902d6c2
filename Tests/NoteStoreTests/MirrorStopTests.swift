import Foundation
import Testing

@testable import NoteStore

/// Tests rounds of a mirror that stop anywhere, and random changes of both sides.
@Suite struct MirrorStopTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    @Test(arguments: 0..<25) func `after a round both sides are the same, and no line is lost`(seed: Int) throws {
        var random = MirrorRandom(seed: UInt64(seed))
        var typed: Set<String> = []
        var count = 0
        func line() -> String {
            count += 1
            let line = "line \(count) of \(seed)"
            typed.insert(line)
            return line
        }
        for index in 0..<6 {
            try scene.test.note([line(), line(), line()].joined(separator: "\n"), title: "N\(index)")
        }
        try scene.round()
        for _ in 0..<6 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let rows = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 1000)
                let files = try scene.files()
                switch Int.random(in: 0..<8, using: &random) {
                case 0: try scene.test.note(line(), title: "Made \(count)")
                case 1: try scene.write("Inbox/Added \(count).md", line())
                case 2, 3:
                    guard let row = rows.randomElement(using: &random) else { continue }
                    var lines = try #require(try notebook.notes.text(row.id)).components(separatedBy: "\n")
                    lines.insert(line(), at: Int.random(in: 0...lines.count, using: &random))
                    try scene.save(row.id, lines.joined(separator: "\n"))
                case 4, 5:
                    guard let file = files.randomElement(using: &random) else { continue }
                    var lines = try scene.text(file).components(separatedBy: "\n")
                    lines.insert(line(), at: Int.random(in: 0...lines.count, using: &random))
                    try scene.write(file, lines.joined(separator: "\n"))
                case 6:
                    guard let row = rows.randomElement(using: &random) else { continue }
                    if Bool.random(using: &random) {
                        try notebook.notes.setTitle(row.id, "Renamed \(Int.random(in: 0..<9, using: &random))")
                    } else {
                        try notebook.trash.add([row.id])
                    }
                default:
                    guard let file = files.randomElement(using: &random) else { continue }
                    let place = "Place \(Int.random(in: 0..<3, using: &random))"
                    let new = "\(place)/Moved \(Int.random(in: 0..<9, using: &random)).md"
                    if Bool.random(using: &random), !files.contains(new) {
                        try scene.move(file, new)
                    } else if files.count > 2 {
                        // Lines typed into the file since the last round are deleted with it.
                        typed.subtract(try scene.text(file).components(separatedBy: "\n"))
                        try scene.remove(file)
                    }
                }
            }
            // A round that stops anywhere is resumed by the next one.
            var options = MirrorOptions()
            let steps = Countdown(Int.random(in: 0..<30, using: &random))
            options.goesOn = { steps.next() }
            try scene.round(options)
            let report = try scene.round()
            #expect(report.leftAlone.isEmpty)
            #expect(try scene.round().isIdle)
            let texts = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 1000)
                .map { try notebook.notes.text($0.id) ?? "" }
            #expect(try scene.files().map { try scene.text($0) }.sorted() == texts.sorted())
            // Lines of deleted notes are in Trash; a line that a note once had is in a note or an earlier text.
            let trash = try notebook.lists.rows(ListQuery(container: .trash), limit: 1000)
                .map { try notebook.notes.text($0.id) ?? "" }
            let all = (texts + trash).joined(separator: "\n").components(separatedBy: "\n")
            #expect(typed.subtracting(all).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a change on both sides is merged once, wherever a round stops`(isEditedOn: Bool) throws {
        for steps in 0..<12 {
            let scene = try MirrorScene()
            let (note, file) = (try scene.test.note("list:", title: "List"), "Inbox/List.md")
            try scene.round()
            try scene.save(note.id, "list: eggs")
            try scene.write(file, "list: milk")
            var options = MirrorOptions()
            let left = Countdown(steps)
            options.goesOn = { left.next() }
            try scene.round(options)
            let text = try scene.text(file)
            if isEditedOn { try scene.write(file, text + " flour") }
            try scene.round()
            let merged = "list: eggs milk" + (isEditedOn ? " flour" : "")
            #expect(try scene.test.notebook.notes.text(note.id) == merged, "stopped after \(steps)")
            #expect(try scene.text(file) == merged, "stopped after \(steps)")
            #expect(try scene.round().isIdle)
        }
    }

    @Test(arguments: [false, true])
    func `a new file that is edited after a round has stopped is one note`(isNoteEdited: Bool) throws {
        for steps in 0..<12 {
            let scene = try MirrorScene()
            try scene.test.note("Other")
            try scene.round()
            let (file, notebook) = ("Inbox/New.md", scene.test.notebook)
            try scene.write(file, "New [o](Other.md)\n\none\n\nend\n")
            var options = MirrorOptions()
            let left = Countdown(steps)
            options.goesOn = { left.next() }
            try scene.round(options)
            let made = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 9).first { $0.title != "Other" }
            if isNoteEdited, let made {
                try scene.save(made.id, try #require(try notebook.notes.text(made.id)) + "\nlast\n")
            }
            try scene.write(file, try scene.text(file).replacing("one", with: "one two"))
            try scene.round()
            let expected = "\n\none two\n\nend\n" + (isNoteEdited && made != nil ? "\nlast\n" : "")
            #expect(try scene.files() == ["Inbox/New.md", "Inbox/Other.md"], "stopped after \(steps)")
            let note = try notebook.notes.resolve(reference: "New")
            let other = try notebook.notes.resolve(reference: "Other")
            #expect(try notebook.notes.text(note.id) == "New [o](\(other.getURL()))" + expected)
            #expect(try scene.text(file).hasSuffix(expected))
            #expect(try scene.round().isIdle)
        }
    }
}
