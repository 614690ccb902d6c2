import Testing

@testable import Terminal

@MainActor struct ClipboardTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a copy is wrapped for the multiplexer it goes through`() {
        #expect(text(TerminalDevice.clipboardBytes("hi", in: .none)) == "\u{1B}]52;c;aGk=\u{1B}\\")
        #expect(
            text(TerminalDevice.clipboardBytes("hi", in: .tmux)) == "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGk=\u{07}\u{1B}\\")
        let long = text(TerminalDevice.clipboardBytes(String(repeating: "x", count: 2000), in: .screen))
        #expect(long.split(separator: "\u{1B}P").allSatisfy { $0.utf8.count <= 768 })
    }

    @Test func `a title holds no control character and at most 256 bytes`() {
        let bytes = TerminalDevice.titleBytes("a\u{1B}]0;b\u{07}\u{9B}" + String(repeating: "世", count: 200))
        #expect(bytes.filter { $0 == 0x1B }.count == 2)
        #expect(!bytes.contains(0x07))
        #expect(bytes.count <= 256 + 6)
    }
}
