import Foundation
import Load
import Synchronization
import SystemPackage
import Testing

@testable import Processes

/// Tests well-behaved and misbehaving programs.
struct CommandTests {
    private func shell(_ script: String) -> Command {
        var command = Command(path: "/bin/sh", words: ["sh", "-c", script])
        (command.output, command.errorOutput) = (.collected(limit: 1 << 20), .collected(limit: 1 << 20))
        return command
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a program gets its input and gives its output, its errors and its status`() throws {
        var command = shell("cat; echo problem >&2; exit 3")
        command.input = .bytes(Array("word\n".utf8))
        let result = try command.run()
        #expect(text(result.output) == "word\n" && text(result.errorOutput) == "problem\n")
        #expect(result.end == .exited(status: 3) && !result.isSuccess && !result.isStopped && !result.isCut)
        #expect(try shell("exit 0").run().isSuccess)
    }

    @Test func `more than a pipe holds goes in and comes out at once`() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var command = Command(path: "/bin/cat", words: ["cat"])
        (command.input, command.output) = (.bytes(bytes), .collected(limit: 4_000_000))
        #expect(try command.run().output == bytes)
    }

    @Test func `what a program has written is not copied when it writes more`() throws {
        let ends = try FileDescriptor.pipe()
        defer { for end in [ends.readEnd, ends.writeEnd] { try? end.close() } }  // the test is over
        #expect(fcntl(ends.readEnd.rawValue, F_SETFL, O_NONBLOCK) == 0)
        var collector: Pipes.Collector? = Pipes.Collector(end: ends.readEnd, limit: 1 << 20)
        collector?.bytes.reserveCapacity(1 << 16)
        func place() -> UnsafePointer<UInt8>? { collector?.bytes.withUnsafeBufferPointer { $0.baseAddress } }
        try ends.writeEnd.writeAll([1, 2, 3])
        Pipes.read(into: &collector)
        let first = place()
        try ends.writeEnd.writeAll([4, 5])
        Pipes.read(into: &collector)
        #expect(collector?.bytes == [1, 2, 3, 4, 5] && collector?.count == 5)
        #expect(first != nil && place() == first)
    }

    @Test func `an input in pieces is made while the program reads it`() throws {
        let made = Mutex(0)
        var command = Command(path: "/bin/cat", words: ["cat"])
        command.output = .collected(limit: 1 << 24)
        command.input = .pieces {
            made.withLock { made in
                made += 1
                // An empty piece is not the end.
                return made > 200 ? nil : made == 7 ? [] : [UInt8](repeating: UInt8(made), count: 50_000)
            }
        }
        let result = try command.run(deadline: .seconds(60))
        #expect(result.isSuccess && made.withLock { $0 } == 201)
        var expected: [UInt8] = []
        for number in UInt8(1)...200 where number != 7 { expected += [UInt8](repeating: number, count: 50_000) }
        #expect(result.output == expected)
    }

    /// The program ends without reading all its input; after that no further piece may be requested.
    @Test func `an endless input ends with the program`() throws {
        let made = Mutex(0)
        var command = Command(path: "/bin/sh", words: ["sh", "-c", "head -c 100 > /dev/null"])
        command.input = .pieces {
            made.withLock { $0 += 1 }
            return [UInt8](repeating: 1, count: 70_000)
        }
        #expect(try command.run(deadline: .seconds(60)).isSuccess)
        #expect(made.withLock { $0 } < 100)
    }

    @Test func `the pause after the streams have closed is short, however long the program ran`() {
        var pauses = Pauses()
        for _ in 0..<20 { pauses.checked() }
        #expect(pauses.microseconds == 32_000 && pauses.milliseconds == 32)
        pauses.streamsClosed()
        #expect(pauses.microseconds == 100 && pauses.milliseconds == 1)
        pauses.checked()
        #expect(pauses.microseconds == 200)
        pauses.heard()
        #expect(pauses.microseconds == 1_000)
    }

    @Test func `output beyond the limit is dropped, and the program goes on to its end`() throws {
        var command = shell("head -c 500000 /dev/zero; echo done >&2")
        command.output = .collected(limit: 1000)
        let result = try command.run()
        #expect(result.output.count == 1000 && result.isCut && result.isSuccess)
        #expect(text(result.errorOutput) == "done\n")
    }

    @Test func `a program that does not want its input ends neither of us`() throws {
        var command = shell("exec <&-; exit 0")
        command.input = .bytes([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(try command.run().isSuccess)
    }

    @Test func `a program that hangs is stopped at its deadline, and one that ignores that is killed`() throws {
        let hanging = try shell("sleep 1000").run(deadline: .milliseconds(50))
        #expect(hanging.isStopped && hanging.end == .killed(signal: SIGTERM))
        let stubborn = try stopped("trap '' TERM; echo ready; while :; do sleep 1000; done")
        #expect(stubborn.end == .killed(signal: SIGKILL))
    }

    @Test func `a program that writes without end, faster than it is read, is stopped at its deadline`() throws {
        var command = Command(path: "/usr/bin/env", words: ["env", "yes"])
        let pieces = Mutex(0)
        let stop = CommandStop()
        command.output = .passed { _ in
            usleep(1_000)
            let count = pieces.withLock { count in
                count += 1
                return count
            }
            // Without the deadline it would never end.
            if count == 20_000 { stop.stop() }
        }
        #expect(try command.run(deadline: .milliseconds(50), stop: stop).isStopped && !stop.isRequested)
    }

    /// The stubborn one is killed with its group.
    @Test(arguments: [
        ("sleep 1000 & echo $!; wait", true), ("sleep 1000 & echo $!; wait", false),
        ("trap '' TERM; sh -c 'while :; do sleep 1; done' & trap - TERM; echo $!; wait", true),
    ])
    func `what a stopped program has started ends with it`(_ script: String, _ hasOwnGroup: Bool) throws {
        let result = try stopped(script, hasOwnGroup: hasOwnGroup)
        let id = try #require(Int32(text(result.output).trimmingCharacters(in: .whitespacesAndNewlines)))
        // The process may be a zombie that its new parent has not waited for yet, and may disappear at any moment.
        func lives() -> Bool {
            guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
            return !status.contains(") Z")
        }
        try waitUntil { kill(id, 0) != 0 || !lives() }
    }

    /// Returns the result of a script that was stopped at its deadline after it had written something.
    ///
    /// On a busy machine a shell may need seconds to start, so the deadline grows until the script has begun.
    private func stopped(_ script: String, hasOwnGroup: Bool = true) throws -> CommandResult {
        var deadline = Duration.milliseconds(50)
        var command = shell(script)
        command.hasOwnGroup = hasOwnGroup
        while true {
            let result = try command.run(deadline: deadline)
            #expect(result.isStopped)
            if !result.output.isEmpty { return result }
            deadline *= 4
            try #require(deadline < .seconds(3600), "it never begins")
        }
    }

    @Test func `a program that is silent for too long is stopped`() throws {
        #expect(try shell("sleep 1000").run(deadline: .seconds(3600), silence: .milliseconds(50)).isStopped)
    }

    @Test func `what lives on and holds the output does not hold us`() throws {
        let result = try shell("sleep 1000 & echo $!; exit 0").run()
        let id = try #require(Int32(text(result.output).trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(result.isSuccess && kill(id, SIGKILL) == 0)
    }

    @Test func `another thread can stop a program`() async {
        let result = await withCheckedContinuation { continuation in
            shell("sleep 1000").runInBackground { continuation.resume(returning: $0) }.stop()
        }
        #expect(result?.isStopped == true)
    }

    @Test func `a program that is not there is an error with its number`() {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try Command(path: "/nonexistent/program", words: ["program"]).run()
        }
    }

    @Test func `signals mean to a program what they mean by default, whatever is ignored here`() throws {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        // The shell is killed by the broken pipe, and does not continue.
        let result = try shell("sh -c 'kill -PIPE $$; echo ignored' 2>/dev/null; exit 0").run()
        #expect(text(result.output).isEmpty)
        var child = try ChildProcess.start(interactive: "/bin/sh", ["sh", "-c", "kill -PIPE $$"])
        #expect(child.wait() == .killed(signal: SIGPIPE))
    }

    @Test func `a process that was dropped has been waited for`() throws {
        let id = try {
            let child = try ChildProcess.start(interactive: "/bin/sh", ["sh", "-c", "exit 0"])
            return child.id
        }()
        #expect(waitpid(id, nil, WNOHANG) == -1 && errno == ECHILD)
    }

    @Test func `a program is found in the search path, and a folder or a plain file is none`() {
        #expect(Command.path(of: "sh", in: "/nonexistent:/bin") == "/bin/sh")
        #expect(Command.path(of: "bin", in: "/usr") == nil && Command.path(of: "passwd", in: "/etc") == nil)
    }
}
