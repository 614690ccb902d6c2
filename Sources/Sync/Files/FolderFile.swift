import Foundation
import NoteStore
import TextPrimitives

/// The file `.folder`, which describes the folder or project that contains it, with one value a line.
enum FolderFile {
    static let name = ".folder"

    static func text(_ id: ContainerID, _ folder: SyncFolder) -> String {
        var lines = ["name: " + DoubleQuoted.text(folder.name.string)]
        if folder.isProject { lines.append("kind: project") }
        if let type = folder.projectType { lines.append("type: " + type.rawValue) }
        if let role = folder.role { lines.append("role: " + role.rawValue) }
        if folder.color != NoteContainer.defaultColor { lines.append("color: " + String(folder.color, radix: 16)) }
        if folder.symbol != "folder" { lines.append("symbol: " + DoubleQuoted.text(folder.symbol.string)) }
        if folder.order != 0 { lines.append("order: \(folder.order)") }
        if !folder.details.isEmpty { lines.append("details: " + DoubleQuoted.text(folder.details.string)) }
        if let origin = folder.origin { lines.append("from: " + OriginText.value(origin).line) }
        lines.append("created: " + TimeText.text(folder.created))
        lines.append("updated: " + TimeText.text(folder.updated))
        lines.append("tn: " + id.description)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the file, or returns `nil` if it states no identity.
    static func read(_ bytes: [UInt8], isAt path: TreePath) -> (id: ContainerID, folder: SyncFolder)? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var fields: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            // Foundation's way takes as long as all else here, and every tree of a merge has every folder.
            fields[String(line[..<colon])] = FrontMatterBlock.trimmed(line[line.index(after: colon)...])
        }
        guard let id = fields["tn"].flatMap({ ContainerID($0) }) else { return nil }
        func json(_ key: String) -> JSONText? { fields[key].flatMap { JSONText(reading: $0) } }
        let name = json("name")?.asText ?? String(decoding: path.folder.name, as: UTF8.self)
        return (
            id,
            SyncFolder(
                isProject: fields["kind"] == "project", name: ExactText(name),
                created: fields["created"].flatMap(TimeText.milliseconds) ?? 0,
                updated: fields["updated"].flatMap(TimeText.milliseconds) ?? 0,
                color: fields["color"].flatMap { UInt32($0, radix: 16) } ?? NoteContainer.defaultColor,
                symbol: ExactText(json("symbol")?.asText ?? "folder"), order: json("order")?.asOrder ?? 0,
                role: fields["role"].flatMap(NoteContainer.Role.init(rawValue:)),
                projectType: fields["type"].flatMap(NoteContainer.ProjectType.init(rawValue:)),
                details: ExactText(json("details")?.asText ?? ""), origin: json("from").flatMap(OriginText.origin))
        )
    }
}
