import Foundation
import SystemPackage

/// The name of a backup: the notebook, a number, and when and why the backup was made.
///
///     notes-000012-2026-03-01T093000.123Z-daily-7f3a9c1e.sqlite
///
/// The number orders backups, since a clock can go back. The last part is the start of the notebook's identity.
/// Version 0.1 wrote `notes-2026-03-01T093000.123Z-daily.sqlite` for every notebook of the folder.
struct BackupName: Equatable {
    /// The name of the notebook's file without its ending.
    let notebook: String
    /// The number of the backup, from 1; 0 for a backup of version 0.1.
    let number: Int
    let date: Date
    let reason: String
    /// The notebook's `NotebookID.short`, or nil for a backup of version 0.1.
    let id: String?

    private static let ending = ".sqlite"
    private static let stampFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    /// The length of `2026-03-01T093000.123Z` in characters.
    private static let stampLength = 22

    var file: String {
        let stamp = Self.stampFormat.format(date).replacing(":", with: "")
        guard let id else { return "\(notebook)-\(stamp)-\(reason)\(Self.ending)" }
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return "\(notebook)-\(padded)-\(stamp)-\(reason)-\(id)\(Self.ending)"
    }

    init(notebook: String, number: Int, date: Date, reason: String, id: String?) {
        (self.notebook, self.number, self.date, self.reason, self.id) = (notebook, number, date, reason, id)
    }

    /// Returns the part that the names of a notebook's backups begin with.
    static func stem(of notebook: String) -> String {
        let file = FilePath(notebook)
        return (file.extension == "sqlite" ? file.stem : file.lastComponent?.string) ?? "notes"
    }

    /// Parses the name of a file; nil if it is not a backup of this notebook.
    init?(_ file: String, notebook: String) {
        guard file.hasPrefix(notebook + "-"), file.hasSuffix(Self.ending) else { return nil }
        let inner = file.dropFirst(notebook.count + 1).dropLast(Self.ending.count)
        if let old = Self.date(inner.prefix(Self.stampLength)) {
            let reason = inner.dropFirst(Self.stampLength + 1)
            self.init(notebook: notebook, number: 0, date: old, reason: String(reason), id: nil)
            return
        }
        let digits = inner.prefix { $0.isASCII && $0.isNumber }
        let rest = inner.dropFirst(digits.count + 1)
        // A longer number is not one of ours, and could have no successor.
        guard (6...15).contains(digits.count), let number = Int(digits),
            let date = Self.date(rest.prefix(Self.stampLength))
        else {
            return nil
        }
        let parts = rest.dropFirst(Self.stampLength + 1).split(separator: "-")
        guard parts.count == 2, parts[1].count == 8 else { return nil }
        self.init(notebook: notebook, number: number, date: date, reason: String(parts[0]), id: String(parts[1]))
    }

    private static func date(_ stamp: Substring) -> Date? {
        guard stamp.count == stampLength else { return nil }
        var stamp = String(stamp)
        stamp.insert(":", at: stamp.index(stamp.startIndex, offsetBy: 15))
        stamp.insert(":", at: stamp.index(stamp.startIndex, offsetBy: 13))
        return try? stampFormat.parse(stamp)  // a file with another name is not one of our backups
    }
}
