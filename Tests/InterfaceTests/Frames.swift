import Foundation
import Terminal
import Testing

/// Compares what a window shows over its status line with a frame that was looked at by eye and kept in `Tests/Frames`.
///
/// A frame that is missing, or all of them with `RECORD_FRAMES` set, is written and fails: none passes unseen.
@MainActor
func expectFrame(_ window: Window, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Frames/\(name).\(window.size.columns)x\(window.size.rows).txt")
    // The status line is no part of what lies over the panes, and has tests of its own.
    let shown = window.lines.dropLast().joined(separator: "\n") + "\n"
    let isRecording = ProcessInfo.processInfo.environment["RECORD_FRAMES"] != nil
    if !isRecording, let known = try? String(contentsOf: file, encoding: .utf8) {
        #expect(shown == known, "\(name) differs from \(file.lastPathComponent)", sourceLocation: sourceLocation)
        return
    }
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try shown.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("Recorded \(file.lastPathComponent); look at it", sourceLocation: sourceLocation)
}
