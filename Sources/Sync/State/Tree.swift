import NoteStore

/// The path of a file in a tree, as bytes, since git allows any bytes but NUL.
public struct TreePath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init(_ text: String) { bytes = Array(text.utf8) }
    public init(stringLiteral value: String) { bytes = Array(value.utf8) }

    public var description: String { String(decoding: bytes, as: UTF8.self) }

    // An array hashes its bytes one by one.
    public func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// The path as text, or `nil` if it is not UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether the path is UTF-8.
    var isText: Bool { bytes.allSatisfy { $0 < 0x80 } || text != nil }

    /// The components of the path, the file's name last.
    public var names: [ArraySlice<UInt8>] { bytes.split(separator: slash, omittingEmptySubsequences: false) }

    /// The last component.
    public var name: ArraySlice<UInt8> { bytes.lastIndex(of: slash).map { bytes[($0 + 1)...] } ?? bytes[...] }

    /// The path of the parent folder, empty at the top.
    public var folder: TreePath { TreePath(bytes.lastIndex(of: slash).map { Array(bytes[..<$0]) } ?? []) }

    /// Returns the path of an item in this folder.
    public func appending(_ name: some Collection<UInt8>) -> TreePath {
        TreePath(bytes.isEmpty ? Array(name) : bytes + [slash] + Array(name))
    }

    public func appending(_ name: String) -> TreePath { appending(Array(name.utf8)) }

    /// Returns whether this is the path of `folder` or of something inside it.
    package func isInside(_ folder: TreePath) -> Bool {
        folder.bytes.isEmpty || bytes == folder.bytes
            || bytes.count > folder.bytes.count && bytes[folder.bytes.count] == slash
                && bytes.starts(with: folder.bytes)
    }

    /// Whether a component is unsafe: it leads out of a folder or is reserved by git.
    var isUnsafe: Bool {
        names.contains { name in
            // Most names begin like none of these.
            if let first = name.first, first != UInt8(ascii: "."), first | 0x20 != UInt8(ascii: "g") { return false }
            let text = String(decoding: name, as: UTF8.self).lowercased()
            return text.isEmpty || text == "." || text == ".." || text == ".git" || text.hasPrefix("git~")
        }
    }

    public static func < (one: Self, other: Self) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}

private let slash = UInt8(ascii: "/")

/// The entry of a tree at a path.
public struct TreeEntry: Hashable, Sendable {
    /// Git's mode: `100644` for a file, `100755` for an executable, `120000` for a symbolic link, `160000` for a
    /// submodule.
    public var mode: String
    /// The object name of its bytes, in hexadecimal.
    public var object: String

    public init(mode: String = "100644", object: String) { (self.mode, self.object) = (mode, object) }

    var isFile: Bool { mode == "100644" || mode == "100755" }
}

/// All entries of a commit by their paths.
public typealias Tree = [TreePath: TreeEntry]

/// A change that turns one tree into another.
public struct TreeChange: Equatable, Sendable {
    /// The new entries by their paths; `nil` deletes the entry.
    public var entries: [TreePath: TreeEntry?] = [:]
    /// The bytes of files that git may not have yet, by their object names.
    public var contents: [String: [UInt8]] = [:]

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// Returns the tree with this change.
    package func applied(to tree: Tree) -> Tree {
        var tree = tree
        for (path, entry) in entries { tree[path] = entry }
        return tree
    }
}
