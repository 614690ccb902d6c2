import DecodedPictures
import Foundation
import NoteStore
import Pictures

extension PictureIntake {
    /// Makes pictures fit for the notebook in a child of this program: reduced, upright, without metadata.
    ///
    /// One that is fit already is decoded all the same, in its smallest form: what cannot be shown is refused now, while
    /// its owner still has another copy.
    static let inChild: Prepare = { picture, header, name throws(StoreError) in
        // A picture that was cut off on its way is refused, too, though a decoder shows what there is of it.
        guard header.format != .jpeg || picture.withUnsafeBytes(PictureHeader.isWholeJPEG) else {
            throw .damagedImage(name: name)
        }
        let decoder = PictureDecoder()
        do throws(PictureFailure) {
            guard header.isFitForNotebook else {
                return Data(try decoder.file(.reduced(side: longestSide), of: Array(picture)).bytes)
            }
            _ = try decoder.pixels(of: Array(picture), width: 1, height: 1)
            return picture
        } catch {
            switch error {
            case .broken: throw .damagedImage(name: name)
            case .tooLarge, .tooCostly: throw .imageOfTooManyPixels(name: name)
            // The system has no process to spare: better a picture that nobody looked at than none.
            case .notStarted: return picture
            }
        }
    }
}
