import Crypto
import Foundation
import TextPrimitives

/// The hash of a text, by which equal texts are recognised.
public enum TextHash {
    /// Returns the SHA-256 of the text's bytes, in 64 hexadecimal digits.
    public static func sha256(_ text: String) -> String { Hexadecimal.text(SHA256.hash(data: Data(text.utf8))) }
}
