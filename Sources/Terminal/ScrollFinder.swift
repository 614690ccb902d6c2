/// Finds rows that moved up or down together.
struct ScrollFinder: Sendable {
}

extension Renderer {
    /// Moves rows by the terminal's own scrolling where that saves bytes.
    mutating func scrollRows(to screen: Screen, _ output: inout [UInt8]) {
    }
}
