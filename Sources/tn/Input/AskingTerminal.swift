import Foundation
import Intelligence
import Processes
import SystemPackage

/// The terminal on which a question is answered: standard input, or the terminal of this process if input is a pipe.
final class AskingTerminal {
    private let descriptor: FileDescriptor

    /// Nil if there is no terminal.
    init?() {
        if isatty(STDIN_FILENO) == 1 {
            descriptor = .standardInput
        } else {
            // A process without a terminal cannot open it.
            let terminal = try? FileDescriptor.open("/dev/tty", .readOnly, options: .closeOnExec)
            guard let terminal else { return nil }
            descriptor = terminal
        }
    }

    deinit {
        if descriptor != .standardInput { try? descriptor.close() }  // nothing was written
    }

    /// Reads a line; nil at the end of input.
    ///
    /// - Throws: `ModelFailure.stopped` as soon as `stop` is requested.
    func readLine(_ stop: CommandStop) throws -> String? {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n") {
            if stop.isRequested {
                StandardError.write(part: "\n")
                throw ModelFailure.stopped
            }
            var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, Self.interval)
            if count < 0, errno != EINTR { return nil }
            guard count > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 1)
            // The terminal is gone: nobody answers any more.
            guard let count = try? buffer.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 else {
                return nil
            }
            bytes += buffer
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The time between two checks for a signal, in milliseconds.
    private static let interval: Int32 = 50
}
