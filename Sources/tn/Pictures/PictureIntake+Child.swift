import DecodedPictures
import Foundation
import NoteStore
import Pictures

extension PictureIntake {
    /// Prepares pictures for the notebook in a child process of this program: reduced, upright, without metadata.
    ///
    /// A picture that is fit already is decoded all the same, in its smallest form, so that one that cannot be shown is
    /// refused while its owner still has another copy.
    static let inChild: Prepare = { picture, header, name throws(StoreError) in
        // A truncated picture is refused too, though a decoder shows the beginning of it.
        guard header.format != .jpeg || picture.withUnsafeBytes(PictureHeader.isWholeJPEG) else {
            throw .damagedImage(name: name)
        }
        let decoder = PictureDecoder()
        do throws(PictureFailure) {
            guard header.isFitForNotebook else {
                return Data(try decoder.file(.reduced(side: maximumSide), of: Array(picture)).bytes)
            }
            _ = try decoder.pixels(of: Array(picture), width: 1, height: 1)
            return picture
        } catch {
            switch error {
            case .broken: throw .damagedImage(name: name)
            case .tooLarge, .tooCostly: throw .imageOfTooManyPixels(name: name)
            // The system cannot start another process, and an unchecked picture is better than none.
            case .notStarted: return picture
            }
        }
    }
}
