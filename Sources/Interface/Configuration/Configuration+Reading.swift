import Foundation
import ViewModel

/// Reads settings from a file.
extension Configuration {
    /// The result of reading a file: all valid settings, and the problems.
    public struct Reading: Equatable, Sendable {
        public var configuration = Configuration()
        public var problems: [ConfigurationProblem] = []
        /// Whether the file is TOML; a file that is not TOML gives no settings.
        public var isReadable = true

        public init() {}

        fileprivate init(unreadable problem: String) {
            isReadable = false
            problems = [ConfigurationProblem(line: nil, problem)]
        }
    }

    /// Reads a file's text; reports wrong values as problems, and keeps the defaults for them.
    ///
    /// `CommandRegistry.keymap` checks the names of commands and their keys when it binds them.
    public static func read(_ text: String) -> Reading {
        var reading = Reading()
        do {
            for entry in try TOMLFile(text).entries { reading.take(entry) }
            reading.finishProviders()
            for name in reading.configuration.dropEmptyCommands() {
                reading.problems.append(ConfigurationProblem(line: nil, Texts.Problem.commandWithoutLine(name)))
            }
        } catch {
            reading.isReadable = false
            reading.problems = [ConfigurationProblem(line: error.line, error.reason)]
        }
        return reading
    }

    /// Reads a file; a missing one gives the defaults and no problem.
    public static func read(contentsOf path: String) -> Reading {
        let bytes: [UInt8]
        do {
            guard let found = try SettingsFile.bytes(of: path) else { return Reading() }
            bytes = found
        } catch {
            return Reading(unreadable: Texts.Problem.words(of: error))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return Reading(unreadable: Texts.Problem.notUTF8)
        }
        return read(text)
    }
}

extension Configuration.Reading {
    fileprivate mutating func take(_ entry: TOMLFile.Entry) {
        if entry.path == [KeyRule.table] { return add(entry.line, Texts.Problem.keysIsATable) }
        if entry.path.first == KeyRule.table { return takeKey(entry) }
        if entry.path.first == CustomCommandEntry.table { return takeCommand(entry) }
        if entry.path.first == Configuration.snippetTable { return takeSnippet(entry) }
        if entry.path.starts(with: ProviderEntry.table) { return takeProvider(entry) }
        guard let setting = Setting[entry.name] else {
            return add(
                entry.line, Texts.Problem.noSetting(entry.name, guess: Setting.nearest(to: entry.name)),
                stopsModels: entry.path.first == "ai")
        }
        guard !setting.read(entry.value, &configuration) else { return }
        add(
            entry.line, Texts.Problem.wrongValue(entry.value.toml, of: entry.name, domain: setting.domain),
            stopsModels: entry.path.first == "ai")
    }

    private mutating func takeSnippet(_ entry: TOMLFile.Entry) {
        guard entry.path.count == 2, case .text(let text) = entry.value else {
            return add(entry.line, Texts.Problem.wrongSnippet)
        }
        configuration.editor.snippets[entry.path[1]] = text
    }

    private mutating func takeProvider(_ entry: TOMLFile.Entry) {
        do {
            try configuration.intelligence.take(ProviderEntry(entry))
        } catch {
            add(entry.line, error.reason, stopsModels: true)
        }
    }

    /// Drops providers with neither `url` nor `command`, and reports them, after all lines have been read.
    fileprivate mutating func finishProviders() {
        for name in configuration.intelligence.dropUnusableProviders() {
            add(nil, Texts.Problem.providerWithoutWay(name), stopsModels: true)
        }
    }

    private mutating func takeCommand(_ entry: TOMLFile.Entry) {
        do {
            try configuration.take(CustomCommandEntry(entry))
        } catch {
            problems.append(error)
        }
    }

    private mutating func takeKey(_ entry: TOMLFile.Entry) {
        do {
            configuration.keys.append(try KeyRule(entry))
        } catch {
            problems.append(error)
        }
    }

    /// - Parameter stopsModels: whether nothing may be sent until it is corrected; it may be a rule against sending.
    private mutating func add(_ line: Int?, _ text: String, stopsModels: Bool = false) {
        let problem = ConfigurationProblem(line: line, text)
        problems.append(problem)
        if stopsModels { configuration.intelligence.problem = configuration.intelligence.problem ?? "\(problem)" }
    }
}
