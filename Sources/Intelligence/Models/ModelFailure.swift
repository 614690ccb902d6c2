/// The reason why a model gave no answer; `Texts.swift` has the sentences.
///
/// It holds nothing that a server or a program wrote, since their messages may repeat a key, besides `ServerWords`.
public enum ModelFailure: Error, Equatable, Sendable {
    /// A line of the configuration is wrong.
    case configuration(String)
    case noProvider
    case noEmbedding
    case noSuchProvider(String, setting: String)
    case noCurl
    case oldCurl
    /// - Parameter setting: The setting that names the server's provider.
    case noServer(String, setting: String = "ai.chat")
    case noSuchHost(String)
    case connectingTooSlow(String)
    case silent(String, seconds: Int)
    case hungUp(String, isInAnswer: Bool)
    /// A piece of the answer could not be read.
    case broken(String)
    case redirected(String, status: Int)
    case keyRefused(String, status: Int)
    case tooManyRequests(String, seconds: Int?)
    case refused(String, status: Int, said: ServerWords? = nil)
    case stillLoading(String)
    case noSuchModel(String, model: String)
    case contextExceeded(String)
    case serverProblem(String)
    case notAChat(String)
    case notAnEmbedding(String)
    /// The model's vectors have another length than those that are stored.
    case otherVectors(String)
    case emptyAnswer(String)
    /// The model's reasoning has used up the tokens of its answer.
    case onlyReasoned(String)
    /// A filter of the provider has ended the answer.
    case filtered(String)
    /// The model refused to answer, in the field that the protocol has for that.
    case declined(String)
    case insecure(String)
    case transferFailed(String, code: Int32)
    case noKey(variable: String)
    case keyCommandFailed
    case keyUnusable
    case noProgram(String)
    case programFailed(String, status: Int32)
    case noFolder
    case stopped
    /// The note's privacy forbids sending it.
    case privateNote(String)
    case notAllowed(provider: String, label: String)
}
