import Dispatch
import Foundation
import NoteStore
import Observation
import Processes
import SystemPackage

/// The spelling of the text on the screen, checked by another program in the background.
///
/// A word counts as right until the answer has arrived, so that no key waits. No program is started unless
/// `editor.spelling` names a language.
@MainActor
@Observable
public final class Spelling {
    /// Increases with each answer.
    public private(set) var revision = 0

    /// The language of notes whose front matter names none; empty turns the checking off.
    @ObservationIgnored public var language = ""
    /// The file of the user's own words, one on each line; with nil, added words last until the program ends.
    @ObservationIgnored public var ownWordsFile: FilePath?
    /// The environment variables in which programs are looked up and which they see.
    @ObservationIgnored public var environment = ProcessInfo.processInfo.environment

    @ObservationIgnored private let scheduler: any MainScheduler
    @ObservationIgnored private let say: @MainActor (String) -> Void
    @ObservationIgnored private let queue = DispatchQueue(label: "tn.spelling", qos: .utility)
    @ObservationIgnored private let stopper = CommandStop()
    @ObservationIgnored private var known: [String: [String: SpellingVerdict]] = [:]
    @ObservationIgnored private var unknown: [String: Set<String>] = [:]
    /// The languages that cannot be checked; each is reported once.
    @ObservationIgnored private var failed: Set<String> = []
    @ObservationIgnored private var ownWords: Set<String>?
    @ObservationIgnored private var timer: ScheduledWork?
    @ObservationIgnored private var isAsking = false
    @ObservationIgnored private var waiting: (@MainActor () -> Void)?

    /// The pause in typing after which the program is asked.
    private static let pause = Duration.milliseconds(400)
    /// The deadline for one answer; most of the time goes into suggestions.
    private nonisolated static let deadline = Duration.seconds(20)
    /// The largest numbers of words of a language that are remembered, and that are asked about at once.
    private static let maximumKnown = 50_000
    private static let maximumAsked = 300

    init(scheduler: any MainScheduler, say: @escaping @MainActor (String) -> Void) {
        (self.scheduler, self.say) = (scheduler, say)
    }

    public var isOn: Bool { !language.isEmpty }

    /// Returns the verdict on a word; a word without one is asked about soon.
    ///
    /// - Returns: nil if there is no verdict yet.
    public func verdict(on word: String, in language: String) -> SpellingVerdict? {
        if isOwn(word) { return .right }
        if let verdict = known[language]?[word] { return verdict }
        guard !failed.contains(language) else { return nil }
        unknown[language, default: []].insert(word)
        if timer == nil, !isAsking { plan() }
        return nil
    }

    /// Whether words of a language are being checked, or will be soon.
    func isAsking(in language: String) -> Bool { isOn && !failed.contains(language) }

    /// Asks without waiting for a pause in typing, and calls `body` once when the next answer has come.
    public func whenAnswered(_ body: @escaping @MainActor () -> Void) {
        waiting = body
        timer?.cancel()
        timer = nil
        ask()
    }

    /// Stops the running program, when this one ends.
    func stop() {
        timer?.cancel()
        stopper.stop()
    }

    // MARK: - Asking

    private func plan() {
        timer?.cancel()
        timer = scheduler.schedule(after: Self.pause) { [weak self] in
            self?.timer = nil
            self?.ask()
        }
    }

    private func ask() {
        guard isOn, !isAsking, let (language, words) = unknown.first(where: { !$0.value.isEmpty }) else { return }
        let asked = Array(words.sorted().prefix(Self.maximumAsked))
        unknown[language]?.subtract(asked)
        isAsking = true
        let (environment, stop, scheduler) = (environment, stopper, scheduler)
        queue.async {
            let answer = Self.answer(asked, language, environment, stop)
            scheduler.post { [weak self] in self?.take(answer, on: language) }
        }
    }

    /// The reason why words could not be checked.
    private enum Problem: Error {
        case noProgram
        case noDictionary
        /// The program failed or took too long.
        case noAnswer
    }

    private nonisolated static func answer(
        _ words: [String], _ language: String, _ environment: [String: String], _ stop: CommandStop
    ) -> Result<[String: SpellingVerdict], Problem> {
        guard let program = SpellingProgram.find(in: environment["PATH"] ?? "/usr/bin:/bin") else {
            return .failure(.noProgram)
        }
        for dictionary in SpellingProgram.dictionaries(of: language) {
            let command = program.command(words, dictionary: dictionary, environment: environment)
            // A program that cannot be started counts as missing.
            guard let result = try? command.run(deadline: deadline, stop: stop) else { return .failure(.noProgram) }
            if result.isStopped { return .failure(.noAnswer) }
            let output = String(decoding: result.output, as: UTF8.self)
            if result.isSuccess, let verdicts = SpellingProgram.verdicts(in: output, on: words) {
                return .success(verdicts)
            }
        }
        return .failure(.noDictionary)
    }

    private func take(_ answer: Result<[String: SpellingVerdict], Problem>, on language: String) {
        isAsking = false
        switch answer {
        case .success(let verdicts):
            if known[language, default: [:]].count > Self.maximumKnown { known[language] = [:] }
            known[language, default: [:]].merge(verdicts) { $1 }
            revision += 1
        case .failure(let problem):
            failed.insert(language)
            unknown[language] = nil
            switch problem {
            case .noProgram: say(Texts.Spelling.noProgram)
            case .noDictionary: say(Texts.Spelling.noDictionary(language))
            case .noAnswer: say(Texts.Spelling.noAnswer)
            }
        }
        if unknown.contains(where: { !$0.value.isEmpty }) { plan() }
        let waiting = waiting
        self.waiting = nil
        waiting?()
    }

    /// Tries again the languages that failed, after the settings changed.
    public func retry() {
        failed = []
        revision += 1
    }

    // MARK: - Own words

    private func isOwn(_ word: String) -> Bool {
        let words = ownWords ?? readOwnWords()
        return words.contains(word) || words.contains(word.lowercased())
    }

    private func readOwnWords() -> Set<String> {
        var words: Set<String> = []
        do throws(SettingsFile.Problem) {
            words = Self.words(in: try ownBytes())
        } catch {
            // Drawing a text asks for verdicts, and must not change what else is shown.
            scheduler.post { [weak self] in self?.say(Texts.Spelling.notRead(error)) }
        }
        ownWords = words
        return words
    }

    /// The contents of the user's own dictionary; a missing one is empty.
    private func ownBytes() throws(SettingsFile.Problem) -> [UInt8] {
        guard let ownWordsFile else { return [] }
        return try SettingsFile.bytes(of: ownWordsFile.string) ?? []
    }

    private static func words(in bytes: [UInt8]) -> Set<String> {
        Set(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init))
    }

    /// Adds a word to the user's own words.
    ///
    /// It is appended to the file's current contents: another window may have added words, and the user other text.
    public func learn(_ word: String) {
        let bytes: [UInt8]
        do {
            bytes = try ownBytes()
        } catch {
            return say(Texts.Spelling.notRead(error))
        }
        let known = ownWordsFile == nil ? ownWords ?? [] : Self.words(in: bytes)
        ownWords = known.union([word])
        revision += 1
        guard let ownWordsFile else { return }
        do {
            let end: [UInt8] = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
            try PrivateFile.write(bytes + end + Array((word + "\n").utf8), to: ownWordsFile, keepsPermissions: true)
            say(Texts.Spelling.learned(word))
        } catch {
            say(error.sentence)
        }
    }
}
