import Foundation
import SystemPackage

/// What a path that is being typed can become.
///
///     "~/no"  ->  ["~/notes/", "~/novel/"], which begin alike with "~/no"
public struct PathCompletion: Equatable, Sendable {
    /// What is asked for.
    public enum Kind: Equatable, Sendable {
        case folders
        /// Files with one of these endings, in lower case, and the folders on the way to them.
        case files(endings: Set<String>)
    }

    /// What the text can become, folders with a `/` at their end, in the order of their names.
    public let candidates: [String]
    /// The text that all candidates begin with; what was typed where there is none.
    public let common: String

    /// Looks into the folder that is typed so far; hidden entries are left out until a `.` is typed.
    ///
    /// - Parameter entries: the names in a folder, each with whether it is a folder; the disk's unless told.
    public init(
        _ text: String, _ kind: Kind, entries: (String) -> [(name: String, isFolder: Bool)] = Self.entries
    ) {
        let slash = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (folder, start) = (String(text[..<slash]), text[slash...])
        let found = text == "~" ? [] : entries(Self.expanded(folder.isEmpty ? "./" : folder))
        let fitting = found.filter { entry in
            guard entry.name.hasPrefix(start), start.hasPrefix(".") || !entry.name.hasPrefix(".") else { return false }
            guard !entry.isFolder, case .files(let endings) = kind else { return entry.isFolder }
            return endings.contains(FilePath(entry.name).extension?.lowercased() ?? "")
        }
        let names = fitting.map { folder + $0.name + ($0.isFolder ? "/" : "") }.sorted()
        candidates = text == "~" ? ["~/"] : names
        common = Self.commonStart(of: candidates) ?? text
    }

    private static func commonStart(of texts: [String]) -> String? {
        guard var common = texts.first else { return nil }
        for text in texts.dropFirst() { common = common.commonPrefix(with: text) }
        return common
    }

    /// What a folder on the disk holds; nothing where it cannot be read.
    public static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // nothing to complete
        return names.map { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            return (name, exists && isFolder.boolValue)
        }
    }

    /// The path as the system knows it: `~` is the home folder.
    public static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return (ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()) + path.dropFirst()
    }

    /// The path of an existing file or folder that a pasted text is, as terminals write what is dropped on them:
    /// plain, quoted, with escaped spaces, or as a `file:` address.
    public static func pasted(_ text: String) -> String? {
        let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !line.isEmpty, !line.contains(where: \.isNewline), line.utf8.count < 4_096 else { return nil }
        var readings = [line]
        if let first = line.first, line.count > 1, "'\"".contains(first), line.last == first {
            readings.append(String(line.dropFirst().dropLast()))
        }
        readings.append(unescaped(line))
        if line.hasPrefix("file://"), let url = URL(string: line) { readings.append(url.path) }
        return readings.first { path in
            (path.hasPrefix("/") || path.hasPrefix("~/")) && FileManager.default.fileExists(atPath: expanded(path))
        }
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
