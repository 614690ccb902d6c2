import TextEditing

/// Motions by words, sentences and paragraphs.
extension VimMachine {
    /// Returns where a motion by words, sentences or paragraphs leads: `w`, `)`, `}`; nil for any other command.
    mutating func wordMotion(_ command: VimCommand) throws(VimRefusal) -> VimTarget? {
        let count = command.count ?? 1
        var reader = reader
        var position = caret
        var kind = SpanKind.exclusive
        switch command.name {
        case "w", "W", "<C-Right>":
            let big = command.name == "W"
            let found: Bool
            if command.operation == .change, !reader.isLineEnd(caret), !reader.isBlank(caret) {
                // Changing a word leaves the blanks after it.
                found = reader.toWordEnd(&position, count: count, big: big, stays: true)
                kind = .inclusive
            } else {
                found = reader.toNextWord(&position, count: count, big: big, stopsAtLineEnd: command.operation != nil)
            }
            return try moved(position, kind, found: found, command)
        case "e", "E":
            kind = .inclusive
            let found = reader.toWordEnd(&position, count: count, big: command.name == "E")
            return try moved(position, kind, found: found, command)
        case "b", "B":
            if !reader.toWordStart(&position, count: count, big: command.name == "B") {
                caret = position
                throw VimRefusal()
            }
        case "ge", "gE":
            kind = .inclusive
            if !reader.toPreviousWordEnd(&position, count: count, big: command.name == "gE") {
                caret = position
                throw VimRefusal()
            }
        case "(", ")": return try sentenceTarget(count, forward: command.name == ")")
        case "{", "}": return try paragraphTarget(count, forward: command.name == "}")
        default: return nil
        }
        return VimTarget(position: position, kind: kind)
    }

    private func sentenceTarget(_ count: Int, forward: Bool) throws(VimRefusal) -> VimTarget {
        var (reader, position, kind) = (reader, caret, SpanKind.exclusive)
        let found =
            forward
            ? reader.toNextSentence(&position, count: count) : reader.toPreviousSentence(&position, count: count)
        guard found else { throw VimRefusal() }
        if reader.isLineEnd(position), !reader.isLineStart(position) {
            position = reader.previous(position)
            kind = .inclusive
        }
        return VimTarget(position: position, kind: kind, isJump: true, usesNumberedRegister: true)
    }

    private func paragraphTarget(_ count: Int, forward: Bool) throws(VimRefusal) -> VimTarget {
        var (reader, position, takesLast) = (reader, caret, false)
        guard reader.toParagraph(&position, count: count, forward: forward, takesLast: &takesLast) else {
            throw VimRefusal()
        }
        return VimTarget(
            position: position, kind: takesLast ? .inclusive : .exclusive, isJump: true, usesNumberedRegister: true)
    }

    /// Returns the target of a word motion, which went as far as there was text.
    ///
    /// Without an operator the command is refused if the word was not found, but the caret still moves.
    private mutating func moved(
        _ position: ByteOffset, _ kind: SpanKind, found: Bool, _ command: VimCommand
    ) throws(VimRefusal) -> VimTarget {
        var (reader, position, kind) = (reader, position, kind)
        if position > caret, !mode.isVisual, reader.isLineEnd(position), !reader.isLineStart(position) {
            position = reader.previous(position)
            kind = .inclusive
        }
        if !found, command.operation == nil {
            caret = position
            wantedColumn = nil
            throw VimRefusal()
        }
        return VimTarget(position: position, kind: kind)
    }
}
