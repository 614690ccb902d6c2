import Foundation
import NoteStore
import SystemPackage

/// A text that comes through a pipe to become a note, or a part of one.
///
/// The program that wrote it may be gone, so that it cannot be written again: what has arrived is kept as a draft if a
/// signal ends this program, or if it is not UTF-8.
enum PipedText {
    /// Reads all of standard input.
    ///
    /// - Parameter database: the notebook's file, for the draft.
    /// - Throws: `Failure` if it is a terminal, cannot be read or is not UTF-8, or at a signal that ends the program, or
    ///   if it is larger than `InputText.limit`, in which case nothing of it is kept.
    static func read(for database: String) throws -> String {
        guard isatty(STDIN_FILENO) == 0 else { throw Failure.noText }
        let signals = BlockedSignals()
        var bytes: [UInt8] = []
        while true {
            do {
                if let signal = signals.raised {
                    // Only the bytes that are already in the pipe are taken: at most as many as a pipe holds.
                    if try isReadable(within: 0) { bytes += try chunk() }
                    throw kept(bytes, for: database, after: .stopped(by: signal))
                }
                guard try isReadable(within: 100) else { continue }
                let chunk = try chunk()
                if chunk.isEmpty { break }
                bytes += chunk
                // A device may never end, and would fill the memory and then the disk.
                if bytes.count > InputText.limit { throw Failure.inputTooLarge(limit: InputText.limit) }
            } catch let failure as Failure {
                throw failure
            } catch let error as Errno where error == .interrupted || error == .resourceTemporarilyUnavailable {
                continue
            } catch {
                throw kept(bytes, for: database, after: .cannotRead(Texts.standardInput, error))
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw kept(bytes, for: database, after: .notUTF8(Texts.standardInput))
        }
        return text
    }

    /// Keeps what has arrived, and returns `failure` with the place where it is.
    private static func kept(_ bytes: [UInt8], for database: String, after failure: Failure) -> Failure {
        if bytes.isEmpty { return failure }
        do {
            let draft = try Draft(database: database)
            try draft.write(bytes)
            try? draft.sync()  // a file system that cannot be synced has the text all the same
            return Failure.textKept(failure, in: draft.path)
        } catch {
            return Failure.textLost(failure, Failure(error))
        }
    }

    /// Reads what is there, at most as much as a pipe holds; nothing at the end of input.
    private static func chunk() throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = try FileDescriptor.standardInput.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Waits for bytes or the end of input.
    ///
    /// - Returns: false after so many milliseconds without either, in which a signal may have arrived.
    private static func isReadable(within milliseconds: Int32) throws(Errno) -> Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&entry, 1, milliseconds)
        if count < 0 { throw Errno(rawValue: errno) }
        return count > 0
    }
}

/// Blocks the signals that end a program, and sees whether one has arrived; ignored ones stay ignored.
///
/// One that arrives meanwhile and is not taken has its effect when this value is gone.
final class BlockedSignals {
    private var before = sigset_t()
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let numbers = ending.filter { !StopSignal.isIgnored($0) }

    init() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, &before)
    }

    deinit { pthread_sigmask(SIG_SETMASK, &before, nil) }

    /// Whether such a signal has arrived and is blocked; where nobody blocks it, it ends the program by itself.
    static var areRaised: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return ending.contains { sigismember(&pending, $0) == 1 && !StopSignal.isIgnored($0) }
    }

    /// The signal that has arrived; it is taken, so that it does not end the program.
    var raised: Int32? {
        var pending = sigset_t()
        sigpending(&pending)
        guard let number = numbers.first(where: { sigismember(&pending, $0) == 1 }) else { return nil }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        var taken: Int32 = 0
        sigwait(&set, &taken)
        return number
    }
}

extension [String] {
    /// Whether the words of a text are `-` alone, by which programs name standard input.
    var isStandardInput: Bool { self == ["-"] }
}
