import Foundation
import Sync

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Asks for a passphrase at the terminal, which does not show what is typed.
enum PassphrasePrompt {
    /// - Returns: what was typed; nil if nothing was.
    static func ask(_ purpose: PassphraseSource.Purpose) throws -> String? {
        switch purpose {
        case .open: return try ask(Texts.passphrase)
        case .renew: return try ask(Texts.renewedPassphrase)
        case .choose:
            guard let first = try ask(Texts.newPassphrase) else { return nil }
            guard try ask(Texts.samePassphrase) == first else {
                throw Failure(Texts.differentPassphrases, status: .usage)
            }
            return first
        }
    }

    /// Reads a line byte by byte: the terminal shows nothing, sends each key at once, and Ctrl-C is a byte like others,
    /// so that the terminal is always left as it was.
    private static func ask(_ question: String) throws -> String? {
        try StandardOutput.flush()
        StandardError.write(part: question)
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
        withUnsafeMutableBytes(of: &silent.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            StandardError.write(part: "\n")
        }
        var typed: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            switch byte {
            case _ where count <= 0: throw Failure(Texts.noPassphrase, status: .stopped)
            case 0x0A, 0x0D: return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self)
            case 0x03, 0x04, 0x1C: throw Failure(Texts.noPassphrase, status: .stopped)
            case 0x08, 0x7F: removeLetter(from: &typed)
            case 0x15: typed = []
            default: typed.append(byte)
            }
        }
    }

    private static func removeLetter(from typed: inout [UInt8]) {
        while let last = typed.popLast(), last & 0xC0 == 0x80 {}
    }
}
