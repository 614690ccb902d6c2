import Foundation
import NoteStore
import SystemPackage

/// The completions of a path that is being typed.
///
///     "~/no"  ->  ["~/notes/", "~/novel/"], whose common start is "~/no"
public struct PathCompletion: Equatable, Sendable {
    /// The kind of path to complete.
    public enum Kind: Equatable, Sendable {
        case folders
        /// Files with one of these extensions, in lower case, and the folders on the way to them.
        case files(extensions: Set<String>)
    }

    /// The possible completions, sorted by name; folders end in `/`.
    public let candidates: [String]
    /// The longest common start of the candidates; the typed text if there is none.
    public let common: String

    /// A name in a folder.
    public struct Entry: Equatable, Sendable {
        public let name: String
        public let isFolder: Bool

        public init(_ name: String, isFolder: Bool) { (self.name, self.isFolder) = (name, isFolder) }
    }

    /// The folder whose entries complete a typed path; nil for `~`, which the home folder completes.
    public static func folder(of text: String) -> String? {
        if text == "~" { return nil }
        let folder = typedFolder(text)
        return expanded(folder.isEmpty ? "./" : folder)
    }

    /// The largest length of a path in bytes, and so of a text that can be completed: `PATH_MAX` of Linux.
    public static let maximumLength = 4_096

    private static func typedFolder(_ text: String) -> String {
        // In UTF-8, no other scalar contains the byte of a slash.
        let end = text.utf8.lastIndex(of: UInt8(ascii: "/")).map(text.utf8.index(after:))
        return String(text[..<(end ?? text.startIndex)])
    }

    /// Completes a typed path; hidden entries are omitted until a `.` is typed.
    ///
    /// - Parameter entries: the entries of `folder(of: text)`.
    public init(_ text: String, _ kind: Kind, entries: [Entry]) {
        let folder = Self.typedFolder(text)
        let start = text[text.utf8.index(text.startIndex, offsetBy: folder.utf8.count)...]
        let fitting = entries.filter { entry in
            guard entry.name.hasPrefix(start), start.hasPrefix(".") || !entry.name.hasPrefix(".") else { return false }
            guard !entry.isFolder, case .files(let extensions) = kind else { return entry.isFolder }
            return extensions.contains(FilePath(entry.name).extension?.lowercased() ?? "")
        }
        let names = fitting.map { folder + $0.name + ($0.isFolder ? "/" : "") }.sorted()
        candidates = text == "~" ? ["~/"] : names
        common = Self.commonStart(of: candidates) ?? text
    }

    /// Makes a completion without candidates, of a text that cannot be a path.
    public init(nothingFor text: String) { (candidates, common) = ([], text) }

    private static func commonStart(of texts: [String]) -> String? {
        guard var common = texts.first else { return nil }
        for text in texts.dropFirst() { common = common.commonPrefix(with: text) }
        return common
    }

    /// The contents of a folder on the disk; empty if it cannot be read.
    ///
    /// It takes as long as a mount that hangs.
    public static func entries(of folder: String) -> [Entry] {
        let path = FilePath(folder)
        let names = (try? PrivateFile.names(in: path)) ?? []  // nothing to complete
        return names.map { Entry($0.string, isFolder: PathKind(path.appending($0)) == .folder) }
    }

    /// Returns the path with `~` replaced by the home folder.
    public static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return HomeFolder.path() + path.dropFirst()
    }

    /// The paths that a pasted text may mean, the likeliest first; empty if it cannot be a path.
    ///
    /// It asks no disk. The text may have any form that terminals use for dropped files: plain, quoted, with escaped
    /// spaces, or a `file:` address.
    public static func readings(ofPasted text: String) -> [String] {
        let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !line.isEmpty, !line.contains(where: \.isNewline), line.utf8.count < maximumLength else { return [] }
        var readings = [line]
        if let first = line.first, line.count > 1, "'\"".contains(first), line.last == first {
            readings.append(String(line.dropFirst().dropLast()))
        }
        readings.append(unescaped(line))
        if line.hasPrefix("file://"), let url = URL(string: line) { readings.append(url.path) }
        return readings.filter { $0.hasPrefix("/") || $0.hasPrefix("~/") }
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
