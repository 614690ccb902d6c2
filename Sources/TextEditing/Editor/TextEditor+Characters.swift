/// A change of case.
public enum LetterCase: Hashable, Sendable {
    case upper, lower, title
}

extension TextEditor {
    /// Changes the case of the selection, which stays selected, or of the word at the caret.
    @discardableResult
    public mutating func changeCase(_ letterCase: LetterCase) -> Edit? {
        if !others.isEmpty { return changeCaseAtAll(letterCase) }
        let range = selection.isEmpty ? buffer.wordRange(at: caret) : selection.range
        let old = buffer.string(in: range)
        let new = letterCase.applied(to: old)
        guard !old.utf8.elementsEqual(new.utf8) else { return nil }
        let edit = Edit(Edit.Replacement(start: range.lowerBound, removed: old, inserted: new))
        let after =
            selection.isEmpty
            ? Selection(range.lowerBound + new.utf8.count)
            : Selection(range.lowerBound..<range.lowerBound + new.utf8.count)
        return apply(edit, selection: after)
    }

    private mutating func changeCaseAtAll(_ letterCase: LetterCase) -> Edit? {
        let buffer = buffer
        return changeAll(.command) { _, selection in
            let range = selection.isEmpty ? buffer.wordRange(at: selection.head) : selection.range
            let old = buffer.string(in: range)
            let new = letterCase.applied(to: old)
            guard !old.utf8.elementsEqual(new.utf8) else { return nil }
            var change = CaretChange(range, new)
            if !selection.isEmpty { change.after = (0, new.utf8.count) }
            return change
        }
    }

    /// Swaps the characters around the caret, or at the end of a line the two before it, and moves the caret after
    /// them.
    @discardableResult
    public mutating func transpose() -> Edit? {
        let line = buffer.lineRange(buffer.lineNumber(at: caret))
        let middle = caret == line.upperBound && !line.isEmpty ? buffer.characterStart(before: caret) : caret
        guard selection.isEmpty, middle > line.lowerBound, middle < line.upperBound else { return nil }
        let (start, end) = (buffer.characterStart(before: middle), buffer.characterEnd(after: middle))
        let text = buffer.string(in: middle..<end) + buffer.string(in: start..<middle)
        return replace(start..<end, with: text, kind: .command)
    }
}

extension LetterCase {
    fileprivate func applied(to text: String) -> String {
        switch self {
        case .upper: return text.uppercased()
        case .lower: return text.lowercased()
        case .title: return titled(text)
        }
    }

    /// The text with a capital first letter in each word.
    private func titled(_ text: String) -> String {
        var text = text
        var result = ""
        text.withUTF8 { bytes in
            var scanner = WordScanner(bytes)
            while let segment = scanner.next() {
                let part = String(decoding: UnsafeBufferPointer(rebasing: bytes[segment.range]), as: UTF8.self)
                guard segment.kind == .word, let first = part.unicodeScalars.first else {
                    result += part
                    continue
                }
                result += first.properties.titlecaseMapping + String(part.unicodeScalars.dropFirst()).lowercased()
            }
        }
        return result
    }
}
