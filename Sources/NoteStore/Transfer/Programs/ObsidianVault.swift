import Foundation
import Markdown

/// A vault of Obsidian: a folder with `.obsidian` in it.
///
/// Links by title are understood as they are; embedded images may be anywhere in the vault, and `#tags` in the text
/// are tags.
struct ObsidianVault: Translator {
    static func recognizes(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/.obsidian")
    }

    static func translate(_ path: String, into files: inout TranslatedFiles) throws {
        let vault = ObsidianVault(path: path)
        for file in ImportPlan(paths: [path]).files {
            do {
                try vault.write(file, into: &files)
            } catch is StoreError {
                files.problems.append("\(file.path): not a text that can be read")
            }
        }
    }

    private let path: String
    /// Paths of files by their names in lower case.
    private let attachments: [String: String]

    private init(path: String) {
        self.path = path
        var attachments: [String: String] = [:]
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for name in names where !name.hasPrefix(".") && ["png", "jpg", "jpeg"].contains(name.ending) {
            attachments[URL(filePath: name).lastPathComponent.lowercased()] = path + "/" + name
        }
        self.attachments = attachments
    }

    private func write(_ file: ImportPlan.File, into files: inout TranslatedFiles) throws {
        let text = try ProgramFile.text(of: file.path)
        let frontMatter = Markdown.frontMatter(of: text)
        var note = TranslatedNote(text: try embedding(text, of: file, &files))
        note.id = NoteID(derivedFrom: URL(filePath: file.path).standardizedFileURL.path + "\n" + text)
        note.title = frontMatter?.title ?? file.name
        note.folders = file.folders
        note.tags =
            (frontMatter?.tags ?? []) + Markdown.tags(in: text).filter { frontMatter?.tags.contains($0) != true }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)  // no dates, but its text
        note.updated = frontMatter?.updated.flatMap(ImportFile.date) ?? attributes?[.modificationDate] as? Date
        note.created = frontMatter?.created.flatMap(ImportFile.date) ?? note.updated
        try files.add(note, named: file.name)
    }

    /// The text with embedded images as Markdown, and their files beside.
    private func embedding(
        _ text: String, of file: ImportPlan.File, _ files: inout TranslatedFiles
    ) throws -> String {
        var result = text
        for match in text.matches(of: /!\[\[([^\]|#]+)(\|[^\]]*)?\]\]/) {
            let name = URL(filePath: String(match.1)).lastPathComponent
            guard let address = try resource(attachments[name.lowercased()], file, &files) else { continue }
            result = result.replacing(match.0, with: "![\(name)](\(address))")
        }
        for link in Markdown.links(in: text) where link.isEmbedded && link.kind == .other {
            let target = link.target.removingPercentEncoding ?? link.target
            let beside = URL(filePath: file.path).deletingLastPathComponent().appending(path: target).path
            let found = FileManager.default.fileExists(atPath: beside) ? beside : path + "/" + target
            guard let address = try resource(found, file, &files) else { continue }
            for written in [
                link.target, link.target.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "",
            ] {
                result = result.replacing("](\(written))", with: "](\(address))")
            }
        }
        return result
    }

    private func resource(
        _ path: String?, _ file: ImportPlan.File, _ files: inout TranslatedFiles
    ) throws -> String? {
        guard let path, let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }  // the import tells
        return try files.addResource(data, name: URL(filePath: path).lastPathComponent, forNoteIn: file.folders)
    }
}

extension NoteID {
    /// The same identity for the same text, so that a note is known again: two 64-bit FNV-1a hashes.
    fileprivate init(derivedFrom text: String) {
        func hash(_ basis: UInt64) -> UInt64 {
            text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        // The published offset basis, and another odd number.
        let words = [hash(0xCBF2_9CE4_8422_2325), hash(0x9E37_79B9_7F4A_7C15)]
        let digits = words.map {
            String($0 >> 32 | 1 << 32, radix: 16).dropFirst()
                + String($0 & 0xFFFF_FFFF | 1 << 32, radix: 16).dropFirst()
        }
        self = NoteID(hexadecimal: digits.joined()) ?? NoteID()
    }
}

extension String {
    /// A file name's ending in lower case, without the dot.
    fileprivate var ending: String { URL(filePath: self).pathExtension.lowercased() }
}
