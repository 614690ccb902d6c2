import Foundation
import NoteStore

/// The settings of `[daily]`: the folder and the title of the day's note.
public struct DailySettings: Equatable, Sendable {
    /// The path of the note's folder, which must exist; empty for the Inbox.
    public var folder: String
    /// The note's title, a `strftime` pattern for the date: `%Y-%m-%d`.
    public var title: String

    public init(folder: String = "", title: String = "%Y-%m-%d") {
        self.folder = folder
        self.title = title
    }

    /// The title of the note for a day, in the user's time zone.
    public func title(on date: Date) -> String {
        var moment = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&moment, &parts)
        // A conversion of strftime takes two bytes of the title, and its result fits into the 32 reserved for them.
        var text = [CChar](repeating: 0, count: 64 + title.utf8.count * 16)
        let length = strftime(&text, text.count, title, &parts)
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension DailySettings {
    /// The day within two years of `date` whose note has this title, the nearest one; nil if there is none.
    ///
    /// The titles of the days are compared, since not every pattern can be read. Cost: about a millisecond.
    public func date(ofTitle text: String, near date: Date) -> Date? {
        let day = Day(date)
        for distance in 0...Self.daysToCompare {
            for direction in [-1, 1] {
                let candidate = Zone.system.noon(of: day.adding(direction * distance))
                if title(on: candidate) == text { return candidate }
            }
        }
        return nil
    }

    private static let daysToCompare = 730

    /// Returns the day's note, found by its title, or created if no note outside the Trash has that title.
    ///
    /// - Parameter undoably: Whether creating it is an action that can be undone.
    ///
    /// - Throws: `StoreError`, also where the folder is missing or cannot hold notes.
    public func note(in notebook: Notebook, on date: Date, undoably: Bool = false) throws -> NoteRow {
        let title = title(on: date)
        if let row = try notebook.links.note(havingTitle: title) { return row }
        let target = folder.isEmpty ? .inbox : try notebook.containers.resolve(path: folder).id
        return try notebook.notes.create(
            NewNote(text: "# \(title)\n\n", folder: target), as: NoteID(ofKind: "day", named: title),
            undoably: undoably)
    }
}
