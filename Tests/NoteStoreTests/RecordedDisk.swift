import FaultInjection
import Foundation
import SeededRandom

/// A folder whose changes are recorded, with the states in which a power cut after any of them may leave it.
///
/// Everything that POSIX promises is there afterwards: a file's content up to its last `fsync`, and the names in a
/// folder up to the folder's own. Of the later changes, each may have reached the disk or not, in any order: each
/// sector of a file's content and its length, and each name that was added or removed. Only a renaming within a folder
/// is atomic.
final class RecordedDisk {
    /// The files below a folder, by their relative paths, and its folders.
    struct Contents: Equatable {
        var files: [String: [UInt8]] = [:]
        var folders: Set<String> = []
        /// The numbers of the recorded files; several names of one file have the same number.
        var numbers: [String: Int] = [:]

        static func == (one: Contents, other: Contents) -> Bool {
            one.files == other.files && one.folders == other.folders
        }
    }

    private enum Change {
        case write(file: Int, offset: Int, bytes: [UInt8])
        case truncate(file: Int, size: Int)
        case sync(file: Int)
        case create(file: Int, name: String)
        case link(file: Int, name: String)
        case rename(file: Int, from: String, to: String)
        case unlink(file: Int, name: String)
        case makeFolder(String)
        case removeFolder(String)
        case syncFolder(String)
    }

    /// The folder, which is in memory if possible, so that nothing waits for a disk.
    let folder: URL
    private let room: URL
    private var names: [String: Int] = [:]
    private var folders: Set<String> = []
    /// The files' contents before the recording.
    private var contents: [Int: [UInt8]] = [:]
    private var changes: [Change] = []

