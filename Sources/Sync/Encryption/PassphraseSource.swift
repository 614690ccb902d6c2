import Foundation
import Processes

/// What is wrong with the key of an encrypted repository.
public enum KeyProblem: Error, Equatable, Sendable {
    /// The repository is encrypted, and nobody said the passphrase.
    case noPassphrase
    case wrongPassphrase
    /// The repository is encrypted with another key than this notebook's.
    case otherKey
    /// The repository holds notes that are not encrypted.
    case isClear
    /// The repository is encrypted, and this notebook's is not.
    case isEncrypted
    /// The file of the passphrase, or the command that tells it, gave none.
    case noAnswer(String)
    /// This notebook's repository is not encrypted: there is no passphrase to change.
    case isNotUsed
    /// The file at this path, which says what folders, tags or lists there are, cannot be read.
    case isSpoilt(String)
    /// The repository's newest commit was not made by somebody with the key.
    case isForged
    /// Another machine has given the repository another key, whose passphrase is needed.
    case isRenewed
}

/// Where a passphrase comes from.
public struct PassphraseSource: Sendable {
    public enum Purpose: Sendable {
        /// A repository is to be read.
        case open
        /// A new passphrase is to be chosen.
        case choose
        /// A repository is to be read that another machine has encrypted anew.
        case renew
    }

    /// What stands in the environment.
    public var given: String?
    /// A file whose first line is the passphrase.
    public var file: String?
    /// A command that prints the passphrase; then the key stays off this disk.
    public var command = ""
    /// Asks a person; nil where nobody can answer.
    public var ask: (@Sendable (Purpose) throws -> String?)?

    public init() {}

    /// The variable of the environment.
    public static let variable = "TAKENOTE_PASSPHRASE"
    /// How long the command may take: somebody may have to unlock a store of passwords.
    private static let deadline = Duration.seconds(60)

    /// Whether a person answers, since nothing else tells the passphrase.
    var asks: Bool { (given ?? "").isEmpty && file == nil && command.isEmpty && ask != nil }

    /// The passphrase; nil if no source has one.
    func passphrase(for purpose: Purpose) throws -> String? {
        if let given, !given.isEmpty { return given }
        if let file {
            guard let bytes = FileManager.default.contents(atPath: file), let line = Self.firstLine(Array(bytes)) else {
                throw SyncError.key(.noAnswer(file))
            }
            return line
        }
        if !command.isEmpty {
            var command = Command(path: "/bin/sh", words: ["sh", "-c", command])
            command.output = .collected(limit: 1 << 16)
            // The caller needs the passphrase, and not why the command failed.
            guard let result = try? command.run(deadline: Self.deadline), result.isSuccess,
                let line = Self.firstLine(result.output)
            else { throw SyncError.key(.noAnswer("key-command")) }
            return line
        }
        return try ask?(purpose)
    }

    private static func firstLine(_ bytes: [UInt8]) -> String? {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
    }
}
