/// The size in which a text wants an image to be shown: `![alt|100](address)` or `![alt|100x50](address)`.
public struct ImageSize: Equatable, Sendable {
    /// The width in pixels, from 1 to 99,999.
    public let width: Int
    /// The height in pixels; nil if it follows from the width.
    public let height: Int?
    /// The alternative text before the size.
    public let alternative: String

    /// `nil` for an alternative text without a size at its end.
    public init?(in alternative: String) {
        guard let bar = alternative.lastIndex(of: "|") else { return nil }
        let parts = alternative[alternative.index(after: bar)...].split(
            separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == parts.count, let width = numbers.first else { return nil }
        self.width = width
        height = numbers.dropFirst().first
        self.alternative = String(alternative[..<bar])
    }

    /// Returns the number of bytes of the size, with its bar, that ends an image's alternative text; 0 without one.
    static func length(endingIn text: ArraySlice<UInt8>) -> Int {
        guard let bar = text.suffix(maximumLength).lastIndex(of: Byte.pipe) else { return 0 }
        return isSize(String(decoding: text[(bar + 1)...], as: UTF8.self)) ? text.endIndex - bar : 0
    }

    /// The bytes of the longest size, `|99999x99999`.
    static let maximumLength = 12

    /// Whether a text is a size and nothing else.
    public static func isSize(_ text: String) -> Bool { ImageSize(in: "|" + text) != nil && !text.contains("|") }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(digits), number > 0
        else { return nil }
        return number
    }

    /// Returns the size in pixels of a picture that has `size` itself.
    func pixels(of size: PreviewLayout.PixelSize) -> PreviewLayout.PixelSize {
        PreviewLayout.PixelSize(width: width, height: height ?? max(1, size.height * width / size.width))
    }
}
