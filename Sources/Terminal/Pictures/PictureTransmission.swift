import TextPrimitives

/// The bytes that send pictures to a terminal: kitty's graphics protocol, with the data in the sequences themselves.
///
/// The data is not sent as the path of a file, which the terminal would not find over SSH.
public enum PictureTransmission {
    /// The most bytes of base64 that a sequence may hold, by the protocol; a multiple of four.
    static let chunk = 4096

    /// The sequences that send a PNG and lay it out under its placeholders; each can be followed by other output.
    ///
    /// `q=2` asks for no reply, `U=1` shows the picture only where its placeholders are.
    static func sequences(_ picture: PicturePlaceholder, png: [UInt8]) -> [[UInt8]] {
        let data = Base64.encoded(png)
        var sequences: [[UInt8]] = []
        var start = 0
        repeat {
            let end = min(start + chunk, data.count)
            let more = end < data.count ? 1 : 0
            let control =
                start == 0
                ? "a=T,U=1,q=2,f=100,i=\(picture.number),c=\(picture.columns),r=\(picture.rows),m=\(more)"
                : "q=2,m=\(more)"
            sequences.append(Array("\u{1B}_G\(control);".utf8) + data[start..<end] + ControlBytes.stringTerminator)
            start = end
        } while start < data.count
        return sequences
    }

    /// The longest PNG that is sent in at most so many bytes, whatever its number and size, through tmux too.
    public static func maximumPNGLength(in bytes: Int) -> Int {
        // 76 bytes around each piece: the longest control data, and the wrapping of a sequence for tmux.
        bytes / (chunk + 76) * (chunk / 4 * 3)
    }

    /// Deletes a picture and its data from the terminal.
    ///
    /// - Parameter throughTmux: Whether tmux must pass the sequence on.
    static func deletion(_ number: UInt32, throughTmux: Bool = false) -> [UInt8] {
        let sequence = Array("\u{1B}_Ga=d,d=I,q=2,i=\(number)\u{1B}\\".utf8)
        return throughTmux ? Self.wrappedForTmux(sequence) : sequence
    }

    /// Wraps a sequence for the terminal around tmux, which removes the wrapping: each ESC in the sequence is doubled.
    static func wrappedForTmux(_ sequence: [UInt8]) -> [UInt8] {
        Array("\u{1B}Ptmux;".utf8) + sequence.flatMap { $0 == 0x1B ? [$0, $0] : [$0] } + ControlBytes.stringTerminator
    }
}
