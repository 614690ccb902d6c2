/// A request to the child process.
public enum PictureRequest: Equatable, Sendable {
    /// The pixels, upright, in exactly this size.
    case pixels(width: Int, height: Int)
    /// A PNG, upright, that fits into this size.
    ///
    /// With a limit in bytes, the PNG has at most 256 colours, and its sides are halved until the file is no larger.
    case png(width: Int, height: Int, limit: Int?)
    /// A JPEG of quality 85, or a PNG if the picture is one that may be transparent or is grey, upright and without
    /// metadata, with sides up to this length.
    case reduced(side: Int)

    /// The largest side that may be requested, longer than that of any screen.
    static let maximumSide = 8192

    /// The request as arguments for the child.
    var words: [String] {
        switch self {
        case .pixels(let width, let height): ["pixels", "\(width)", "\(height)"]
        case .png(let width, let height, let limit): ["png", "\(width)", "\(height)", "\(limit ?? 0)"]
        case .reduced(let side): ["reduced", "\(side)"]
        }
    }

    init?(words: [String]) {
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard numbers.count == words.count - 1, numbers.allSatisfy({ $0 >= 0 }),
            numbers.prefix(2).allSatisfy({ (1...Self.maximumSide).contains($0) })
        else { return nil }
        switch (words.first, numbers.count) {
        case ("pixels", 2): self = .pixels(width: numbers[0], height: numbers[1])
        case ("png", 3):
            self = .png(width: numbers[0], height: numbers[1], limit: numbers[2] == 0 ? nil : numbers[2])
        case ("reduced", 1): self = .reduced(side: numbers[0])
        default: return nil
        }
    }
}

/// The reason why a picture could not be decoded.
public enum PictureFailure: Error, Equatable, Sendable {
    /// The bytes are not a JPEG or PNG, or are damaged.
    case broken
    /// The picture, of this size, has more pixels than are decoded.
    case tooLarge(width: Int, height: Int)
    /// Decoding exceeded the limits of memory or time.
    case tooCostly
    /// The child could not be started.
    case notStarted
}
