import TerminalDriver
import Testing

/// Separate from the type, which the benchmarks share: they do not import Testing.
extension TerminalPersonality: CustomTestStringConvertible {
    public var testDescription: String { name }
}
