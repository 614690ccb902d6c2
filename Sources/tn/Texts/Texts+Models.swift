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

    // What would be sent, as the question about it says.
    static let textOfOneNote = "the text of one note"
    static let sentenceOfOurs = "one sentence of ours, and no note,"
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