    init() throws {
        let memory = URL(filePath: "/dev/shm")
        let place =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        room = place.appending(path: "tn-power-\(UUID().uuidString)").resolvingSymlinksInPath()
        folder = room.appending(path: "disk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // The system removes leftovers.
        try? FileManager.default.removeItem(at: room)
    }

    // MARK: - Recording

    /// Records the changes that `body` makes to the folder; all earlier content is on the disk.
    func record(_ body: () throws -> Void) throws {
        var numbers: [UInt64: Int] = [:]
        for name in try paths() {
            let path = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            if attributes[.type] as? FileAttributeType == .typeDirectory {
                folders.insert(name)
                continue
            }
            let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
            let file = numbers[number] ?? contents.count
            numbers[number] = file
            names[name] = file
            contents[file] = try bytes(of: path)
        }
        power_record(folder.path)
        defer { power_end() }
        try body()
        power_end()
        for index in 0..<power_count() { note(power_get(index), &numbers) }
    }

    /// The number of changes recorded so far.
    var count: Int { Int(power_count()) }

    /// Whether files or folders whose names end like this were synced, in this order, since a number of changes.
    func hasSynced(_ endings: [String], since start: Int) -> Bool {
        var names: [UInt64: String] = [:]
        var left = endings[...]
        for index in 0..<count {
            let operation = power_get(Int32(index))
            var synced: String?
            switch Int(operation.kind) {
            case POWER_CREATE: names[operation.file] = String(cString: operation.name)
            case POWER_SYNC: synced = names[operation.file]
            case POWER_SYNC_FOLDER: synced = String(cString: operation.name)
            default: break
            }
            if index >= start, let synced, let next = left.first, synced.hasSuffix(next) { left.removeFirst() }
        }
        return left.isEmpty
    }

    private func note(_ operation: power_operation, _ numbers: inout [UInt64: Int]) {
        func relative(_ path: UnsafeMutablePointer<CChar>) -> String {
            let parts = String(cString: path).dropFirst(folder.path.count).split(separator: "/")
            return parts.filter { $0 != "." }.joined(separator: "/")
        }
        func file() -> Int {
            if let known = numbers[operation.file] { return known }
            let new = contents.count
            numbers[operation.file] = new
            contents[new] = []
            return new
        }
        let (name, other) = (relative(operation.name), relative(operation.other))
        let offset = Int(operation.offset)
        switch Int(operation.kind) {
        case POWER_WRITE:
            let bytes = [UInt8](UnsafeBufferPointer(start: operation.bytes, count: Int(operation.count)))
            changes.append(.write(file: file(), offset: offset, bytes: bytes))
        case POWER_TRUNCATE: changes.append(.truncate(file: file(), size: offset))
        case POWER_SYNC: changes.append(.sync(file: file()))
        case POWER_CREATE:
            // The number may have belonged to a file that was removed.
            numbers[operation.file] = nil
            changes.append(.create(file: file(), name: name))
        case POWER_LINK: changes.append(.link(file: file(), name: other))
        case POWER_RENAME: changes.append(.rename(file: file(), from: name, to: other))
        case POWER_UNLINK: changes.append(.unlink(file: file(), name: name))
        case POWER_MAKE_FOLDER: changes.append(.makeFolder(name))
        case POWER_REMOVE_FOLDER: changes.append(.removeFolder(name))
        default: changes.append(.syncFolder(name))
        }
    }

    // MARK: - Cuts

    /// Returns the numbers of changes after which to cut, each with its number of trials.
    ///
    /// A thorough run cuts after all changes, another one after about `count` and after each change of a name. The
    /// latter get as many trials as given: few names are unsynced at once, so that their states can be gone through.
    func cuts(thoroughly: Bool, count: Int, afterNames trials: Int) -> [Int: Int] {
        if thoroughly { return Dictionary(uniqueKeysWithValues: (0...changes.count).map { ($0, max(8, trials)) }) }
        let step = max(1, changes.count / count)
        var cuts = Dictionary(
            uniqueKeysWithValues: stride(from: 0, through: changes.count, by: step).map { ($0, 1) })
        cuts[changes.count] = trials
        for (index, change) in changes.enumerated() {
            switch change {
            case .write, .truncate, .sync: break
            // No file is being written at that moment.
            case .syncFolder: cuts[index + 1] = 1
            default: cuts[index + 1] = trials
            }
        }
        return cuts
    }

    /// Describes the last change before a cut, for a failure's message.
    func describe(_ cut: Int) -> String {
        guard cut > 0 else { return "before the first change" }
        func name(_ file: Int) -> String {
            var names = names
            for case .create(file, let name) in changes { names[name] = file }
            return names.first { $0.value == file }?.key ?? "?"
        }
        let what =
            switch changes[cut - 1] {
            case .write(let file, let offset, let bytes): "\(bytes.count) bytes at \(offset) of \(name(file))"
            case .truncate(let file, let size): "\(name(file)) cut to \(size)"
            case .sync(let file): "sync of \(name(file))"
            case let change: "\(change)"
            }
        return "after change \(cut) of \(changes.count): \(what)"
    }

    /// Returns a possible content of the folder after a cut; chance decides which unsynced changes have reached the
    /// disk.
    func contents(after cut: Int, _ chance: inout SeededGenerator) -> Contents {
        // The two extremes are as likely as all cases between them.
        let luck: Luck = chance.pick([.nothing, .everything, .some, .some, .some])
        var (names, folders) = names(after: cut, luck, &chance)
        // Files in a folder that does not exist cannot be reached.
        folders = folders.filter { Self.parents(of: $0).isSubset(of: folders) }
        names = names.filter { Self.parents(of: $0.key).isSubset(of: folders) }
        var result = Contents(folders: folders, numbers: names)
        var found: [Int: [UInt8]] = [:]
        for (name, file) in names.sorted(by: { $0.key < $1.key }) {
            // Names of one file lead to the same content. SQLite's shared memory must not be relied on.
            let bytes =
                found[file]
                ?? (name.hasSuffix("-shm")
                    ? (0..<512).map { _ in UInt8(chance.below(256)) } : bytes(of: file, after: cut, luck, &chance))
            found[file] = bytes
            result.files[name] = bytes
        }
        return result
    }

    /// Whether the record is complete, so that replaying it gives the folder's present state.
    func isWhole() throws -> Bool {
        var (replayed, found) = (replayed(), try found())
        // SQLite's shared memory changes without a system call.
        for name in found.files.keys where name.hasSuffix("-shm") {
            replayed.files[name] = nil
            found.files[name] = nil
        }
        return replayed == found
    }

    /// Returns the state of the folder after all changes, computed from the record.
    private func replayed() -> Contents {
        var chance = SeededGenerator(seed: 0)
        let (names, folders) = names(after: changes.count, .everything, &chance)
        return Contents(
            files: names.mapValues { bytes(of: $0, after: changes.count, .everything, &chance) }, folders: folders)
    }

    /// Returns the present state of the folder.
    private func found() throws -> Contents {
        var result = Contents()
        for name in try paths() {
            var isFolder: ObjCBool = false
            let path = folder.path + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue { result.folders.insert(name) } else { result.files[name] = try bytes(of: path) }
        }
        return result
    }

    /// Writes contents into an emptied folder beside the recorded one, or into the recorded one itself.
    func lay(_ contents: Contents, isInPlace: Bool = false) throws -> URL {
        let place = isInPlace ? folder : room.appending(path: "cut")
        try? FileManager.default.removeItem(at: place)  // it does not exist at first
        for name in contents.folders.sorted() + [""] {
            try FileManager.default.createDirectory(
                at: place.appending(path: name), withIntermediateDirectories: true)
        }
        var laid: [Int: URL] = [:]
        for (name, bytes) in contents.files {
            let file = place.appending(path: name)
            if let number = contents.numbers[name], let other = laid.updateValue(file, forKey: number) {
                try FileManager.default.linkItem(at: other, to: file)
            } else {
                try Data(bytes).write(to: file)
            }
        }
        return place
    }

    private enum Luck { case nothing, everything, some }

    private static func parent(of name: String) -> String {
        name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
    }

    private static func parents(of name: String) -> Set<String> {
        var (result, next): (Set<String>, String) = ([], parent(of: name))
        while !next.isEmpty {
            result.insert(next)
            next = parent(of: next)
        }
        return result
    }

    private func names(
        after cut: Int, _ luck: Luck, _ chance: inout SeededGenerator
    ) -> (names: [String: Int], folders: Set<String>) {
        var synced: [String: Int] = [:]
        for (index, change) in changes[..<cut].enumerated() {
            if case .syncFolder(let name) = change { synced[name] = index }
        }
        var (names, folders) = (names, folders)
        func happens(_ index: Int, _ name: String) -> Bool {
            if index < synced[Self.parent(of: name)] ?? -1 { return true }
            switch luck {
            case .nothing: return false
            case .everything: return true
            case .some: return chance.chance(50)
            }
        }
        for (index, change) in changes[..<cut].enumerated() {
            switch change {
            case .create(let file, let name), .link(let file, let name):
                if happens(index, name) { names[name] = file }
            case .rename(let file, let from, let to):
                guard happens(index, to) else { continue }
                names[to] = file
                let isOne = Self.parent(of: from) == Self.parent(of: to)
                if isOne || happens(index, from), names[from] == file { names[from] = nil }
            case .unlink(let file, let name):
                if happens(index, name), names[name] == file { names[name] = nil }
            case .makeFolder(let name): if happens(index, name) { folders.insert(name) }
            case .removeFolder(let name): if happens(index, name) { folders.remove(name) }
            case .write, .truncate, .sync, .syncFolder: break
            }
        }
        return (names, folders)
    }

    /// The size in bytes that a disk writes completely or not at all.
    private static let sector = 512

    private func bytes(of file: Int, after cut: Int, _ luck: Luck, _ chance: inout SeededGenerator) -> [UInt8] {
        var durable = contents[file] ?? []
        var pending: [Change] = []
        for change in changes[..<cut] {
            switch change {
            case .write(file, _, _), .truncate(file, _): pending.append(change)
            case .sync(file):
                for change in pending { Self.apply(change, to: &durable) }
                pending = []
            default: break
            }
        }
        if pending.isEmpty || luck == .nothing { return durable }
        if luck == .everything {
            for change in pending { Self.apply(change, to: &durable) }
            return durable
        }
        return Self.some(of: pending, on: durable, &chance)
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(_, let offset, let written):
            let end = offset + written.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(offset..<end, with: written)
        case .truncate(_, let size):
            if size < bytes.count { bytes.removeSubrange(size...) }
            if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
        default: break
        }
    }

