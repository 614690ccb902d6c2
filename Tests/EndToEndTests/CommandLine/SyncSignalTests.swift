import Foundation
import Load
import TerminalDriver
import Testing

/// Tests that a signal ends a synchronisation together with git and all that git has started.
struct SyncSignalTests {
    private let workplace: Workplace
    /// The folder of a git that hangs while it fetches, as one whose ssh gets no answer, and of what it says about
    /// itself.
    private let folder: URL

    init() throws {
        workplace = try Workplace()
        folder = workplace.folder.appending(path: "hanging")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = """
            PATH=${PATH#*:}
            case " $* " in *" fetch "*)
                sleep 1000 &
                echo $$ $! >'\(folder.path)/new' && mv '\(folder.path)/new' '\(folder.path)/ids'
                wait ;;
            esac
            exec git "$@"
            """
        try StandIn.write(script, to: folder.appending(path: "git").path)
        let url = workplace.folder.appending(path: "notes.git").path
        #expect(try workplace.tn("--new", "First").status == 0)
        #expect(try workplace.tn("sync", "init", url, "--yes").status == 0)
        #expect(try workplace.tn("--new", "Second").status == 0)
    }

    /// Returns the processes of the hanging git, as soon as it hangs.
    private func hangingIDs() throws -> [Int32] {
        var ids: [Int32] = []
        try waitUntil {
            let words = try? String(contentsOf: folder.appending(path: "ids"), encoding: .utf8)
            ids = words.map { $0.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) } } ?? []
            return ids.count == 2
        }
        return ids
    }

    /// Whether a process runs; a zombie that its parent has not waited for yet does not.
    private func runs(_ id: Int32) -> Bool {
        guard kill(id, 0) == 0 else { return false }
        let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return status.map { !$0.contains(") Z") } ?? true
    }

    /// In a terminal git may ask, so it has no group of its own.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP], [["sync"], ["sync", "now", "--quiet"]])
    func `a signal ends git and what it has started, and nothing is lost`(signal: Int32, words: [String]) throws {
        var environment = workplace.environment
        environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        let terminal = try PseudoTerminal(Workplace.program, words, environment: environment, columns: 100)
        let ids = try hangingIDs()
        kill(terminal.process, signal)
        #expect(terminal.waitForExit() == 128 + signal)
        #expect(ids.allSatisfy { !runs($0) })
        #expect(terminal.screen.lines.contains { $0.contains("tn: stopped; the same command goes on from here") })
        // The lock is free, and what was not sent is sent.
        let after = try workplace.tn("sync")
        #expect(after.status == 0 && after.output == "1 sent. In sync.\n", "\(after)")
        #expect(try workplace.tn("doctor").status == 0)
    }

    @Test func `a signal ends the wait for another synchronisation`() throws {
        var environment = workplace.environment
        environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        let first = try PseudoTerminal(Workplace.program, ["sync"], environment: environment)
        _ = try hangingIDs()
        let second = try PseudoTerminal(Workplace.program, ["sync", "--wait", "1000"], environment: environment)
        try waitUntil {
            let descriptors = "/proc/\(second.process)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: descriptors).contains { name in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: descriptors + "/" + name)
                return path?.hasSuffix(".sync.lock") == true
            }
        }
        kill(second.process, SIGTERM)
        #expect(second.waitForExit() == 128 + SIGTERM)
        kill(first.process, SIGTERM)
        #expect(first.waitForExit() == 128 + SIGTERM)
    }

    /// Git would go on, and another synchronisation would begin beside it.
    @Test func `a window that is left ends git`() throws {
        var environment = workplace.environment
        environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        try workplace.configure("[sync]\nat-leave = false\n")
        let terminal = try PseudoTerminal(Workplace.program, [], environment: environment)
        try terminal.wait(for: "Second")
        let ids = try hangingIDs()
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        try waitUntil { ids.allSatisfy { !runs($0) } }
    }
}
