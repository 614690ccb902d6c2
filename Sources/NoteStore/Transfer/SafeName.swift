import Foundation

/// A file name that every file system accepts and that cannot leave its folder.
struct SafeName {
    let name: String

    /// The maximum length of a note's name in bytes: most file systems accept 255, and the extension and a number need
    /// room.
    ///
    /// Letters of most scripts take two or three bytes, and a shorter limit would cut titles that people have given to
    /// files.
    static let maximumLength = 230
    /// The maximum length of other names in bytes, by which a synchronised repository tells a renamed file.
    ///
    /// Earlier versions used it for all names, those in mirrored folders among them.
    static let shortLength = 120
    /// The maximum length of a folder's name in bytes, which leaves room for a number.
    ///
    /// Folders that people made come in with their names, and a shorter limit would give them others in a mirror.
    static let maximumFolderLength = 250

    /// The names that Windows reserves, with any extension.
    private static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
    private static let forbidden = Set("/\\:*?\"<>|".utf8)

    /// - Parameter maximumLength: in bytes.
    init(_ title: String, maximumLength: Int = Self.maximumLength) {
        var result = Self.trimmed(Self.plain(title, maximumLength) ?? Self.accepted(title, maximumLength))
        if result.isEmpty { result = "Untitled" }
        let stem = result.utf8.prefix { $0 != UInt8(ascii: ".") }
        if 3...4 ~= stem.count, Self.reserved.contains(String(decoding: stem, as: UTF8.self).lowercased()) {
            result = "_" + result
        }
        name = result
    }

    /// Returns a short title of printable ASCII with a hyphen for each forbidden character, or `nil` for any other title.
    ///
    /// A synchronisation makes a name of each title, and most titles are of this kind.
    private static func plain(_ title: String, _ maximumLength: Int) -> String? {
        guard title.utf8.count <= maximumLength, title.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return nil
        }
        return String(decoding: title.utf8.map { forbidden.contains($0) ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }

    /// Returns the start of a title, with a hyphen for each character that no file name should have.
    private static func accepted(_ title: String, _ maximumLength: Int) -> String {
        var result = ""
        for character in start(of: title, maximumLength).precomposedStringWithCanonicalMapping {
            let isForbidden = character.utf8.count == 1 && character.utf8.first.map(forbidden.contains) == true
            // Characters that change the direction of text can make one name look like another.
            let isControl = character.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.properties.isBidiControl
            }
            let next = isForbidden || isControl ? "-" : String(character)
            if result.utf8.count + next.utf8.count > maximumLength { break }
            result += next
        }
        return result
    }

    /// Returns a name without the dots and blanks at its ends, which Windows drops.
    private static func trimmed(_ name: String) -> String {
        func isKept(_ byte: UInt8) -> Bool { byte != UInt8(ascii: ".") && byte != 0x20 && byte != 0x09 }
        let bytes = name.utf8
        guard let first = bytes.firstIndex(where: isKept), let last = bytes.lastIndex(where: isKept) else { return "" }
        return String(name[first..<bytes.index(after: last)])
    }

    /// Returns the name for a file of any kind, with its extension.
    static func ofFile(_ name: String) -> String {
        let name = name.split(separator: "/").last.map(String.init) ?? name
        func short(_ part: some StringProtocol) -> String { SafeName(String(part), maximumLength: shortLength).name }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return short(name) }
        let fileExtension = short(name[name.index(after: dot)...])
        guard fileExtension.utf8.count <= maximumExtensionLength else { return short(name) }
        return short(name[..<dot]) + "." + fileExtension
    }

    /// The maximum length of an extension in bytes; a longer text after a dot is part of the name.
    private static let maximumExtensionLength = 20

    /// Returns the start of a title that a name can use.
    ///
    /// A single character can be a megabyte long; cut off, it costs nothing and still gives a name.
    private static func start(of title: String, _ maximumLength: Int) -> String {
        String(String.UnicodeScalarView(title.unicodeScalars.prefix(maximumLength)))
    }

    /// Returns the name with the first free number, compared without case as some file systems do.
    ///
    /// - Parameter next: the number to try first, by the name's path, so that each of many notes with the same title
    ///   needs one attempt.
    static func unique(
        _ name: String, ending: String, in folder: [String], _ taken: inout Set<String>, _ next: inout [String: Int]
    ) -> String {
        let path = folder.joined(separator: "/") + "/"
        let key = Folding.key(path + name + ending)
        var number = next[key] ?? 1
        defer { next[key] = number + 1 }
        while true {
            let candidate = number == 1 ? name + ending : "\(name) \(number)\(ending)"
            if taken.insert(Folding.key(path + candidate)).inserted { return candidate }
            number += 1
        }
    }
}

/// The paths of containers as folders on a disk.
struct FolderNames {
    private let containers: [ContainerID: NoteContainer]
    private var paths: [ContainerID: [String]] = [:]
    private var taken: Set<String> = []
    private var numbers: [String: Int] = [:]
    /// Whether links by name must be able to contain the paths.
    private let areLinkable: Bool

    /// The maximum length of a path in bytes; deeper folders use the last path that fits, since no system accepts
    /// 4,096.
    private static let maximumPathLength = 2000

    init(_ all: [NoteContainer], areLinkable: Bool = false) {
        self.areLinkable = areLinkable
        containers = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    }

    mutating func path(of id: ContainerID) -> [String] {
        // The chain goes from the container up to one whose path is known; a damaged notebook may have a cycle of
        // folders.
        var chain: [NoteContainer] = []
        var seen: Set<ContainerID> = []
        var next = containers[id]
        while let container = next, paths[container.id] == nil, seen.insert(container.id).inserted {
            chain.append(container)
            next = container.parent.flatMap { containers[$0] }
        }
        var path = next.flatMap { paths[$0.id] } ?? []
        for container in chain.reversed() {
            let linkable = areLinkable ? VaultNames.linkable(container.name) : container.name
            let name = SafeName(linkable, maximumLength: SafeName.maximumFolderLength).name
            if path.reduce(name.utf8.count, { $0 + $1.utf8.count + 1 }) <= Self.maximumPathLength {
                path.append(SafeName.unique(name, ending: "", in: path, &taken, &numbers))
            }
            paths[container.id] = path
        }
        return path
    }
}
