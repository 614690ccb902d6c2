/// Something that takes bytes from outside, and what must hold of it whatever they are.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    public let name: String
    private let examine: @Sendable ([UInt8]) -> String?

    init(_ name: String, _ examine: @escaping @Sendable ([UInt8]) -> String?) {
        self.name = name
        self.examine = examine
    }

    /// What does not hold of an input, in words; nil when all does.
    ///
    /// A trap is a fault too.
    public func fault(in input: [UInt8]) -> String? { examine(input) }

    public var description: String { name }

    public static let all: [FuzzTarget] = [.decoder, .markdown, .assistant, .query, .frontMatter, .importing]
}
