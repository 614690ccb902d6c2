/// The sentences about failures of models; each is one line without a full stop.
extension ModelFailure {
    public var sentence: String {
        switch self {
        case .configuration(let problem): "\(problem); nothing was sent"
        case .noProvider: "no model is configured; name a provider in ai.chat of config.toml (tn help ask says how)"
        case .noEmbedding:
            "no model for vectors is configured; name a provider in ai.embed of config.toml "
                + "(tn config --default shows how)"
        case .noSuchProvider(let name, let setting):
            "there is no provider “\(name)”; add [ai.provider.\(name)] with url or command to config.toml, "
                + "or change \(setting)"
        case .noCurl: "curl is needed to reach a model's server, and it is not installed; install curl"
        case .oldCurl: "curl 7.83 or newer is needed to reach a model's server; update curl"
        case .noServer(let label, let setting): "no server answers at \(label); start it, or set \(setting)"
        case .noSuchHost(let label): "there is no host \(label); check the provider's url"
        case .connectingTooSlow(let label): "\(label) accepts no connection; check the provider's url and the network"
        case .silent(let label, let seconds):
            "\(label) was silent for \(seconds) seconds; try again, or raise timeout of the provider"
        case .hungUp(let label, isInAnswer: true): "\(label) closed the connection too early; the answer is incomplete"
        case .hungUp(let label, isInAnswer: false): "\(label) closed the connection without an answer; look at its log"
        case .broken(let label): "\(label) sent a piece that cannot be read; the answer is incomplete"
        case .redirected(let label, let status):
            "\(label) redirects to another address (status \(status)), which tn does not follow; "
                + "correct the provider's url"
        case .keyRefused(let label, let status):
            "\(label) does not accept the key (status \(status)); check key-env or key-command of the provider"
        case .tooManyRequests(let label, let seconds):
            "\(label) has had too many requests; try again "
                + (seconds.map { "in \($0) second\($0 == 1 ? "" : "s")" } ?? "later")
        case .refused(let label, 404, _): "\(label) has no chat at this url (status 404); most urls end in /v1"
        case .refused(let label, let status, let said?): "\(label) refuses with status \(status): “\(said.line)”"
        case .refused(let label, let status, nil): "\(label) refuses with status \(status); look at its log"
        case .stillLoading(let label): "\(label) is still loading its model; try again in a minute"
        case .noSuchModel(let label, let model):
            model.isEmpty
                ? "\(label) needs the name of a model; set model of the provider"
                : "\(label) has no model “\(model)”; correct model of the provider"
        case .contextExceeded(let label):
            "the text is too long for the model at \(label); take less of it, or lower context of the provider"
        case .serverProblem(let label): "\(label) reports an internal error; look at its log"
        case .notAChat(let label): "the response of \(label) is not a chat answer; check the provider's url"
        case .notAnEmbedding(let label): "the response of \(label) holds no vectors; check the provider's url and model"
        case .otherVectors(let label): "\(label) has another model now; run tn ai index again"
        case .emptyAnswer(let label): "\(label) gave an empty answer; try again, or another model"
        case .onlyReasoned(let label):
            "\(label) reasoned up to its limit and gave no answer; raise reasoning of the provider, or turn reasoning off"
        case .filtered(let label): "a content filter of \(label) ended the answer; ask in other words, or another model"
        case .declined(let label): "\(label) refused to answer; ask in other words, or another model"
        case .insecure(let label): "no secure connection to \(label) can be made; check its certificate and the url"
        case .transferFailed(let label, 3):
            "the address of \(label) is not one that curl can use; correct the provider's url"
        case .transferFailed(let label, let code):
            "the transfer from \(label) failed (curl's status \(code)); try again"
        case .noKey(let variable): "the variable \(variable) with the provider's key is not set"
        case .keyCommandFailed:
            "key-command of the provider gave no key; run it by hand (it cannot ask on the terminal)"
        case .keyUnusable: "the provider's key is empty or has invalid characters"
        case .noProgram(let name): "the program “\(name)” cannot be started; check command of the provider"
        case .programFailed(let name, -1): "the program “\(name)” was ended by a signal"
        case .programFailed(let name, let status): "the program “\(name)” ended with status \(status); run it by hand"
        case .noFolder: "no folder for temporary files can be made; check TMPDIR"
        case .stopped: "stopped"
        case .privateNote(let title):
            "“\(title)” may not be sent to this model: its privacy, its folder, a tag, the archive or the Trash forbids it"
        case .notAllowed(let provider, let label):
            "nothing was sent: the provider “\(provider)” (\(label)) is not on this machine; add --yes to allow it"
        }
    }
}

