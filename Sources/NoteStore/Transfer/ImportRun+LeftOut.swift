import Foundation
import Markdown
import SystemPackage

/// The files in the imported folder that neither became notes nor are shown by one, so that nobody takes them for
/// imported.
extension ImportRun {
    /// The number of files of a kind that are named.
    private static let exampleCount = 3

    /// Files that systems put into folders by themselves.
    private static let systemNames: Set = ["thumbs.db", "desktop.ini"]

    /// Notes which files a text shows or links to that is not read for its links, because it has not changed.
    func mention(_ text: String) {
        guard !others.isEmpty, text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "<") })
        else { return }
        let destinations = Markdown.destinations(in: text, withProperties: true)
        for destination in destinations where !Self.isElsewhere(destination.target) {
            for path in Self.paths(of: destination.target) {
                mentioned.insert(Folding.key(FilePath(path).lastComponent?.string ?? ""))
            }
        }
    }

    /// Whether a text refers to a file of the folder.
    func isReferredTo(_ path: FilePath) -> Bool {
        mentioned.contains(Folding.key(path.lastComponent?.string ?? ""))
            || shown.contains(path.absolute.lexicallyNormalized().key)
    }

    /// Lists the files that were left out, by kind, the most frequent kinds first.
    func listLeftOut() {
        guard !result.wasCancelled else { return }
        let taken = Set(format.plan.files.map { $0.location.absolute.lexicallyNormalized().key })
        var kinds: [String: (count: Int, examples: [String])] = [:]
        for path in others {
            let name = Folding.key(path.lastComponent?.string ?? "")
            let key = path.absolute.lexicallyNormalized().key
            if isReferredTo(path) || taken.contains(key) || Self.systemNames.contains(name) { continue }
            var kind = kinds[path.lowercasedExtension] ?? (0, [])
            kind.count += 1
            if kind.examples.count < Self.exampleCount { kind.examples.append(path.string) }
            kinds[path.lowercasedExtension] = kind
        }
        result.leftOut = kinds.map { LeftOutFiles(ending: $0, count: $1.count, examples: $1.examples) }
            .sorted { ($1.count, $0.ending) < ($0.count, $1.ending) }
    }
}
