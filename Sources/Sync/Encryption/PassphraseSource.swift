import Foundation
import Processes
import SystemPackage

/// A problem with the key of an encrypted repository.
public enum KeyProblem: Error, Equatable, Sendable {
    /// The repository is encrypted, and no passphrase was given.
    case noPassphrase
    case wrongPassphrase
    /// The repository is encrypted with a different key from this notebook's.
    case otherKey
    /// The repository holds notes that are not encrypted.
    case isClear
    /// The repository is encrypted, but this notebook is set up for an unencrypted one.
    case isEncrypted
    /// The passphrase file or command named here gave no passphrase; the reason is empty if the command told none.
    case noAnswer(String, why: String = "")
    /// This notebook's repository is not encrypted: there is no passphrase to change.
    case isNotUsed
    /// The file at this path, which lists folders, tags or the like, cannot be read.
    case isUnreadable(String)
    /// The repository's newest commit was made without the key.
    case isForged
    /// Another machine has re-encrypted the repository with a new key, whose passphrase is needed.
    case isRenewed
}

/// The source of a passphrase: the environment, a file, a command or a person.
public struct PassphraseSource: Sendable {
    public enum Purpose: Sendable {
        /// The passphrase opens a repository.
        case open
        /// The user chooses a new passphrase.
        case choose
        /// The passphrase opens a repository that another machine has re-encrypted.
        case renew
    }

    /// The value of the environment variable.
    public var given: String?
    /// A file whose first line is the passphrase.
    public var file: String?
    /// A command that prints the passphrase.
    ///
    /// If there is one, the key is not stored on this disk.
    public var command = ""
    /// A handle that ends the command.
    var stop: CommandStop?
    /// Asks a person, or is `nil` if nobody can answer.
    public var ask: (@Sendable (Purpose) throws -> String?)?

    public init() {}

    /// The name of the environment variable.
    public static let variable = "TAKENOTE_PASSPHRASE"
    /// The command's deadline: a person may have to unlock a password manager.
    private static let deadline = Duration.seconds(60)

    /// Whether a person will be asked because there is no other source.
    var asks: Bool { (given ?? "").isEmpty && file == nil && command.isEmpty && ask != nil }

    /// Returns the passphrase, or `nil` if no source has one.
    func passphrase(for purpose: Purpose) throws -> String? {
        if let given, !given.isEmpty { return given }
        if let file {
            // The answer is the same, whatever keeps the file from being read.
            guard let bytes = try? Self.beginning(of: FilePath(file)), let line = Self.firstLine(bytes) else {
                throw SyncError.key(.noAnswer(file))
            }
            return line
        }
        if !command.isEmpty {
            var command = Command(path: "/bin/sh", words: ["sh", "-c", command])
            (command.output, command.errorOutput) = (.collected(limit: 1 << 16), .collected(limit: 1 << 16))
            // A shell that cannot be started tells no reason.
            let result = try? command.run(deadline: Self.deadline, stop: stop)
            if let result, result.isSuccess, let line = Self.firstLine(result.output) { return line }
            if stop?.isRequested == true { throw SyncError.git(.stopped) }
            throw SyncError.key(.noAnswer("key-command", why: result.map(Self.reason) ?? ""))
        }
        return try ask?(purpose)
    }

    /// The first bytes of a file, which may be a pipe: a shell makes one of `<(pass show notes)`.
    private static func beginning(of path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 12)
            while bytes.count < 1 << 16 {
                let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { break }
                bytes += buffer[..<count]
            }
            return bytes
        }
    }

    /// The greatest length of a command's reason, in characters; what is longer was not written for people.
    private static let maximumReason = 300

    /// Returns the last line of a failed command's messages, or that it has not ended in time.
    private static func reason(_ result: CommandResult) -> String {
        if result.isStopped { return Texts.Git.silent(for: deadline) }
        let lines = String(decoding: result.errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last { !$0.allSatisfy(\.isWhitespace) }.map { String($0.prefix(maximumReason)) } ?? ""
    }

    private static func firstLine(_ bytes: [UInt8]) -> String? {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
    }
}
