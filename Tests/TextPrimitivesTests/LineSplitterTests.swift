import Testing
import TextPrimitives

struct LineSplitterTests {
    @Test(arguments: [
        ("", [] as [String]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("\n\n", ["", ""]),
        ("\u{FEFF}a\nb", ["a", "b"]), ("more than eight bytes\r\nb", ["more than eight bytes", "b"]),
    ])
    func `lines end at LF, CRLF or CR`(text: String, lines: [String]) {
        var text = text
        let read = text.withUTF8 { bytes in
            var splitter = LineSplitter(bytes)
            var read: [String] = []
            while let line = splitter.next() { read.append(String(decoding: bytes[line], as: UTF8.self)) }
            return read
        }
        #expect(read == lines)
    }
}
