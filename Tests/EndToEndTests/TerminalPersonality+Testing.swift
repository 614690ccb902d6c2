import TerminalDriver
import Testing

/// Apart from the type, which the benchmarks share: they know no tests.
extension TerminalPersonality: CustomTestStringConvertible {
    public var testDescription: String { name }
}
