import Foundation
import Intelligence
import NoteStore
import SystemPackage
import Terminal
import ViewModel

/// The reason why a command failed: one line for standard error, and the exit status.
struct Failure: Error, CustomStringConvertible {
    let message: String
    let status: Int32

    var description: String { message }

    init(_ message: String, status: Status) {
        self.message = message
        self.status = status.rawValue
    }

    /// Replaces the message of a failure.
    init(_ message: String, _ failure: Failure) {
        self.message = message
        status = failure.status
    }

    /// Makes the message and status for any error.
    init(_ error: any Error) {
        if let failure = error as? Failure {
            self = failure
            return
        }
        if let failure = error as? ModelFailure {
            self = Failure(failure.sentence, status: Status(failure))
            return
        }
        if let fault = error as? FormatFault {
            self = Failure(fault.sentence, status: .unavailable)
            return
        }
        message = Sentence.of(error)
        status = (error as? StoreError).map(Status.init)?.rawValue ?? Status.internalError.rawValue
    }

    /// Exit statuses, following `sysexits.h`.
    enum Status: Int32 {
        case nothingFound = 1
        case usage = 64
        case badData = 65
        case noInput = 66
        /// The remote of a synchronisation cannot be reached, or no model answers.
        case unavailable = 69
        case internalError = 70
        case cannotCreate = 73
        case inputOutput = 74
        case busy = 75
        /// The remote denies access, or the privacy of the notes forbids sending them.
        case refused = 77
        /// Stopped by Ctrl-C: 128 and the signal's number.
        case stopped = 130
        /// Ended by SIGHUP, SIGQUIT or SIGTERM: 128 and the signal's number.
        case hungUp = 129
        case quit = 131
        case terminated = 143

        init(_ failure: ModelFailure) {
            self =
                switch failure {
                case .privateNote, .notAllowed: .refused
                case .stopped: EndSignals.status
                case .configuration, .noSuchProvider: .badData
                default: .unavailable
                }
        }

        init(_ error: StoreError) {
            self =
                switch error {
                case .cannotCreate, .noTemporaryFolder, .notAFile, .folderInUse, .exportRunning: .cannotCreate
                case .busy: .busy
                case .noSuchFile, .noSuchNote, .noSuchContainer, .noSuchReference, .noSuchPath, .noSuchVersion,
                    .noSuchImage, .noSuchAttachment, .unreadable:
                    .noInput
                case .diskFull, .quotaUsedUp, .readOnly, .inputOutput, .linked, .replaced, .system: .inputOutput
                case .closed, .interrupted, .database: .internalError
                default: .badData
                }
        }
    }

    /// Writes `tn: message` to standard error, on one line and without control characters.
    func print() {
        let line = message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        StandardError.notice(line.joined(separator: " "))
    }
}

enum StandardError {
    /// Writes `tn: ` and a sentence, without control characters.
    static func notice(_ sentence: String) { write("tn: " + Sanitizer.visible(sentence)) }

    static func write(_ line: String) { write(part: line + "\n") }

    /// Writes a piece of a line; a failure is ignored, because it could not be reported.
    ///
    /// On a terminal, where both streams are read together, it comes after the output that waits to be written.
    static func write(part: String) {
        if StandardOutput.isTerminal { try? StandardOutput.flush() }  // a terminal that is gone shows neither
        try? FileDescriptor.standardError.writeWaiting(part.utf8)  // see above
    }
}
