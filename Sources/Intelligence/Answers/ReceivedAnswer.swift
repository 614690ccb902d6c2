import NoteStore
import Synchronization

/// The part of an answer that has been received; each piece is passed on at once.
///
/// The pieces come on the thread that reads them.
final class ReceivedAnswer: Sendable {
    private let reader: Mutex<CitationReader>
    private let result = Mutex(NotebookAnswer())
    /// What separates the next text from what the model said before a search.
    private let gap = Mutex("")
    /// What the model has said in each round, without its reasoning.
    private let said = Mutex<[String]>([])
    /// Passes an event on to whoever waits for the answer.
    let tell: @Sendable (AskEvent) -> Void

    init(_ reader: CitationReader, _ tell: @escaping @Sendable (AskEvent) -> Void) {
        self.reader = Mutex(reader)
        self.tell = tell
    }

    func take(_ event: AnswerEvent) {
        switch event {
        case .reasoning(let text): tell(.reasoning(text))
        case .text(let text):
            let parted = gap.withLock { gap in
                defer { gap = "" }
                return gap + text
            }
            pass(reader.withLock { $0.read(parted) })
        }
    }

    /// Ends a round, after which the model may search or has said all.
    func endRound(of answer: Answer, hasWords: Bool) {
        if hasWords {
            gap.withLock { $0 = "\n\n" }
            said.withLock { $0.append(answer.text) }
        }
        result.withLock { result in
            result.isCut = answer.isCut
            result.hasReasonedAloud = result.hasReasonedAloud || answer.hasReasonedAloud
            result.isPromptCut = result.isPromptCut || answer.isPromptCut
        }
    }

    /// The excerpts that the model has.
    var excerpts: [Chunk] { reader.withLock { $0.excerpts } }

    /// Adds excerpts that the model gets, and returns the number of the first.
    func add(_ excerpts: [Chunk]) -> Int { reader.withLock { $0.add(excerpts) } }

    /// Passes on the rest of the text, and returns the whole answer.
    func end() -> NotebookAnswer {
        pass(reader.withLock { $0.end() })
        return reader.withLock { reader in
            result.withLock { result in
                if result.hasReasonedAloud {
                    // What the reasoning cites is no source of the answer.
                    reader = CitationReader(reader.excerpts, form: reader.form)
                    result.text = reader.read(said.withLock { $0.joined(separator: "\n\n") }) + reader.end()
                }
                (result.sources, result.leftOut, result.doubted) = (reader.sources, reader.leftOut, reader.doubted)
                result.numbers = reader.numbers
                var known: Set<NoteID> = []
                result.titles = reader.excerpts.filter { known.insert($0.note).inserted }.map(\.title)
                return result
            }
        }
    }

    private func pass(_ text: String) {
        guard !text.isEmpty else { return }
        result.withLock { $0.text += text }
        tell(.text(text))
    }
}
