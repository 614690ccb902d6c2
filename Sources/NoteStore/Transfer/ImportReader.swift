import Dispatch
import Synchronization

/// Reads the texts of an import and derives the values that are stored with them.
///
/// It works on all cores, and reads one batch while the one before is written. One thread uses it.
struct ImportReader {
    /// The result for one file.
    enum Outcome: Sendable {
        case ready(ImportFile, TextFacts, IndexedWords)
        /// The file was imported before and has not changed.
        case unchanged(ImportFile)
        case problem(ImportProblem)
    }

    struct Batch: Sendable {
        /// The outcomes in the order of the plan.
        let outcomes: [Outcome]
        /// The number of files of the plan that have been read, including this batch.
        let end: Int
    }

    /// The maximum number of files in one transaction.
    ///
    /// The lock is free between transactions; larger transactions write fewer pages of the lists twice.
    static let batchLimit = 1000
    /// The number of files in the first batch, which is small so that writing begins at once.
    private static let firstBatch = 100
    /// The number of bytes of text after which a batch ends; two batches are in memory at a time.
    private static let byteLimit = 16_000_000
    /// The number of files that are read between two checks of the bytes; the cores share them.
    private static let slice = 50

    private let format: any ImportFormat
    private let known: [String: String]
    private let terms: TermCache
    private let queue = DispatchQueue(label: "NoteStore.import")
    private let threads = ReadingThreads()
    private var reading: Reading?

    /// - Parameter known: the hashes, by path, of files that are left out if they have not changed.
    init(_ format: any ImportFormat, known: [String: String], _ terms: TermCache) {
        self.format = format
        self.known = known
        self.terms = terms
        continueReading(from: 0)
    }

    /// Waits for the next batch; nil after the last one.
    mutating func next() -> Batch? {
        guard let batch = reading?.wait() else { return nil }
        continueReading(from: batch.end)
        return batch
    }

    private mutating func continueReading(from start: Int) {
        guard start < format.plan.files.count else {
            reading = nil
            return
        }
        let reading = Reading()
        let (format, known, terms, threads) = (format, known, terms, threads)
        queue.async { @Sendable in reading.finish(Self.batch(of: format, from: start, known, terms, threads)) }
        self.reading = reading
    }

    private static func batch(
        of format: any ImportFormat, from start: Int, _ known: [String: String], _ terms: TermCache,
        _ threads: ReadingThreads
    ) -> Batch {
        let files = format.plan.files
        var outcomes: [Outcome] = []
        let bytes = Atomic(0)
        let end = min(start + (start == 0 ? firstBatch : batchLimit), files.count)
        while start + outcomes.count < end, bytes.load(ordering: .relaxed) < byteLimit {
            let from = start + outcomes.count
            let count = min(slice, end - from)
            let slots = Mutex([Outcome?](repeating: nil, count: count))
            threads.perform(count) { index in
                // Fifty files of the largest size would not fit into memory; one for each core does.
                guard bytes.load(ordering: .relaxed) < byteLimit else { return }
                let outcome = read(files[from + index], format, known, terms)
                if case .ready(let file, _, _) = outcome { bytes.add(file.text.utf8.count, ordering: .relaxed) }
                slots.withLock { $0[index] = outcome }
            }
            // Files after a skipped one are read again together with it.
            for outcome in slots.withLock({ $0 }) {
                guard let outcome else { break }
                outcomes.append(outcome)
            }
        }
        return Batch(outcomes: outcomes, end: start + outcomes.count)
    }

    private static func read(
        _ file: ImportPlan.File, _ format: any ImportFormat, _ known: [String: String], _ terms: TermCache
    ) -> Outcome {
        do {
            var read = try format.read(file)
            let isUnchanged = !known.isEmpty && known[read.path] == read.hash
            let facts = isUnchanged ? nil : read.facts
            read.dropStart()
            guard let facts else { return .unchanged(read) }
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
