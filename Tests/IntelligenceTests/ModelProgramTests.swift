import Foundation
import Load
import Processes
import Synchronization
import Testing

@testable import Intelligence

/// Tests runs of a program that answers in place of a server.
struct ModelProgramTests {
    private static let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

    private func run(_ provider: Provider, _ environment: [String: String] = environment) -> ModelRun {
        ModelRun(provider, environment: environment)
    }

    @Test func `a program that ignores the request to end is dead when the stop returns`() throws {
        let stop = CommandStop()
        let run = ModelRun(
            Provider(name: "p", way: .command(["sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1; done"])),
            environment: Self.environment, stop: stop)
        let id = Mutex<Int32?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? run.answer(to: Prompts.test) { event in
                if case .text(let text) = event { id.withLock { $0 = $0 ?? Int32(text.split(separator: "\n")[0]) } }
            }
            ended.signal()
        }
        try waitUntil { id.withLock { $0 } != nil }
        stop.stopAndWait()
        ended.wait()
        #expect(kill(try #require(id.withLock { $0 }), 0) == -1)
    }

    @Test func `a program gets the prompt, the named variables and an empty folder`() throws {
        var provider = Provider(
            name: "program",
            way: .command([
                "sh", "-c", "cat; ls; pwd | grep -c tn-; echo ${SEEN:-unset} ${SECRET:-unset} ${OLDPWD:-unset}",
            ]))
        provider.environment = ["SEEN"]
        let environment = Self.environment.merging(["SEEN": "seen", "SECRET": "secret"]) { $1 }
        let answer = try run(provider, environment).answer(to: Prompts.test)
        #expect(answer.text == "Answer with the word yes.\n1\nseen unset unset\n")
        provider.way = .command(["sh", "-c", "exit 3"])
        #expect(throws: ModelFailure.programFailed("sh", status: 3)) {
            try run(provider).answer(to: Prompts.test)
        }
        provider.way = .command(["true"])
        #expect(throws: ModelFailure.emptyAnswer("true")) { try run(provider).answer(to: Prompts.test) }
        provider.way = .command(["no-such-program-here"])
        #expect(throws: ModelFailure.noProgram("no-such-program-here")) {
            try run(provider).answer(to: Prompts.test)
        }
    }
}
