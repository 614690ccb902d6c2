/// Code that receives bytes from outside, with the conditions that must hold for any input.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    public let name: String
    private let examine: @Sendable ([UInt8]) -> String?

    init(_ name: String, _ examine: @escaping @Sendable ([UInt8]) -> String?) {
        self.name = name
        self.examine = examine
    }

    /// Returns the condition that an input violates, in words; nil if all hold.
    ///
    /// A trap is a fault too.
    public func fault(in input: [UInt8]) -> String? { examine(input) }

    public var description: String { name }

    public static let all: [FuzzTarget] = [
        .decoder, .eventStream, .markdown, .assistant, .query, .frontMatter, .importing,
    ]
}
