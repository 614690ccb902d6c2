import ArgumentParser
import Intelligence
import NoteStore

/// The sentences of the commands that ask models.
extension Texts {
    static func toEmbed(_ passages: Int, ofNotes notes: Int) -> String {
        "\(count(passages, "passage")) of \(count(notes, "note"))"
    }
    static func embedding(_ passages: String, tokens: Int, kept: Int) -> String {
        "\(passages), at most \(tokens) tokens; \(kept) are kept"
    }
    static func foundByMeaning(_ passages: Int) -> String { "\(count(passages, "passage")) can be found by meaning." }
    static let sources = "Sources:"

    // What `tn ai` shows of the configuration.
    static func noChat(isAllOff: Bool) -> String {
        isAllOff ? "off; nothing is ever sent; tn help ask says how to set it" : "off"
    }
    static func embeddingProvider(_ name: String) -> String { name + ", gets questions, and notes by tn ai index" }
    /// - Parameter count: how many notes may be sent to the provider.
    static func provider(_ provider: Provider, seeing count: Int) -> String {
        [
            provider.label, provider.isLocal ? "on this machine" : "elsewhere, asks first",
            provider.model.isEmpty ? "its own model" : provider.model, "may see \(Self.count(count, "note"))",
        ].joined(separator: ", ")
    }
    /// - Parameter name: the name of a folder, or that of a tag with its `#`.
    static func neverSentButMissing(_ name: String) -> String {
        "\(name) (there is no such \(name.hasPrefix("#") ? "tag" : "folder"))"
    }
    static func tested(_ provider: Provider, said: String, firstWord: Duration, all: Duration) -> String {
        "\(provider.label) answered “\(said)”: the first word after \(time(firstWord)), all after \(time(all))."
    }
    private static func time(_ duration: Duration) -> String {
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
    }

    // What would be sent, as the question about it says.
    static let textOfOneNote = "the text of one note"
    static let testSentence = "a test sentence, and no note,"
    static func text(ofCharacters number: Int) -> String { "a text of \(count(number, "character"))" }
}

extension Failure {
    static let noPassage = Failure("no note fits the question; try other words", status: .nothingFound)
    static let nothingToFormat = Failure("the note has no text to format", status: .badData)
}

extension ValidationError {
    static let folderOrTag = ValidationError("give only one of --folder and --tag.")
    static let privacyLevel = ValidationError("the level is inherit, this-machine or never.")
}
