import Foundation
import NoteStore

/// Where the day's note is and what it is called: what `[daily]` of the configuration tells.
public struct DailySettings: Equatable, Sendable {
    /// The path of its folder, which has to exist; empty for the Inbox.
    public var folder: String
    /// Its title, in which `strftime` fills in the date: `%Y-%m-%d`.
    public var title: String

    public init(folder: String = "", title: String = "%Y-%m-%d") {
        self.folder = folder
        self.title = title
    }

    /// The title of the note of a day, by the calendar of where the user is.
    public func title(on date: Date) -> String {
        var moment = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&moment, &parts)
        // Every conversion of strftime gives less than this, and a title is one line.
        var text = [CChar](repeating: 0, count: 64 + title.utf8.count * 16)
        let length = strftime(&text, text.count, title, &parts)
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension DailySettings {
    /// The day's note, found by its title; made where it belongs if there is none outside of the Trash.
    ///
    /// - Throws: `StoreError`, also where the folder is missing or cannot hold notes.
    public func note(in notebook: Notebook, on date: Date) throws -> NoteRow {
        let title = title(on: date)
        if let row = try notebook.links.note(havingTitle: title) { return row }
        let place = folder.isEmpty ? .inbox : try notebook.containers.resolve(path: folder).id
        return try notebook.notes.create(NewNote(text: "# \(title)\n\n", folder: place))
    }
}
