import Foundation

/// The files that an import would take, found without changing anything.
public struct ImportPlan: Equatable, Sendable {
    /// One file to become one note.
    public struct File: Equatable, Sendable {
        public let path: String
        /// The sub-folders between what was given and the file.
        public let folders: [String]

        /// The name without its ending: the title if the file gives no other.
        public var name: String { (path as NSString).lastPathComponent.withoutEnding }
    }

    public private(set) var files: [File] = []
    public private(set) var problems: [ImportProblem] = []

    /// Endings of files that become notes.
    public static let endings: Set = ["md", "markdown", "txt"]

    /// Looks for files: those given, and those in the folders given, sub-folders included; hidden ones and links to
    /// folders are passed over.
    ///
    /// In the order of their names.
    public init(paths: [String]) {
        for path in paths {
            var isFolder: ObjCBool = false
            if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
                problems.append(ImportProblem(path: path, reason: .notFound))
            } else if isFolder.boolValue {
                addFolder(path, [])
            } else if Self.endings.contains((path as NSString).pathExtension.lowercased()) {
                files.append(File(path: path, folders: []))
            } else {
                problems.append(ImportProblem(path: path, reason: .unknownKind))
            }
        }
    }

    private mutating func addFolder(_ path: String, _ folders: [String]) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            problems.append(ImportProblem(path: path, reason: .unreadable(errno: EACCES)))
            return
        }
        for name in names where !name.hasPrefix(".") {
            let inner = path + "/" + name
            if Self.endings.contains((name as NSString).pathExtension.lowercased()) {
                files.append(File(path: inner, folders: folders))
            } else if DiskFile.isFolder(inner) {
                addFolder(inner, folders + [name])
            }
        }
    }
}

extension String {
    var withoutEnding: String { (self as NSString).deletingPathExtension }
}
