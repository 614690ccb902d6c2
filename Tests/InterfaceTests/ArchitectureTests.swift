import Foundation
import Testing

/// Tests that the pages about the source name what is there.
struct ArchitectureTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The paths of all files and folders below the folders of the repository, each from the root and with a slash
    /// before it.
    private func paths() throws -> [String] {
        try ["Sources", "Tests", "Resources"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).filter {
                !$0.contains(".build/")
            }.map { "/\(folder)/\($0)" }
        }
    }

    /// The words in code spans of the page: paths, names of types, calls.
    private func spans() throws -> [String] {
        let page = try String(contentsOf: root.appending(path: "Resources/ARCHITECTURE.md"), encoding: .utf8)
        return Set(page.matches(of: /`([^`\n]+)`/).map { String($0.1) }).sorted()
    }

    @Test func `every file and folder that the page names exists`() throws {
        // These lie beside a notebook, or in it.
        let others: Set = ["sessions/", "privacy/", "snapshot.json", "config.toml"]
        let paths = try paths()
        let named = try spans().filter { span in
            !span.contains(" ") && span.count > 1 && (span.contains("/") || span.hasSuffix(".swift"))
                && !others.contains(span)
        }
        #expect(named.count > 50)
        let missing = named.filter { span in
            let end = "/" + (span.hasSuffix("/") ? String(span.dropLast()) : span)
            return !paths.contains { $0.hasSuffix(end) }
        }
        #expect(missing == [])
    }

    @Test func `every type that the page names is in the source`() throws {
        var words: Set<String> = []
        for path in try paths() where path.hasSuffix(".swift") {
            let text = try Data(contentsOf: root.appending(path: path))
            let isInName: (UInt8) -> Bool = {
                $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
            for word in text.split(whereSeparator: { !isInName($0) }) where (0x41...0x5A).contains(word.first ?? 0) {
                words.insert(String(decoding: word, as: UTF8.self))
            }
        }
        let named = try spans().filter { !$0.contains("/") && !$0.hasSuffix(".swift") }.flatMap { span in
            span.matches(of: /\b[A-Z]\w*[a-z]\w*/).map { String($0.0) }
        }
        #expect(named.count > 100)
        #expect(Set(named).subtracting(words) == [])
    }

    /// The text of all files below a folder whose names end in one of these ways.
    private func text(below folder: String, endings: [String]) throws -> String {
        try paths().filter { path in path.hasPrefix(folder) && endings.contains { path.hasSuffix($0) } }
            .map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }.joined()
    }

    /// Dispatch counts the threads of these in `/proc`, and ends a program that cannot read it, as in a chroot.
    @Test func `nothing runs on Dispatch's shared threads`() throws {
        let lines = try text(below: "/Sources/", endings: [".swift"]).split(separator: "\n").filter {
            !$0.drop { $0 == " " }.hasPrefix("//")
        }
        #expect(lines.count > 50_000)
        let shared = /\.global\(|concurrentPerform|\.concurrent\b|Task\.detached|(^ *|= )Task(\(.*\))? \{|withTaskGroup/
        #expect(lines.filter { $0.contains(shared) } == [])
    }

    @Test func `every variable that the page for contributors names is read by a test or a script`() throws {
        let page = try String(contentsOf: root.appending(path: "Resources/CONTRIBUTING.md"), encoding: .utf8)
        let named = Set(page.matches(of: /\b(TN|FUZZ|RECORD)_[A-Z_]+/).map { String($0.0) })
        #expect(named.count > 20)
        let tests = try text(below: "/Tests/", endings: [".swift", ".sh", ".py"])
        let scripts = try text(below: "/Resources/", endings: [".sh"])
        #expect(named.filter { !tests.contains($0) && !scripts.contains($0) } == [])
    }

    @Test func `every table that the page about bounds names is in the schema`() throws {
        let page = try String(contentsOf: root.appending(path: "Resources/Schema.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").matches(of: /[a-z_]+/).map { String($0.0) }
        }
        #expect(named.count > 10)
        let schema = try text(below: "/Sources/NoteStore/Schema/", endings: [".swift"])
        #expect(named.filter { !schema.contains("CREATE TABLE \($0) ") } == [])
    }

    @Test func `the page about the file names every table of the schema`() throws {
        let page = try text(below: "/Sources/NoteStore/NoteStore.docc/Schema.md", endings: [".md"])
        let named = Set(page.matches(of: /`([a-z_]+)`/).map { String($0.1) })
        let schema = try text(below: "/Sources/NoteStore/Schema/", endings: [".swift"])
        let tables = schema.matches(of: /CREATE (?:VIRTUAL )?TABLE ([a-z_]+)/).map { String($0.1) }
        #expect(tables.count > 25)
        #expect(tables.filter { !named.contains($0) } == [])
    }
}
