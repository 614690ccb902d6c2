import Foundation
import NoteStore
import SeededRandom
import Testing

@testable import Sync

/// Tests that a synchronisation continues after git was killed with -9 while it fetched, wrote or sent.
struct KilledGitTests {
    /// A program that behaves like git, except for one of its calls, which is killed after some milliseconds.
    private static let wrapper = """
        #!/bin/sh
        folder=$(dirname "$0")
        for word; do
            case $word in fetch | push | fast-import | update-ref)
                left=$(cat "$folder/left")
                echo $((left - 1)) > "$folder/left"
                if [ "$left" = 0 ]; then
                    git "$@" <&0 &
                    sleep "$(cat "$folder/pause")"
                    kill -9 $!
                    wait $!
                    exit 1
                fi
                break ;;
            esac
        done
        exec git "$@"
        """

    @Test func `a git that is killed inside a fetch, a commit or a push loses nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too
        let program = folder.appending(path: "git").path
        try Data(Self.wrapper.utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let url = folder.appending(path: "remote.git").path
        let remote = try GitRepository(path: url, asks: false)
        try remote.prepare()
        let notebooks = try (0..<2).map {
            try Notebook.open(folder.appending(path: "\($0).sqlite").path, mode: .command)
        }
        for notebook in notebooks { _ = try NotebookSync(notebook).begin(url) }
        var random = SeededGenerator(seed: 7)
        var (words, killed) = (Set<String>(), 0)
        let count = ProcessInfo.processInfo.environment["TN_SYNC_KILLS"].flatMap(Int.init) ?? 8
        for number in 0..<count {
            for (machine, notebook) in notebooks.enumerated() {
                let word = "word\(number)on\(machine)"
                words.insert(word)
                let long = String(repeating: "\(random.next())\n", count: 2_000)
                try notebook.notes.create(NewNote(text: "\(word)\n\(long)"))
            }
            try write("\(random.below(4))", to: folder, "left")
            try write("0.0\(random.below(3))\(random.below(10))", to: folder, "pause")
            let notebook = random.pick(notebooks)
            var repository = try GitRepository(path: NotebookSync(notebook).folder, asks: false)
            repository.program = program
            try repository.prepare()
            do {
                _ = try Synchronizer(notebook: notebook, store: repository, url: url).run()
            } catch is GitError {
                killed += 1
            }
            #expect(try notebook.care.check() == [])
        }
        #expect(killed > 0)
        for _ in 0..<2 { for notebook in notebooks { _ = try NotebookSync(notebook).run() } }
        for notebook in notebooks {
            #expect(try NotebookSync(notebook).run() == SyncReport())
            let texts = try notebook.sync.snapshot(all: true).notes.values.map(\.text.string)
            let found = Set(texts.compactMap { $0.split(separator: "\n").first.map(String.init) })
            #expect(found == words && texts.count == words.count)
            let repository = try GitRepository(path: NotebookSync(notebook).folder, asks: false)
            #expect(try repository.run(["fsck", "--no-dangling", "--connectivity-only"]).isSuccess)
        }
        #expect(try remote.run(["fsck", "--no-dangling"]).isSuccess)
    }

    private func write(_ text: String, to folder: URL, _ name: String) throws {
        try Data((text + "\n").utf8).write(to: folder.appending(path: name))
    }
}
