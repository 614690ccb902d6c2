/// The head of a callout, which is a quotation that begins with `[!note]`: its kind and its title.
struct Callout {
    /// The head as a line of its own: `Note`, or the kind with the title that follows the mark.
    let head: PreviewAtom

    /// Takes the head's line from the atoms of the quotation's first paragraph.
    ///
    /// Returns nil and leaves the atoms unchanged for any other quotation.
    init?(takingHeadFrom atoms: inout [PreviewAtom], firstLine: Int) {
        let count = atoms.firstIndex { $0.sourceLine > firstLine } ?? atoms.count
        guard let first = atoms.first else { return nil }
        guard let words = Self.words(ofHead: atoms[..<count].map(\.text).joined()) else { return nil }
        let source = first.source
        head = PreviewAtom(text: words, kind: [.strong, .quote], sourceLine: firstLine, source: source)
        atoms.removeFirst(count)
        // The line break after the head is part of it.
        if let space = atoms.first, space.text.allSatisfy(\.isWhitespace) { atoms.removeFirst() }
    }

    /// Returns what the first line of a quotation says as a callout's head, `Note: Title`; nil for any other line.
    static func words(ofHead line: String) -> String? {
        guard line.hasPrefix("[!"), let end = line.firstIndex(of: "]") else { return nil }
        let kind = line[line.index(line.startIndex, offsetBy: 2)..<end]
        guard (1...24).contains(kind.count), kind.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) else {
            return nil
        }
        var rest = line[line.index(after: end)...]
        // A plus or minus says whether the callout is folded, but a note that is read shows all of them unfolded.
        if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
        let title = rest.drop(while: \.isWhitespace)
        let name = kind.prefix(1).uppercased() + kind.dropFirst().lowercased()
        return title.isEmpty ? name : "\(name): \(title)"
    }
}
