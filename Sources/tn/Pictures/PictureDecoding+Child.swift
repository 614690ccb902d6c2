import DecodedPictures
import Foundation
import Interface
import Terminal

extension PictureDecoding {
    /// Decodes in a child process of this program, whose resources are limited.
    ///
    /// A picture that cannot be decoded keeps its label, which shows its name, type and size.
    static let inChild = PictureDecoding { file, width, height in
        try? PictureDecoder().pixels(of: Array(file), width: width, height: height)  // see above
    } png: { file, width, height, limit in
        let request = PictureRequest.png(width: width, height: height, limit: limit)
        return try? PictureDecoder().file(request, of: Array(file)).bytes  // see above
    }

    /// The most bytes of a PNG over SSH: what is sent of it is less than 96 KB, a second on a slow line.
    static let remoteLimit = PictureTransmission.maximumPNGLength(in: 98_304)
}

extension Capabilities {
    /// The way in which pictures are shown on this terminal.
    ///
    /// Half blocks need many colours, and placeholders all of them, since a picture's number is encoded as a colour.
    var pictureDisplay: PictureDisplay {
        guard isUTF8, term != "linux", !isLowBandwidth, colorDepth >= .palette256 else { return .labels }
        let areDrawn = multiplexer == .none ? hasPicturePlaceholders : multiplexer == .tmux && passesPictures
        return areDrawn && colorDepth == .truecolor ? .placeholders : .mosaics
    }
}
