import Crypto
import Foundation
import TextPrimitives

/// A number that stands for a text: two texts with the same one are the same text.
public enum TextHash {
    /// The SHA-256 of the text's bytes, in 64 digits.
    public static func sha256(_ text: String) -> String { Hexadecimal.text(SHA256.hash(data: Data(text.utf8))) }
}
