/// The completions of a command line: titles of notes after `:e`, otherwise names of commands.
@MainActor
struct VimCompletion {
    private let lines: [String]
    private var index = -1

    /// Finds the completions of a line, which is given without its colon.
    init(of line: String, in window: NotebookInterface) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        if words.count == 2 {
            let isTitle = ["e", "edit"].contains(words[0])
            let notes = isTitle ? window.model.notesToLink(String(words[1])) : []
            lines = notes.map { "\(words[0]) \($0.title)" }
        } else {
            lines = window.registry.all.map(\.name.description).filter { $0.hasPrefix(line) }.sorted()
        }
    }

    /// The completed line; nil if there is none.
    var text: String? { lines.isEmpty ? nil : lines[max(0, index)] }

    /// Whether a line is the one that was completed last.
    func isFor(_ line: Substring) -> Bool { lines.indices.contains(index) && lines[index] == line }

    mutating func goOn() { index = lines.isEmpty ? -1 : (index + 1) % lines.count }
}
