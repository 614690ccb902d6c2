import Foundation
import Testing

/// Runs tests while every processor is busy with something else.
///
/// For promises that must not depend on a thread's getting the processor in time. Tests that run at once share one load,
/// also those of several processes.
/// With `TN_LOAD=none` there is no load, to see what it costs.
public struct UnderLoad: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    /// Whether there is a load at all.
    public static let isOn = ProcessInfo.processInfo.environment["TN_LOAD"] != "none"

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard Self.isOn else { return try await function() }
        BusyCores.join()
        defer { BusyCores.leave() }
        try await function()
    }
}

extension Trait where Self == UnderLoad {
    /// Every processor is busy while the test runs.
    public static var underLoad: Self { Self() }
}
