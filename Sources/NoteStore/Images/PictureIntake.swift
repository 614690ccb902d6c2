import Foundation
import Pictures
import Synchronization

/// Makes pictures fit for notebooks before they are stored.
///
/// The notebook has no decoders. The program that has them sets `prepare` when it starts; without it, pictures are
/// stored as they come.
public enum PictureIntake {
    /// Returns the bytes to store for a picture.
    public typealias Prepare = @Sendable (_ picture: Data, PictureHeader, _ name: String) throws(StoreError) -> Data

    /// The longest side of a stored picture, in pixels: more than any terminal shows of it.
    public static let maximumSide = 2048

    private static let stored = Mutex<Prepare?>(nil)

    public static func use(_ prepare: Prepare?) { stored.withLock { $0 = prepare } }

    static func prepared(_ picture: Data, name: String) throws(StoreError) -> Data {
        guard let prepare = stored.withLock({ $0 }) else { return picture }
        guard let header = PictureHeader(data: picture) else { throw .damagedImage(name: name) }
        return try prepare(picture, header, name)
    }
}

extension PictureHeader {
    /// Whether a picture is stored byte for byte: it is small enough, and stands upright.
    public var isFitForNotebook: Bool {
        orientation == .upright && max(width, height) <= PictureIntake.maximumSide
    }
}