    /// Returns a content in which each sector has some of the changes, with a length that the file had at some time.
    private static func some(
        of changes: [Change], on durable: [UInt8], _ chance: inout SeededGenerator
    ) -> [UInt8] {
        var lengths = [durable.count]
        for change in changes {
            switch change {
            case .write(_, let offset, let bytes): lengths.append(max(lengths[lengths.count - 1], offset + bytes.count))
            case .truncate(_, let size): lengths.append(size)
            default: break
            }
        }
        let room = lengths.max() ?? 0
        var result = durable + [UInt8](repeating: 0, count: room - durable.count)
        // The number of changes that have reached each sector.
        let seen = (0...room / sector).map { _ in chance.number(in: 0...changes.count) }
        for (index, change) in changes.enumerated() {
            let range: Range<Int>
            let written: [UInt8]
            switch change {
            case .write(_, let offset, let bytes): (range, written) = (offset..<offset + bytes.count, bytes)
            case .truncate(_, let size) where size < room:
                (range, written) = (size..<room, [UInt8](repeating: 0, count: room - size))
            default: continue
            }
            var start = range.lowerBound
            while start < range.upperBound {
                let end = min(range.upperBound, (start / sector + 1) * sector)
                if seen[start / sector] > index {
                    let (from, to) = (start - range.lowerBound, end - range.lowerBound)
                    result.replaceSubrange(start..<end, with: written[from..<to])
                }
                start = end
            }
        }
        return Array(result.prefix(chance.pick(lengths)))
    }

    private func paths() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.path) }

    private func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
