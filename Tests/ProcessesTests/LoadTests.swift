import Foundation
import Load
import Testing

/// Tests that the load which other suites run under is there.
struct LoadTests {
    @Test(.underLoad, .enabled(if: UnderLoad.isOn)) func `every processor is busy while such a test runs`() {
        // A processor passes from the load of one process to that of another in between.
        let isBusy = (0..<10_000).contains { _ in
            if BusyCores.busyProcessors == BusyCores.count { return true }
            usleep(1000)
            return false
        }
        #expect(isBusy)
    }

    @Test func `the suites that run under load are those that the guide for contributors names`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter {
            $0.hasSuffix("Tests.swift") && $0 != "ProcessesTests/LoadTests.swift"
        }
        var loaded: Set<String> = []
        for file in files {
            let text = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
            loaded.formUnion(text.matches(of: /@Suite\([^)]*\.underLoad\)\s+struct (\w+)/).map { String($0.1) })
        }
        let guide = try String(
            contentsOf: tests.deletingLastPathComponent().appending(path: "Resources/CONTRIBUTING.md"), encoding: .utf8)
        let table = try #require(
            guide.firstMatch(of: /## What holds on a busy machine\n(?:[^|]*\n)*((?:\|.*\n)+)/)?.1)
        let named = Set(table.matches(of: /`(\w+)`/).map { String($0.1) })
        #expect(named.count > 10)
        #expect(named == loaded)
    }
}
