/// The head of a callout, which is a quotation that begins with `[!note]`: its kind and its title.
struct Callout {
    /// The head as a line of its own: `Note`, or the kind with the title that follows the mark, whose links stay.
    let head: [PreviewAtom]

    /// Takes the head's line from the atoms of the quotation's first paragraph.
    ///
    /// Returns nil and leaves the atoms unchanged for any other quotation.
    init?(takingHeadFrom atoms: inout [PreviewAtom], firstLine: Int) {
        let count = atoms.firstIndex { $0.sourceLine > firstLine } ?? atoms.count
        let line = atoms[..<count].map(\.text).joined()
        guard let first = atoms.first, let mark = Mark(beginning: line) else { return nil }
        var title = Array(atoms[..<count])
        title.removeFirst(bytes: mark.length)
        for index in title.indices { title[index].kind.formUnion([.strong, .quote]) }
        let name = title.isEmpty ? mark.kind : mark.kind + ": "
        head =
            [PreviewAtom(text: name, kind: [.strong, .quote], sourceLine: firstLine, source: first.source)] + title
        atoms.removeFirst(count)
        // The line break after the head is part of it.
        if let space = atoms.first, space.text.allSatisfy(\.isWhitespace) { atoms.removeFirst() }
    }

    /// Returns what the first line of a quotation says as a callout's head, `Note: Title`; nil for any other line.
    static func words(ofHead line: String) -> String? {
        guard let mark = Mark(beginning: line) else { return nil }
        let title = line.utf8.dropFirst(mark.length)
        return title.isEmpty ? mark.kind : "\(mark.kind): \(Substring(title))"
    }

    /// The mark of a callout, `[!note]`, and what separates it from the title.
    struct Mark {
        /// The name that is shown for the kind, `Note`.
        let kind: String
        /// The length of the mark in brackets, in bytes.
        let bracketLength: Int
        /// The number of bytes before the title.
        let length: Int

        init?(beginning line: String) {
            guard line.hasPrefix("[!"), let bracket = line.firstIndex(of: "]") else { return nil }
            let written = line[line.index(line.startIndex, offsetBy: 2)..<bracket]
            guard (1...24).contains(written.count),
                written.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") })
            else { return nil }
            kind = written.prefix(1).uppercased() + written.dropFirst().lowercased()
            var rest = line[line.index(after: bracket)...]
            bracketLength = line.utf8.count - rest.utf8.count
            // A plus or minus says whether the callout is folded, but a note that is read shows all of them unfolded.
            if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
            length = line.utf8.count - rest.drop(while: \.isWhitespace).utf8.count
        }
    }
}

extension [PreviewAtom] {
    /// Removes text at the beginning, and the atoms that have no other.
    fileprivate mutating func removeFirst(bytes: Int) {
        var left = bytes
        while left > 0, let atom = first {
            let count = Swift.min(left, atom.text.utf8.count)
            left -= count
            if count == atom.text.utf8.count {
                removeFirst()
            } else {
                self[0].text = String(decoding: atom.text.utf8.dropFirst(count), as: UTF8.self)
                let end = atom.source.upperBound
                self[0].source = Swift.min(atom.source.lowerBound + count, end)..<end
            }
        }
    }
}
