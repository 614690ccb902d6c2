import Foundation
import NoteStore
import TerminalDriver

/// Measures pictures in a terminal that draws them: when one is seen, and what keys and the line pay for it.
struct PictureBenchmark {
    let workshop: Workshop
    let rounds: Int
    /// How many keys scroll while pictures come.
    let keys: Int

    func run() throws {
        var rows: [[String]] = []
        for (name, width, height) in [("512x384", 512, 384), ("2048x1536", 2048, 1536)] {
            let path = try notebook(name, width: width, height: height)
            var (seen, meanwhile, bytes) = (Samples(), Samples(), Samples())
            for _ in 0..<rounds {
                let terminal = try start(path)
                seen.values.append(try timeToPicture(terminal))
                let sent = terminal.screen.pictureBytes
                for key in (0..<keys).map({ $0 % 20 < 10 ? "\u{1B}[B" : "\u{1B}[A" }) {
                    meanwhile.values.append(try timeToFrame(key, in: terminal))
                }
                try terminal.settle(quiet: 300, atMost: 5)
                bytes.values.append(Double(terminal.screen.pictureBytes - sent))
                try terminal.send("\u{11}")
                _ = terminal.waitForExit(seconds: 10)
            }
            rows.append([
                name, Report.number(seen.median), Report.within(seen.median, 150), Report.number(meanwhile.median),
                Report.number(meanwhile.p99), Report.within(meanwhile.p99, 3), Report.number(bytes.values.max()),
            ])
        }
        Report.table(
            "Pictures, drawn by the terminal",
            [
                "picture", "key to picture", "in budget", "key while it is scrolled past", "p99", "in budget",
                "bytes of pictures sent again",
            ], rows)
    }

    /// A notebook whose newest note has a picture of noise above a long text.
    private func notebook(_ name: String, width: Int, height: Int) throws -> String {
        let path = workshop.folder.appending(path: "pictures-\(name).sqlite").path
        let notebook = try Notebook.open(path, mode: .command)
        let image = try notebook.images.add(NoisePNG.file(width: width, height: height), name: "noise.png")
        let lines = (1...200).map { "Line \($0) of the text below.\n\n" }.joined()
        _ = try notebook.notes.create([NewNote(text: "Noise\n\n![Noise](\(image.getURL()))\n\n\(lines)")])
        try notebook.close()
        return path
    }

    private func start(_ path: String) throws -> PseudoTerminal {
        var kitty = TerminalPersonality.kitty
        // Keys are sent as a terminal without that protocol does.
        kitty.hasKeyboardProtocol = false
        let terminal = try PseudoTerminal(
            workshop.program, ["--database", path], environment: workshop.environment("pictures"), as: kitty)
        try terminal.wait(for: "Line 1 of the text")
        try terminal.settle(quiet: 300, atMost: 5)
        return terminal
    }

    /// The milliseconds from the key that shows the reading view to the picture.
    private func timeToPicture(_ terminal: PseudoTerminal) throws -> Double {
        let start = PseudoTerminal.now
        try terminal.send("p")
        try terminal.wait(for: "the picture", seconds: 20) { screen in
            screen.lines.contains { $0.unicodeScalars.contains("\u{10EEEE}") }
        }
        return Double(terminal.lastArrival - start) / 1e6
    }

    /// The milliseconds from a key to its first output.
    private func timeToFrame(_ key: String, in terminal: PseudoTerminal) throws -> Double {
        while try terminal.pump(milliseconds: 5) {}
        let (start, before) = (PseudoTerminal.now, terminal.byteCount)
        try terminal.send(key)
        while terminal.byteCount == before, PseudoTerminal.now - start < 500_000_000 {
            try terminal.pump(milliseconds: 20)
        }
        return Double(terminal.lastArrival - start) / 1e6
    }
}

/// Pictures of noise, which no compression makes smaller: PNG with stored blocks.
enum NoisePNG {
    static func file(width: Int, height: Int) -> Data {
        var state: UInt32 = 7
        var pixels: [UInt8] = []
        pixels.reserveCapacity(height * (width * 3 + 1))
        for _ in 0..<height {
            pixels.append(0)
            for _ in 0..<width * 3 {
                state = state &* 1_664_525 &+ 1_013_904_223
                pixels.append(UInt8(state >> 24))
            }
        }
        let header = number(width) + number(height) + [8, 2, 0, 0, 0]
        return Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(pixels))
                + chunk("IEND", []))
    }

    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + body
        return number(body.count) + content + number(Int(checksum(content)))
    }

    /// RFC 1950 around stored blocks of RFC 1951.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let end = min(start + 65_535, bytes.count)
            let count = UInt16(end - start)
            output.append(end == bytes.count ? 1 : 0)
            output += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
            output += bytes[start..<end]
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return output + number(Int(b << 16 | a))
    }

    /// The CRC-32 of the PNG specification.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
