import Foundation
import NoteStore
import Sync

/// A remote that is a bare repository, with which machines synchronise through git itself.
///
/// Each machine has a repository of its own. Where `kills` is positive, git is killed with -9 now and then while it
/// fetches, writes or sends.
package final class GitRemote: SharedRemote {
    private let folder: URL
    private let repository: GitRepository
    /// The path of the program that machines use as git; `nil` stands for git itself.
    private var wrapper: String?
    package var isReachable = true
    package var beforePush: () -> Void = {}

    package init(kills: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-remote-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        repository = try GitRepository(path: folder.appending(path: "remote.git").path, asks: false)
        try repository.prepare()
        if kills {
            let program = folder.appending(path: "git")
            try Data(Self.script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
            wrapper = program.path
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // the system's folder is cleaned by others too

    /// A program that behaves like git, except for one call in forty, which is killed after some milliseconds.
    ///
    /// The calls are counted in a file, so that the same schedule kills the same ones.
    private static let script = """
        #!/bin/sh
        folder=$(dirname "$0")
        [ -e "$folder/rest" ] && exec git "$@"
        for word; do
            case $word in fetch | push | fast-import | update-ref)
                count=$(cat "$folder/count" 2>/dev/null || echo 0)
                echo $((count + 1)) > "$folder/count"
                if [ $((count % 40)) = 17 ]; then
                    git "$@" <&0 &
                    sleep "0.00$((count % 7))"
                    kill -9 $!
                    wait $!
                    exit 1
                fi
                break ;;
            esac
        done
        exec git "$@"
        """

    package var url: String { isReachable ? repository.path : repository.path + "-away" }

    package var branch: String? {
        let line = try? repository.line(["rev-parse", "--verify", "--quiet", GitRepository.branch])
        return line.flatMap { $0.isEmpty ? nil : $0 }  // git fails if there is none
    }

    package func commits(in folder: URL) throws -> any CommitStore {
        var own = try GitRepository(path: folder.appending(path: "notes.sync.git").path, asks: false)
        if let wrapper { own.program = wrapper }
        try own.prepare()
        return own
    }

    package func entries(of commit: String) throws -> Tree { try repository.tree(of: commit) }

    package func bytes(of object: String) throws -> [UInt8] { try repository.contents(of: [object])[object] ?? [] }

    package func parents(of commit: String) throws -> [String] {
        try repository.line(["show", "-s", "--format=%P", commit]).split(separator: " ").map(String.init)
    }

    package func setBranch(_ commit: String?) throws {
        let words = commit.map { [GitRepository.branch, $0] } ?? ["-d", GitRepository.branch]
        try repository.output(["update-ref"] + words)
    }

    package func foreign(_ change: TreeChange) throws {
        let parents = branch.map { [$0] } ?? []
        try setBranch(
            repository.commit(
                Draft(parents: parents, message: "by hand", author: "somebody", address: "somebody", date: 1), change))
    }

    package func rest() throws { try Data().write(to: folder.appending(path: "rest")) }

    package func problems() throws -> [String] {
        let result = try repository.run(["fsck", "--no-dangling"])
        return result.isSuccess ? [] : ["git fsck: " + String(decoding: result.errorOutput, as: UTF8.self)]
    }
}
