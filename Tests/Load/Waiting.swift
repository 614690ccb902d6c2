import Foundation

/// An error for a condition that did not come true.
public struct WaitedInVain: Error {}

/// Waits until another thread or program has done something.
///
/// - Throws: `WaitedInVain` after a quarter of an hour, so that a fault is reported; a test that passes never waits so
///   long, however busy the machine is.
public func waitUntil(_ condition: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(900)
    while !(try condition()) {
        guard Date() < end else { throw WaitedInVain() }
        usleep(1000)
    }
}
