import Markdown
import NoteStore

/// A passage in one line, for display.
public enum PassageText {
    /// Returns the excerpt of a chunk with the most words of a question, without Markdown and with at most `length`
    /// characters.
    public static func line(of chunk: Chunk, fitting question: String, length: Int) -> String {
        var lines = Markdown.plainText(of: chunk.text).split(whereSeparator: \.isNewline)[...]
        // The title is already shown above the passage.
        if lines.first.map(String.init) == chunk.title { lines.removeFirst() }
        let text = lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
        guard text.count > length else { return text }
        let wanted = Set(IndexForm.terms(of: question).filter { !IndexForm.isStopWord($0) }.map(IndexForm.stem))
        let sentences = Sentences.split(text)
        let counts = sentences.map { sentence in
            wanted.intersection(IndexForm.terms(of: sentence).map(IndexForm.stem)).count
        }
        guard let most = counts.max(), let first = counts.firstIndex(of: most) else { return text }
        var line = sentences[first]
        for next in sentences[(first + 1)...] where line.count + next.count < length { line += " " + next }
        return (first > 0 ? "… " : "") + ExtractiveSummary.cut(line, to: length)
    }
}
