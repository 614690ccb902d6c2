import Intelligence
import TextPrimitives

/// One entry below `[ai.provider.NAME]`.
struct ProviderEntry {
    static let table = ["ai", "provider"]

    let provider: String
    let key: String
    let value: ConfigurationValue

    /// The problem with an entry; it never repeats a value that may be a key.
    struct Fault: Error {
        let reason: String
    }

    init(_ entry: TOMLFile.Entry) throws(Fault) {
        guard entry.path.count == 4 else {
            throw Fault(reason: Texts.Problem.notProviderTable(entry.name))
        }
        (provider, key, value) = (entry.path[2], entry.path[3], entry.value)
    }

    var name: String { "ai.provider.\(provider).\(key)" }

    /// - Parameter domain: the values that the setting can have.
    func fault(_ domain: String) -> Fault { Fault(reason: Texts.Problem.wrongValue(of: name, domain: domain)) }

    func text() throws(Fault) -> String {
        guard case .text(let text) = value, !text.contains(where: \.isNewline) else {
            throw fault(Texts.Domain.text)
        }
        return text
    }

    func texts() throws(Fault) -> [String] {
        guard case .list(let values) = value else { throw fault(Texts.Domain.texts) }
        var texts: [String] = []
        for value in values {
            guard case .text(let text) = value else { throw fault(Texts.Domain.texts) }
            texts.append(text)
        }
        return texts
    }

    func number(in range: ClosedRange<Int>) throws(Fault) -> Int {
        guard case .number(let number) = value, range.contains(number) else {
            throw fault(Texts.Domain.number(range))
        }
        return number
    }

    func flag() throws(Fault) -> Bool {
        guard case .flag(let flag) = value else { throw fault(Texts.Domain.flag) }
        return flag
    }
}

extension IntelligenceSettings {
    /// The way of a provider for which neither `url` nor `command` has been read yet.
    private static let noWay = Provider.Way.command([])

    mutating func take(_ entry: ProviderEntry) throws(ProviderEntry.Fault) {
        let index = index(of: entry.provider)
        switch entry.key {
        case "url":
            guard let address = ServerAddress(try entry.text(), socket: socket(of: index)) else {
                throw entry.fault(Texts.Domain.address)
            }
            providers[index].way = .server(address)
        case "socket":
            let path = try entry.text()
            let url =
                if case .server(let address) = providers[index].way { address.text } else { "http://localhost/v1" }
            guard path.hasPrefix("/"), let address = ServerAddress(url, socket: path) else {
                throw entry.fault(Texts.Domain.socket)
            }
            providers[index].way = .server(address)
        case "command":
            let words = try entry.texts()
            guard words.first?.isEmpty == false else { throw .init(reason: Texts.Problem.emptyCommand(entry.name)) }
            providers[index].way = .command(words)
        case "model": providers[index].model = try entry.text()
        case "key-command": providers[index].key = .command(try entry.text())
        case "key-env": providers[index].key = .variable(try entry.text())
        case "context": providers[index].context = try entry.number(in: 512...10_000_000)
        case "reasoning": providers[index].reasoning = try entry.number(in: 0...1_000_000)
        case "timeout": providers[index].patience = try entry.number(in: 1...3600)
        case "environment": providers[index].environment = try entry.texts()
        case "tools": providers[index].hasTools = try entry.flag()
        case "automatic": providers[index].isAutomatic = try entry.flag()
        case "key", "api-key", "api_key", "token":
            throw .init(reason: Texts.Problem.keyInFile(entry.name))
        default: throw .init(reason: Texts.Problem.noSetting(entry.name, guess: nil))
        }
    }

    /// Returns the index of a provider, which is added if its name is new.
    private mutating func index(of name: String) -> Int {
        if let known = providers.firstIndex(where: { $0.name == name }) { return known }
        providers.append(Provider(name: name, way: Self.noWay))
        return providers.count - 1
    }

    private func socket(of index: Int) -> String? {
        if case .server(let address) = providers[index].way { return address.socket }
        return nil
    }

    /// Drops the providers without `url` and `command`, and returns their names.
    mutating func dropUnusableProviders() -> [String] {
        let names = providers.filter { $0.way == Self.noWay }.map(\.name)
        providers.removeAll { $0.way == Self.noWay }
        return names
    }
}

extension Configuration {
    /// The providers, as a file that has the same effect.
    var providersText: String {
        intelligence.providers.map { provider in
            var lines = [
                "[ai.provider.\(provider.name.isBareKey ? provider.name : ConfigurationValue.quoted(provider.name))]"
            ]
            func add(_ key: String, _ value: ConfigurationValue) { lines.append("\(key) = \(value.toml)") }
            switch provider.way {
            case .server(let address):
                add("url", .text(address.text))
                if let socket = address.socket { add("socket", .text(socket)) }
            case .command(let words): add("command", .list(words.map { .text($0) }))
            }
            if !provider.model.isEmpty { add("model", .text(provider.model)) }
            switch provider.key {
            case .none: break
            case .variable(let name): add("key-env", .text(name))
            case .command(let line): add("key-command", .text(line))
            }
            add("context", .number(provider.context))
            if provider.reasoning != 0 { add("reasoning", .number(provider.reasoning)) }
            if provider.patience != Provider.usualPatience { add("timeout", .number(provider.patience)) }
            if !provider.environment.isEmpty { add("environment", .list(provider.environment.map { .text($0) })) }
            if !provider.hasTools { add("tools", .flag(false)) }
            if provider.isAutomatic { add("automatic", .flag(true)) }
            return "\n" + lines.joined(separator: "\n") + "\n"
        }.joined()
    }
}

extension String {
    fileprivate var isBareKey: Bool {
        !isEmpty && utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
