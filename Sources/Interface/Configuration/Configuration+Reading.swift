import Foundation

/// From a file to settings.
extension Configuration {
    /// What is read from a file: all that is right in it, and what is not.
    public struct Reading: Equatable, Sendable {
        public var configuration = Configuration()
        public var problems: [ConfigurationProblem] = []
        /// Whether the file is TOML; one that is not has told nothing.
        public var isReadable = true

        public init() {}
    }

    /// Reads a file's text; wrong values are named, and the default holds for them.
    ///
    /// Names of commands and the keys given to them are looked at when they are bound, by `CommandRegistry.keymap`.
    public static func read(_ text: String) -> Reading {
        var reading = Reading()
        do {
            for entry in try TOMLFile(text).entries { reading.take(entry) }
        } catch {
            reading.isReadable = false
            reading.problems = [ConfigurationProblem(line: error.line, error.reason)]
        }
        return reading
    }

    /// Reads a file; one that is not there has nothing to say.
    public static func read(contentsOf path: String) -> Reading {
        guard let data = FileManager.default.contents(atPath: path) else {
            var reading = Reading()
            if FileManager.default.fileExists(atPath: path) {
                reading.isReadable = false
                reading.problems = [ConfigurationProblem(line: nil, "cannot be read; the defaults hold")]
            }
            return reading
        }
        guard let text = String(data: data, encoding: .utf8) else {
            var reading = Reading()
            reading.isReadable = false
            reading.problems = [ConfigurationProblem(line: nil, "is not UTF-8; the defaults hold")]
            return reading
        }
        return read(text)
    }
}

extension Configuration.Reading {
    fileprivate mutating func take(_ entry: TOMLFile.Entry) {
        if entry.path.first == KeyRule.table { return takeKey(entry) }
        guard let setting = Setting[entry.name] else {
            let guess = Setting.nearest(to: entry.name).map { "; did you mean \($0)?" } ?? ""
            return add(entry.line, "there is no setting \(entry.name)\(guess)")
        }
        guard !setting.read(entry.value, &configuration) else { return }
        add(entry.line, "\(entry.name) is \(setting.domain), not \(entry.value.toml)")
    }

    private mutating func takeKey(_ entry: TOMLFile.Entry) {
        do {
            configuration.keys.append(try KeyRule(entry))
        } catch {
            problems.append(error)
        }
    }

    private mutating func add(_ line: Int?, _ text: String) {
        problems.append(ConfigurationProblem(line: line, text))
    }
}