extension FormatFault {
    public var sentence: String {
        switch self {
        case .empty: "the model returned an empty text; the note stays as it is"
        case .cut: "the text was cut at the model's limit; the note stays as it is"
        case .broken: "the model did not return the same text; the note stays as it is"
        case .changedParts:
            "the model changed a link's target, code, a comment, a definition, a task's box, what is struck through, or a "
                + "number of a list; the note stays as it is"
        }
    }
}

extension Assistant.Instruction {
    /// The title in the menu.
    public var title: String {
        switch self {
        case .rewrite: "Rewrite"
        case .shorten: "Shorten"
        case .summarize: "Summarize"
        case .translate: "Translate into English"
        case .goOn: "Continue"
        }
    }
}

/// The remarks about an answer.
public enum AnswerTexts {
    static let promptCut = "the server cut the prompt; raise its context"
    public static let cut = "the answer is cut at the model's limit"
    public static let summaryNotKept = "the summary is cut at the model's limit and was not kept; try again"
    public static let summaryOfPart = "the server cut the prompt, so the summary was not kept; raise its context"
    /// Returns the reason why there was no search by meaning: the question may not be sent to the embedding provider.
    public static func wordsOnly(_ provider: String) -> String {
        "found by words only: the provider “\(provider)” of ai.embed is not on this machine; add --yes to allow it"
    }
    /// Returns the reason why there was no search by meaning: the embedding provider gave no vector of the question.
    public static func wordsOnly(after failure: ModelFailure) -> String { "\(failure.sentence); found by words only" }
    /// Returns the question before anything is sent to a provider on another machine.
    ///
    /// - Parameter what: a noun phrase for what would be sent.
    public static func consent(sending what: String, to provider: Provider) -> String {
        "Send \(what) to “\(provider.name)” (\(provider.label))?"
    }
    /// Returns what a question to the model sends: `the question, 3 passages of 2 notes, and …`.
    public static func sending(_ question: NotebookQuestion) -> String {
        let amount = question.amount
        var parts = ["the question", "\(count(amount.excerpts, "passage")) of \(count(amount.notes, "note"))"]
        if amount.turns > 0 { parts.append(count(amount.turns, "earlier answer")) }
        if question.provider.offersTools {
            parts.append("what the model searches for in up to \(NotebookQuestion.maximumRounds) more rounds")
        }
        return parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns what is said while a server loads its model.
    static func loading(_ label: String) -> String { "\(label) is loading its model; waiting for it" }
    /// Returns what is said before a server that has too much to do is asked again.
    ///
    /// - Parameter seconds: the pause that the server asks for, if it does.
    static func crowded(_ label: String, seconds: Int?) -> String {
        "\(label) has had too many requests; "
            + (seconds.map { "asking again in \(count($0, "second"))" } ?? "asking again for half a minute")
    }
    public static func searching(_ query: String) -> String { "searching the notes for “\(query)”…" }
    /// The most titles that are named in place of citations.
    private static let namedTitles = 3
    /// Returns the remark on an answer without a citation, which names the notes that it can be checked against.
    ///
    /// - Parameter titles: those of the notes whose excerpts the model had, the best first.
    static func citesNothing(_ titles: [String]) -> String {
        let named = titles.prefix(namedTitles).map { "“\($0)”" }.joined(separator: ", ")
        let more = titles.count > namedTitles ? " and \(titles.count - namedTitles) more" : ""
        return "the answer cites no note" + (named.isEmpty ? "" : "; check it against \(named)\(more)")
    }
    static let wroteCall =
        "the model has written the call of a tool into its answer; set tools = false of the provider"
    static let reasonedAloud =
        "the model's reasoning came as part of its answer; have the server part the two, or turn reasoning off"
    static func leftOut(_ count: Int) -> String { "\(Self.count(count, "citation")) left out" }
    public static func changed(_ words: Int) -> String { "\(count(words, "word")) changed" }

    /// Returns the remarks to show after an answer about one text, a sentence each.
    public static func remarks(on answer: Answer) -> [String] {
        (answer.isCut ? [cut] : []) + (answer.isPromptCut ? [promptCut] : [])
            + (answer.hasReasonedAloud ? [reasonedAloud] : [])
    }

    /// Returns the remarks to show after an answer about the notes, a sentence each.
    public static func remarks(on answer: NotebookAnswer) -> [String] {
        var remarks: [String] = []
        if answer.leftOut > 0 { remarks.append(leftOut(answer.leftOut)) }
        if answer.isCut { remarks.append(cut) }
        if answer.isPromptCut { remarks.append(promptCut) }
        if answer.hasWrittenCall { remarks.append(wroteCall) }
        if answer.hasReasonedAloud { remarks.append(reasonedAloud) }
        if answer.sources.isEmpty { remarks.append(citesNothing(answer.titles)) }
        return remarks
    }
}
