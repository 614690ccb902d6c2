extension TextBuffer {
    /// The start of the word before `offset`, past what is no word.
    ///
    /// O(distance).
    public func wordStart(before offset: ByteOffset) -> ByteOffset {
        var place = offset
        while place > 0, !isWord(before: place) { place = characterStart(before: place) }
        while place > 0, isWord(before: place) { place = characterStart(before: place) }
        return place
    }

    /// The end of the word after `offset`, past what is no word.
    ///
    /// O(distance).
    public func wordEnd(after offset: ByteOffset) -> ByteOffset {
        var place = offset
        while place < end, !isWord(after: place) { place = characterEnd(after: place) }
        while place < end, isWord(after: place) { place = characterEnd(after: place) }
        return place
    }

    private func isWord(before offset: ByteOffset) -> Bool { isWord(after: characterStart(before: offset)) }

    private func isWord(after offset: ByteOffset) -> Bool {
        guard let byte = byte(at: offset) else { return false }
        if byte < 0x80 { return byte.isWordCharacter }
        return string(in: offset..<characterEnd(after: offset)).unicodeScalars.first?.properties.isAlphabetic ?? false
    }
}

extension UInt8 {
    /// Whether an ASCII byte is a letter, a digit or an underscore.
    var isWordCharacter: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F
    }
}
