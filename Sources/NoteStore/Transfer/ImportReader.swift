import Dispatch
import Synchronization

/// Reads the files of an import and works out what is stored of them, on all cores, a batch ahead of the writing.
///
/// Used by one thread.
struct ImportReader {
    /// What has become of one file.
    enum Outcome: Sendable {
        case ready(ImportFile, TextFacts, IndexedWords)
        /// It was imported before and is the same.
        case unchanged
        case problem(ImportProblem)
    }

    struct Batch: Sendable {
        /// In the order of the plan.
        let outcomes: [Outcome]
        /// How many files of the plan have been read with this batch.
        let end: Int
    }

    /// Files a transaction takes in.
    ///
    /// The lock is free between; more at a time write fewer pages of the lists twice.
    static let batchLimit = 1000
    /// Bytes of text after which a batch ends: two batches are in memory at a time.
    private static let byteLimit = 16_000_000
    /// Files between two looks at the bytes; they are shared out among the cores.
    private static let slice = 50

    private let files: [ImportPlan.File]
    private let known: [String: String]
    private let terms: TermCache
    private let queue = DispatchQueue(label: "NoteStore.import")
    private var reading: Reading?

    /// - Parameter known: the hashes, by path, of files that are left out if they have not changed.
    init(_ files: [ImportPlan.File], known: [String: String], _ terms: TermCache) {
        self.files = files
        self.known = known
        self.terms = terms
        readOn(from: 0)
    }

    /// The next batch, waited for; nil after the last one.
    mutating func next() -> Batch? {
        guard let batch = reading?.wait() else { return nil }
        readOn(from: batch.end)
        return batch
    }

    private mutating func readOn(from start: Int) {
        guard start < files.count else {
            reading = nil
            return
        }
        let reading = Reading()
        let (files, known, terms) = (files, known, terms)
        queue.async { reading.finish(Self.batch(of: files, from: start, known, terms)) }
        self.reading = reading
    }

    private static func batch(
        of files: [ImportPlan.File], from start: Int, _ known: [String: String], _ terms: TermCache
    ) -> Batch {
        var outcomes: [Outcome] = []
        var bytes = 0
        let end = min(start + batchLimit, files.count)
        while start + outcomes.count < end, bytes < byteLimit {
            let from = start + outcomes.count
            let count = min(slice, end - from)
            let slots = Mutex([Outcome?](repeating: nil, count: count))
            DispatchQueue.concurrentPerform(iterations: count) { index in
                let outcome = read(files[from + index], known, terms)
                slots.withLock { $0[index] = outcome }
            }
            for case .some(let outcome) in slots.withLock({ $0 }) {
                if case .ready(let file, _, _) = outcome { bytes += file.text.utf8.count }
                outcomes.append(outcome)
            }
        }
        return Batch(outcomes: outcomes, end: start + outcomes.count)
    }

    private static func read(_ file: ImportPlan.File, _ known: [String: String], _ terms: TermCache) -> Outcome {
        do {
            let read = try ImportFile(reading: file)
            if !known.isEmpty, known[read.path] == read.hash { return .unchanged }
            let facts = TextFacts(of: read.text, title: read.title, derivedTitle: read.derivedTitle)
            let title = read.title ?? facts.summary.derivedTitle
            return .ready(read, facts, IndexedWords(title: title, text: read.text, unknownTo: terms))
        } catch {
            return .problem(ImportProblem(path: file.path, reason: error.reason))
        }
    }

    /// A batch that is being read.
    private final class Reading: Sendable {
        private let done = DispatchSemaphore(value: 0)
        private let batch = Mutex<Batch?>(nil)

        func finish(_ batch: Batch) {
            self.batch.withLock { $0 = batch }
            done.signal()
        }

        func wait() -> Batch? {
            done.wait()
            return batch.withLock { $0 }
        }
    }
}
