import Foundation
import Testing

@testable import NoteStore

/// Tests pages and exports of Evernote that are not UTF-8, and say so.
@Suite struct DeclaredEncodingTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    /// Returns a text in UTF-16 with a byte order mark.
    private func utf16(_ text: String, littleEndian: Bool) -> Data {
        Data(
            ("\u{FEFF}" + text).utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return littleEndian ? [low, high] : [high, low]
            })
    }

    /// Returns a text of characters below U+0100 with a byte for each.
    private func latin(_ text: String) -> Data { Data(text.unicodeScalars.map { UInt8($0.value) }) }

    private func enex(_ encoding: String, title: String, text: String) -> String {
        """
        <?xml version="1.0" encoding="\(encoding)"?><en-export><note><title>\(title)</title>
        <content><![CDATA[<?xml version="1.0" encoding="UTF-8"?><en-note>\(text)</en-note>]]></content></note></en-export>
        """
    }

    @Test(arguments: [
        ("<meta charset=\"iso-8859-1\">", DeclaredEncoding.windows1252),
        ("<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=Windows-1252'>", .windows1252),
        ("<?xml version=\"1.0\" encoding='ISO-8859-1' ?><html>", .windows1252),
        ("<?xml version=\"1.0\"?><html><meta charset=koi8-r>", .other(name: "koi8-r")), ("<meta name=\"x\">", .utf8),
        ("<meta charset=\"utf-8\">", .utf8), ("<p>charset=koi8-r", .utf8), ("<\0p\0", .utf16(isLittleEndian: true)),
        ("\0<\0p", .utf16(isLittleEndian: false)), ("", .utf8),
    ]) func `the encoding of a file is the one that it declares`(_ start: String, _ encoding: DeclaredEncoding) {
        #expect(DeclaredEncoding(of: Array(start.utf8)) == encoding)
    }

    @Test func `web pages come in the encoding that they declare`() throws {
        let page = "<html><head><meta charset=\"windows-1252\"><title>T</title></head><body><p>"
        try write("a.html", latin(page + "caf\u{E9} \u{80}5 \u{93}so\u{94}</p>"))
        try write("b.html", utf16("<p>café 😀</p>", littleEndian: true))
        try write("c.html", utf16("<p>café</p>", littleEndian: false))
        // Pages that were saved as UTF-8 keep their former declaration.
        try write("d.html", page + "café</p>")
        try write("e.html", latin("<meta charset=\"koi8-r\"><p>\u{C1}</p>"))
        try write("f.html", latin("<p>\u{E9}</p>"))
        try write("g.html", "<meta charset=\"iso-2022-jp\"><p>\u{1B}$B$\"</p>")
        let texts = ["a": "café €5 “so”\n", "b": "café 😀\n", "c": "café\n", "d": "café\n"]
        for (name, expected) in texts {
            let result = try take("\(name).html")
            #expect(result.noteImportCount == 1, "\(name)")
            #expect(try result.notes.first.flatMap { try notebook.notes.text($0) } == expected, "\(name)")
        }
        #expect(try take("e.html").problems.map(\.reason) == [.unknownEncoding(name: "koi8-r")])
        #expect(try take("f.html").problems.map(\.reason) == [.invalidUTF8(offset: 3)])
        #expect(try take("g.html").problems.map(\.reason) == [.unknownEncoding(name: "iso-2022-jp")])
    }

    @Test func `web pages in a zip come in the encoding that they declare`() throws {
        let page = latin("<meta charset=\"latin1\"><p>caf\u{E9}</p>")
        try write("pages.zip", ArchiveBuilder.zip([.init("pages/One.html", page)]))
        #expect(try take("pages.zip").noteImportCount == 1)
        #expect(try text("One") == "café\n")
    }

    @Test func `exports of Evernote come in the encoding that they declare`() throws {
        try write("a.enex", latin(enex("ISO-8859-1", title: "Caf\u{E9}", text: "\u{FC}ber")))
        try write("b.enex", utf16(enex("UTF-16", title: "Straße 😀", text: "größer"), littleEndian: true))
        try write("c.enex", utf16(enex("UTF-16", title: "Öl", text: "süß"), littleEndian: false))
        try write("d.enex", enex("windows-1252", title: "Käse", text: "wrongly declared: ß"))
        for name in ["a", "b", "c", "d"] { #expect(try take("\(name).enex").noteImportCount == 1, "\(name)") }
        #expect(try text("Café") == "über\n" && text("Straße 😀") == "größer\n" && text("Öl") == "süß\n")
        #expect(try text("Käse") == "wrongly declared: ß\n")
        for name in ["a", "b", "c", "d"] { #expect(try take("\(name).enex").unchangedCount == 1, "\(name)") }
        try write("e.enex", latin(enex("koi8-r", title: "\u{C1}", text: "x")))
        let result = try take("e.enex")
        #expect(result.noteImportCount == 0)
        #expect(result.problems.map(\.reason) == [.unknownEncoding(name: "koi8-r")])
        let sentence = try #require(result.problems.first).sentence
        #expect(sentence.contains("e.enex") && sentence.contains("koi8-r") && !sentence.contains("\n"))
    }
}
