import Foundation
import Processes

/// Reads a provider's key, which stays in memory and is passed to curl through a pipe.
enum ProviderKey {
    /// The deadline of a key's command: a person may have to type a passphrase, for which its agent asks.
    private static let deadline = Duration.seconds(60)

    static func key(
        of provider: Provider, environment: [String: String], stop: CommandStop?
    ) throws(ModelFailure) -> String? {
        let found: String
        switch provider.key {
        case .none: return nil
        case .variable(let name):
            guard let value = environment[name], !value.isEmpty else { throw .noKey(variable: name) }
            found = value
        case .command(let line): found = try output(of: line, stop: stop)
        }
        let key = found.trimmingCharacters(in: .whitespacesAndNewlines)
        // Other characters could begin another line of curl's configuration or of the HTTP headers.
        guard !key.isEmpty, key.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
            throw .keyUnusable
        }
        return key
    }

    private static func output(of line: String, stop: CommandStop?) throws(ModelFailure) -> String {
        var command = Command(path: "/bin/sh", words: ["sh", "-c", line])
        command.output = .collected(limit: 64 * 1024)
        // On the terminal it would write over the window, and be stopped as soon as it read.
        command.hasOwnSession = true
        let result: CommandResult
        do { result = try command.run(deadline: deadline, stop: stop) } catch { throw .keyCommandFailed }
        if stop?.isRequested == true { throw .stopped }
        guard result.isSuccess else { throw .keyCommandFailed }
        let text = String(decoding: result.output, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
