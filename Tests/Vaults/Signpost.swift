import Foundation

/// A link whose destination after the import of the vault is known.
public struct Signpost: Sendable {
    /// The path of the note with the link.
    public let source: String
    /// The line of the link in that note's text, from 0; no other link is in that line.
    public let line: Int
    /// The link as it is written.
    public let written: String
    /// The path of the note to which it leads; nil if it leads nowhere.
    public let destination: String?
    /// The line of the heading or block in the destination's text to which the link leads.
    public let destinationLine: Int?

    /// Returns notes whose names no other notes of a vault have, and the links between them, one group for each number.
    ///
    /// The links lead by name, path, alias, title, heading and block, in other cases and forms, to one of two notes of
    /// the same name, to the note itself, and nowhere.
    static func group(_ number: Int) -> (notes: [(path: String, text: String)], signposts: [Signpost]) {
        let (east, west) = ("East \(number)/", "Westward \(number)/")
        let place = "Place \(number).md"
        let (eastTwin, westTwin) = (east + "Twin \(number).md", west + "Twin \(number).md")
        let known = east + "Known \(number).md"
        let name = "Élan \(number)"
        let inner = east + "Inner/" + name.decomposedStringWithCanonicalMapping + ".md"
        let sharp = "Sharp# \(number).md"
        var notes = [
            (place, "Text of the place.\n\n# Part one\n\nword\n\n## Part two\n\nA line ^block-\(number)\n"),
            (eastTwin, "twin\n"), (westTwin, "twin\n"), (inner, "inner\n"), (sharp, "sharp\n"),
            (known, "---\ntitle: Titled \(number)\naliases: [Alias \(number), Other alias \(number)]\n---\n\nknown\n"),
        ]
        let root = "Signs \(number).md"
        let ways: [(source: String, links: [(written: String, destination: String?, line: Int?)])] = [
            (
                root,
                [
                    ("[[Place \(number)]]", place, nil), ("[[PLACE \(number)|label]]", place, nil),
                    ("[[Place \(number).md]]", place, nil), ("![[Place \(number)]]", place, nil),
                    ("[[Place \(number)#Part two]]", place, 6), ("[[Place \(number)#Part one#Part two|x]]", place, 6),
                    ("[[Place \(number)#^block-\(number)]]", place, 8),
                    ("[[Place \(number)^block-\(number)]]", place, 8),
                    ("[a](Place%20\(number).md)", place, nil), ("[a](<Place \(number).md>)", place, nil),
                    ("[a](./Place%20\(number).md#part-two)", place, nil),
                    ("[[East \(number)/Twin \(number)]]", eastTwin, nil),
                    ("[[Westward \(number)/Twin \(number)]]", westTwin, nil),
                    // This name leads to the shortest path.
                    ("[[Twin \(number)]]", eastTwin, nil), ("[[Known \(number)]]", known, nil),
                    ("[[Titled \(number)]]", known, nil), ("[[Alias \(number)]]", known, nil),
                    ("[[other alias \(number)|x]]", known, nil), ("[[\(name)]]", inner, nil),
                    ("[[East \(number)/Inner/\(name.lowercased())]]", inner, nil),
                    ("[[Sharp# \(number)]]", sharp, nil), ("[[#Own part]]", root, nil),
                    ("[[No place \(number)]]", nil, nil), ("![[No place \(number)]]", nil, nil),
                    ("[[No place \(number)#Part one]]", nil, nil), ("[[East \(number)/Place \(number)]]", nil, nil),
                    ("[[West \(number)/Twin \(number)]]", nil, nil),
                ]
            ),
            (
                east + "Signs of east \(number).md",
                [
                    ("[[Twin \(number)]]", eastTwin, nil), ("[a](Twin%20\(number).md)", eastTwin, nil),
                    ("[a](../Westward%20\(number)/Twin%20\(number).md)", westTwin, nil),
                    ("[a](../Place%20\(number).md)", place, nil), ("[[Place \(number)]]", place, nil),
                    ("[[Known \(number)|x]]", known, nil), ("[[Inner/\(name)]]", inner, nil),
                ]
            ),
            (
                west + "Signs of west \(number).md",
                [("[[Twin \(number)]]", westTwin, nil), ("[[Twin \(number)|x]] and more", westTwin, nil)]
            ),
        ]
        var signposts: [Signpost] = []
        for (source, links) in ways {
            // There is one line above the links, and an empty one between two of them.
            let text = "Signs\n\n" + links.map { "- \($0.written)\n\n" }.joined() + "# Own part\n"
            notes.append((source, text))
            for (index, link) in links.enumerated() {
                signposts.append(
                    Signpost(
                        source: source, line: 2 + 2 * index, written: link.written, destination: link.destination,
                        destinationLine: link.line))
            }
        }
        return (notes.map { (path: $0.0, text: $0.1) }, signposts)
    }
}
