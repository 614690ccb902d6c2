import Foundation
import Testing

/// A recorded session with the command line, which is run again and compared.
///
///     $ tn --new Milk and eggs           a command for the shell, without a terminal and without input
///     takenote://note/<UUID>             what it printed
///     $ tn show Bread
///     ! tn: no note is called “Bread”    what it printed on standard error
///     ? 66                               its status, unless it is 0
///
/// Output that differs from run to run is replaced: UUIDs and their prefixes, dates, times, the test's folder.
struct Transcript {
    private let workplace: Workplace
    private let path: String

    init() throws {
        workplace = try Workplace()
        let programs = workplace.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: programs.appending(path: "tn").path, withDestinationPath: Workplace.program)
        path = programs.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    }

    /// Runs the commands of a transcript one after another and compares their output.
    func check(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var actual: [String] = []
        for line in expected.split(separator: "\n") where line.hasPrefix("$ ") {
            actual.append(String(line))
            actual += try run(String(line.dropFirst(2)))
        }
        #expect(actual.joined(separator: "\n") == expected, sourceLocation: sourceLocation)
    }

    /// Creates a file in the test's folder.
    func write(_ text: String, to path: String) throws {
        let file = workplace.folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func run(_ command: String) throws -> [String] {
        let script = "cd '\(workplace.folder.path)'; \(command)"
        let result = try workplace.run("/bin/sh", ["-c", script], environment: ["PATH": path])
        var lines = Self.lines(masked(result.output))
        lines += Self.lines(masked(result.error)).map { "! " + $0 }
        if result.status != 0 { lines.append("? \(result.status)") }
        return lines
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private func masked(_ text: String) -> String {
        text.replacing(workplace.folder.path, with: "<FOLDER>")
            .replacing(/[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/, with: "<UUID>")
            .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/, with: "<TIME>")
            .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2})?/, with: "<DATE>")
            .replacing(/\b[0-9a-f]{8}(?=\t)|\b[0-9A-F]{8}(?= “)/, with: "<ID>")
    }
}
