import Foundation
import NoteStore
import Processes
import Synchronization

/// The role of an embedded text, since models are trained on questions and passages separately.
public enum EmbeddingKind: String, Sendable {
    case query, passage
}

/// A request for embedding vectors to a provider.
///
/// It blocks its thread, as `ModelRun` does. A server gets a request to OpenAI's `/embeddings`. A program reads a list
/// of texts as JSON, and writes a list of lists of numbers.
public struct EmbeddingRun: Sendable {
    public var provider: Provider
    public var stop: CommandStop?
    public var environment: [String: String]
    /// Called with the reason before a pause of a second or more; the pause ends as soon as `stop` is requested.
    public var willPause: @Sendable (String) -> Void = { _ in }

    /// The most texts of one request.
    static let batch = 32
    /// The greatest length of a response, in bytes; the request for a longer one is ended.
    ///
    /// The vectors of 32 texts take some hundred kilobytes.
    var answerLimit = 64 << 20
    private let refusal = Refusal()

    /// Whether the server has refused the parameter that tells the kind of the texts, which few servers know.
    private final class Refusal: Sendable {
        let isKnown = Atomic<Bool>(false)
    }

    public init(_ provider: Provider, environment: [String: String], stop: CommandStop? = nil) {
        (self.provider, self.environment, self.stop) = (provider, environment, stop)
    }

    /// Returns the vectors of at most `batch` texts, in their order.
    public func vectors(of texts: [String], as kind: EmbeddingKind) throws(ModelFailure) -> [[Float]] {
        guard !texts.isEmpty else { return [] }
        let value: JSONValue
        switch provider.way {
        case .server(let address): value = try serverAnswer(address, texts, kind)
        case .command: value = try programAnswer(texts, kind)
        }
        guard let vectors = Self.vectors(in: value, count: texts.count) else { throw .notAnEmbedding(provider.label) }
        return vectors
    }

    /// Returns the exact request for texts.
    public func request(for texts: [String], as kind: EmbeddingKind) -> String {
        switch provider.way {
        case .server: body(texts, as: kind)
        case .command: Self.programInput(texts, kind)
        }
    }

    private static func programInput(_ texts: [String], _ kind: EmbeddingKind) -> String {
        JSONValue.list(texts.map { .text("\(kind.rawValue): \($0)") }).line
    }

    /// Returns the body of a server's request for texts.
    private func body(_ texts: [String], as kind: EmbeddingKind?) -> String {
        var object: [String: JSONValue] = ["input": .list(texts.map(JSONValue.text)), "encoding_format": "float"]
        if !provider.model.isEmpty { object["model"] = .text(provider.model) }
        if let kind { object["input_type"] = .text(kind.rawValue) }
        return JSONValue.object(object).line
    }

    // MARK: - A server

    private func serverAnswer(
        _ address: ServerAddress, _ texts: [String], _ kind: EmbeddingKind
    ) throws(ModelFailure) -> JSONValue {
        let key = try ProviderKey.key(of: provider, environment: environment, stop: stop)
        var kind = refusal.isKnown.load(ordering: .relaxed) ? nil : EmbeddingKind?.some(kind)
        var patience = RetryPatience()
        while true {
            let (ending, bytes) = try request(address, key, body(texts, as: kind))
            if let failure = CurlCall.failure(
                ending, label: address.label, patience: provider.patience, hasBegun: false, setting: "ai.embed")
            {
                throw failure
            }
            guard let head = ending.head, !ending.isMalformed else { throw .notAnEmbedding(address.label) }
            if (200..<300).contains(head.status) {
                guard let value = JSONValue(parsing: String(decoding: bytes, as: UTF8.self)) else {
                    throw .notAnEmbedding(address.label)
                }
                if kind == nil { refusal.isKnown.store(true, ordering: .relaxed) }
                return value
            }
            let (problem, said) = Self.problem(in: bytes)
            if let final = failure(problem, status: head.status, address, namesKind: kind != nil) { throw final }
            if head.status == 400 || head.status == 422, kind != nil {
                // A server may reject a parameter that it does not know.
                kind = nil
                continue
            }
            guard let pause = patience.wait(after: head.status, head.retryAfter, isLoading: problem == .loading) else {
                throw head.status == 429
                    ? .tooManyRequests(address.label, seconds: head.retryAfter)
                    : .refused(address.label, status: head.status, said: ServerWords(said, hiding: key))
            }
            let reason = patience.reason(
                for: pause, address.label, head.retryAfter, isLoading: problem == .loading)
            if let reason { willPause(reason) }
            try wait(pause)
        }
    }

