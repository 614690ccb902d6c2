import FaultInjection
import Foundation
import SeededRandom
import SystemPackage
import Testing
import TextEditing

@testable import NoteStore

/// Simulates a power cut at each write, after which unsynced data on the disk is arbitrary.
///
/// The notebook opens and is valid, and nothing is lost that was saved or that the journal had synced.
extension FaultTests {
    @Test func `a power cut at any write loses nothing that was synced`() throws {
        fault_install()
        let scene = try PowerScene()
        try scene.play()
        let isThorough = ProcessInfo.processInfo.environment["TN_FAULTS"] == "all"
        let cuts = scene.operations.count
        #expect(cuts > 60)
        for cut in stride(from: 0, through: cuts, by: isThorough ? 1 : max(1, cuts / 40)) {
            for seed in 0..<(isThorough ? 8 : 3) {
                var chance = SeededGenerator(seed: UInt64(cut * 31 + seed))
                try scene.expectIntact(after: cut, &chance)
            }
        }
    }
}

/// A note that is typed into and saved, and the text that must be there at each moment.
private final class PowerScene {
    struct Operation {
        let kind: Int32
        let name: String
        let offset: Int
        let bytes: [UInt8]
    }

    private let folder: URL
    /// The files before the recording begins, all of them on the disk.
    private var before: [String: [UInt8]] = [:]
    private(set) var operations: [Operation] = []
    /// The texts of the note, each with the number of operations at the time it was written to the journal.
    private var states: [(text: String, since: Int)] = []
    /// After the given number of operations, this state or a later one must be there.
    private var floors: [(state: Int, since: Int)] = []
    private let note = NoteID()

    init() throws {
        let memory = URL(filePath: "/dev/shm")
        let room =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        folder = room.appending(path: "faulty-power-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // The system removes leftovers.
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String { folder.path + "/notes.sqlite" }

    /// A journal disk whose writes are recorded like those of SQLite.
    private func recordingDisk(_ journal: @escaping @Sendable () -> String) -> JournalDisk {
        JournalDisk(
            write: { descriptor, bytes in
                let end = lseek(descriptor, 0, SEEK_END)
                power_note(Int32(POWER_WRITE), journal(), Int64(end), bytes.baseAddress, Int32(bytes.count))
                return JournalDisk.system.write(descriptor, bytes)
            },
            truncate: { descriptor, size in
                power_note(Int32(POWER_TRUNCATE), journal(), Int64(size), nil, 0)
                return JournalDisk.system.truncate(descriptor, size)
            },
            sync: { _ in
                power_note(Int32(POWER_SYNC), journal(), 0, nil, 0)
                return 0
            })
    }

    func play() throws {
        let name = folder.path + "/sessions/journal"
        var options = Notebook.Options()
        options.journalDisk = recordingDisk { name }
        let notebook = try Notebook.open(path, options: options)
        try notebook.notes.create(NewNote(text: "begun\n", id: note))
        try notebook.close()
        for file in [path, path + "-wal"] where DiskFile.exists(file) {
            before[file] = [UInt8](try Data(contentsOf: URL(filePath: file)))
        }
        power_record()
        let opened = try Notebook.open(path, options: options)
        let typist = try Typist(opened)
        states = [("begun\n", 0)]
        floors = [(0, 0)]
        for word in 0..<12 {
            try typist.type("word\(word) ", into: note)
            states.append((typist.screen(note), Int(power_count())))
            switch word % 4 {
            case 1:
                try typist.save(note)
                floors.append((states.count - 1, Int(power_count())))
                if word > 6 { typist.leave(note) }
            case 3:
                try waitForSync(of: name)
                floors.append((states.count - 1, Int(power_count())))
            default: break
            }
        }
        power_end()
        operations = (0..<power_count()).map { index in
            let found = power_get(index)
            let bytes = found.bytes.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(found.count))) } ?? []
            return Operation(
                kind: found.kind, name: String(cString: found.name), offset: Int(found.offset), bytes: bytes)
        }
        session = typist.journal.id
        typist.die()
        try opened.close()
    }

    private var session = ""

    /// Returns when the journal has been synced once more; waits up to a minute, since other tests use the disk too.
    private func waitForSync(of name: String) throws {
        let (start, end) = (power_count(), Date().addingTimeInterval(60))
        while Date() < end {
            for index in start..<power_count() {
                let found = power_get(index)
                if found.kind == POWER_SYNC, String(cString: found.name) == name { return }
            }
            usleep(2000)
        }
        throw Errno.timedOut
    }

    /// A file as it may be found after a cut: the synced data, and for each other sector the state after some of the
    /// writes.
    private func contents(of name: String, after cut: Int, _ chance: inout SeededGenerator) -> [UInt8] {
        var durable = before[name] ?? []
        var pending: [Operation] = []
        for operation in operations[..<cut] where operation.name == name {
            if operation.kind == POWER_SYNC {
                for done in pending { Self.apply(done, to: &durable) }
                pending = []
            } else {
                pending.append(operation)
            }
        }
        var histories = [durable]
        for operation in pending {
            var next = histories[histories.count - 1]
            Self.apply(operation, to: &next)
            histories.append(next)
        }
        var result = [UInt8](repeating: 0, count: chance.pick(histories).count)
        for start in stride(from: 0, to: result.count, by: 512) {
            let source = chance.pick(histories)
            for index in start..<min(start + 512, result.count) where index < source.count {
                result[index] = source[index]
            }
        }
        return result
    }

    private static func apply(_ operation: Operation, to bytes: inout [UInt8]) {
        if operation.kind == POWER_TRUNCATE {
            if operation.offset < bytes.count { bytes.removeSubrange(operation.offset...) }
            return
        }
        let end = operation.offset + operation.bytes.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(operation.offset..<end, with: operation.bytes)
    }

    func expectIntact(after cut: Int, _ chance: inout SeededGenerator) throws {
        let place = folder.appending(path: "cut")
        try? FileManager.default.removeItem(at: place)  // there is none before the first
        try FileManager.default.createDirectory(
            at: place.appending(path: "sessions"), withIntermediateDirectories: true)
        for (name, target) in [
            (path, "notes.sqlite"), (path + "-wal", "notes.sqlite-wal"),
            (folder.path + "/sessions/journal", "sessions/\(session).journal"),
        ] {
            let bytes = contents(of: name, after: cut, &chance)
            if !bytes.isEmpty { try Data(bytes).write(to: place.appending(path: target)) }
        }
        let found = try Notebook.open(place.path + "/notes.sqlite", mode: .command)
        let floor = floors.last { $0.since <= cut }?.state ?? 0
        let text = try found.notes.text(note)
        let isThere = states[floor...].contains { $0.text == text }
        #expect(isThere, "cut after \(cut) of \(operations.count): \(text ?? "gone") is before \(states[floor].text)")
        #expect(try found.care.check() == [], "cut after \(cut)")
        try found.close(checkpointing: true)
    }
}
