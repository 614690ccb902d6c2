import Dispatch

/// A source of Dispatch that is cancelled when nothing refers to it any more.
///
/// Any thread may hold and release it: the source is only cancelled, which Dispatch allows on any thread.
package final class OwnedSource: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    /// - Parameter source: a source that has been resumed.
    package init(_ source: any DispatchSourceProtocol) { self.source = source }

    deinit { source.cancel() }
}