    /// Returns the failure that a server's refusal means, or `nil` if the request may be sent once more.
    ///
    /// - Parameter namesKind: Whether the request had the parameter that some servers do not know.
    private func failure(
        _ problem: ServerProblem?, status: Int, _ address: ServerAddress, namesKind: Bool
    ) -> ModelFailure? {
        switch (problem, status) {
        case (_, 300..<400): .redirected(address.label, status: status)
        case (_, 401), (_, 403): .keyRefused(address.label, status: status)
        case (.contextExceeded?, _) where status != 429, (_, 413): .contextExceeded(address.label)
        case (_, 400) where namesKind, (_, 422) where namesKind: nil
        case (.noSuchModel?, _): .noSuchModel(address.label, model: provider.model)
        case (_, 404): .notAnEmbedding(address.label)
        default: nil
        }
    }

    /// Returns what the body of an error says, as its kind and in the server's words; `nil` if it does not say anything.
    private static func problem(in body: [UInt8]) -> (kind: ServerProblem?, said: String?) {
        var builder = AnswerBuilder()
        _ = builder.take(.plain(String(decoding: body, as: UTF8.self)))
        return (builder.problem, builder.said)
    }

    private func wait(_ milliseconds: Int) throws(ModelFailure) {
        for _ in 0..<(milliseconds / 50 + 1) {
            if stop?.isRequested == true { throw .stopped }
            usleep(50_000)
        }
    }

    private func request(
        _ address: ServerAddress, _ key: String?, _ body: String
    ) throws(ModelFailure) -> (CurlCall.Ending, [UInt8]) {
        let bytes = Mutex<[UInt8]>([])
        let enough = CommandStop(within: stop)
        let call = CurlCall(address: address, path: "/embeddings", body: body, key: key, patience: provider.patience)
        let ending = try call.run(environment: environment, stop: enough) { _, piece in
            let isFull = bytes.withLock { bytes in
                if bytes.count <= answerLimit { bytes += piece }
                return bytes.count > answerLimit
            }
            if isFull { enough.stop() }
        }
        let whole = bytes.withLock { $0 }
        if whole.count > answerLimit, stop?.isRequested != true { throw .notAnEmbedding(address.label) }
        return (ending, whole)
    }

    // MARK: - A program

    private func programAnswer(_ texts: [String], _ kind: EmbeddingKind) throws(ModelFailure) -> JSONValue {
        let output = Mutex("")
        let enough = CommandStop(within: stop)
        try ModelRun(provider, environment: environment, stop: stop).runProgram(
            reading: Self.programInput(texts, kind) + "\n", until: enough
        ) { text in
            let isFull = output.withLock { output in
                if output.utf8.count <= answerLimit { output += text }
                return output.utf8.count > answerLimit
            }
            if isFull { enough.stop() }
        }
        return JSONValue(parsing: output.withLock { $0 }) ?? .null
    }

    // MARK: - Answers

    /// Returns the vectors in a response, in the order of the texts, or `nil` if it does not hold exactly `count`
    /// vectors.
    static func vectors(in value: JSONValue, count: Int) -> [[Float]]? {
        var found = [[Float]?](repeating: nil, count: count)
        for (offset, entry) in (value["data"]?.list ?? value.list ?? []).enumerated() {
            let index = entry["index"]?.integer ?? offset
            guard found.indices.contains(index), let numbers = (entry["embedding"] ?? entry).list else { return nil }
            let vector = numbers.compactMap { number -> Float? in
                if case .number(let value) = number, value.isFinite { Float(value) } else { nil }
            }
            guard vector.count == numbers.count, (1...VectorFile.maximumDimensions).contains(vector.count) else {
                return nil
            }
            found[index] = vector
        }
        let vectors = found.compactMap(\.self)
        guard vectors.count == count, Set(vectors.map(\.count)).count == 1 else { return nil }
        return vectors
    }
}

/// A vector quantised to signed bytes.
///
/// Only its direction is kept, which is all that comparisons use.
enum VectorCode {
    /// - Returns: The code, or `nil` for a vector without a direction.
    static func code(_ vector: [Float]) -> [Int8]? {
        guard vector.allSatisfy(\.isFinite), let largest = vector.lazy.map(abs).max(), largest > 0 else { return nil }
        return vector.map { Int8(($0 / largest * 127).rounded()) }
    }

    /// Returns the cosine similarity of two vectors of the same length.
    static func similarity(_ a: ArraySlice<Int8>, _ b: ArraySlice<Int8>) -> Float {
        let products = (dot(a, b), dot(a, a), dot(b, b))
        return products.1 == 0 || products.2 == 0
            ? 0 : Float(products.0) / (Float(products.1).squareRoot() * Float(products.2).squareRoot())
    }

    static func dot(_ a: ArraySlice<Int8>, _ b: ArraySlice<Int8>) -> Int32 {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var sum: Int32 = 0
                for index in 0..<min(a.count, b.count) { sum &+= Int32(a[index]) &* Int32(b[index]) }
                return sum
            }
        }
    }
}
