/// An event of inotify about a name in a folder, or about the folder itself.
package struct FolderEvent: Equatable, Sendable {
    /// The kinds of events, and the ways to watch a folder; the numbers are those of Linux's `sys/inotify.h`.
    package struct Kind: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let modified = Kind(rawValue: 0x2)
        /// A file that was open for writing was closed.
        package static let closedAfterWriting = Kind(rawValue: 0x8)
        package static let movedFrom = Kind(rawValue: 0x40)
        package static let movedTo = Kind(rawValue: 0x80)
        package static let created = Kind(rawValue: 0x100)
        package static let deleted = Kind(rawValue: 0x200)
        package static let selfDeleted = Kind(rawValue: 0x400)
        package static let selfMoved = Kind(rawValue: 0x800)
        /// Events were lost, since too many had not been read.
        package static let overflowed = Kind(rawValue: 0x4000)
        /// The place is not watched any more.
        package static let ignored = Kind(rawValue: 0x8000)
        package static let isFolder = Kind(rawValue: 0x4000_0000)

        /// Watches a folder only.
        package static let onlyFolder = Kind(rawValue: 0x0100_0000)
        /// Watches a symbolic link rather than what it leads to.
        package static let notFollowing = Kind(rawValue: 0x0200_0000)
    }

    /// The number of the watched place.
    var folder: Int32
    var kind: Kind
    /// The same for both halves of a move.
    var cookie: UInt32
    /// Empty if the event is about the watched place itself.
    var name: String

    /// Reads the events of one answer of the system.
    static func read(_ bytes: ArraySlice<UInt8>) -> [FolderEvent] {
        var events: [FolderEvent] = []
        var rest = bytes
        // Four numbers of four bytes, the last of them the length of the name, which zeros fill up.
        while rest.count >= 16 {
            let number = { (index: Int) in
                rest.dropFirst(index * 4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            let (folder, kind, cookie, length) = (number(0), number(1), number(2), Int(number(3)))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            events.append(
                FolderEvent(
                    folder: Int32(bitPattern: folder), kind: Kind(rawValue: kind), cookie: cookie,
                    name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(16 + length)
        }
        return events
    }
}
