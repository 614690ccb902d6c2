import Intelligence

extension FuzzTarget {
    /// A server's answer: the result does not depend on how its bytes are cut, and contains no control character.
    ///
    /// The first byte selects the length of the pieces.
    public static let eventStream = FuzzTarget("event-stream") { input in
        guard let first = input.first else { return nil }
        let bytes = Array(input.dropFirst())
        let whole = read(bytes, pieces: max(1, bytes.count))
        let cut = read(bytes, pieces: 1 + Int(first) % 16)
        if whole.text != cut.text || whole.toolCalls != cut.toolCalls || whole.problem != cut.problem {
            return "pieces of \(1 + Int(first) % 16) bytes give another answer"
        }
        let isObeyed = whole.text.unicodeScalars.contains {
            $0.value < 0x20 && $0 != "\n" && $0 != "\t" || 0x7F..<0xA0 ~= $0.value
        }
        if isObeyed { return "a control character is in the answer" }
        return whole.text.utf8.count > bytes.count * 3 + 16 ? "the answer is longer than what was sent" : nil
    }

    private static func read(_ bytes: [UInt8], pieces: Int) -> AnswerBuilder {
        var (splitter, decoder) = (ResponseSplitter(), EventStreamDecoder())
        // With tools, the beginning of an answer is held back as long as it may be a call.
        var builder = AnswerBuilder(tools: ChatRequest.Tool.allCases)
        // Half of the inputs have a head; the rest is the body of an answer.
        let hasHead = bytes.starts(with: "HTTP/".utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = bytes[start..<min(bytes.count, start + pieces)]
            let body = hasHead ? splitter.body(piece) : Array(piece)
            for event in decoder.decode(body) { _ = builder.take(event) }
        }
        for event in decoder.finish() { _ = builder.take(event) }
        _ = builder.end()
        return builder
    }
}
