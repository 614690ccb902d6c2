import ArgumentParser
import Foundation
import NoteStore
import Sync

/// The sentences of `tn sync`.
extension Texts {
    static let notSynchronised = "This notebook is not synchronised; tn sync init URL sets it up."
    static let restoredPauses =
        "Synchronising waits until you decide: tn sync --join or tn sync --adopt, if others have gone on since."
    static let passphrase = "Passphrase: "
    static let renewedPassphrase = "The repository has a new key. Its new passphrase: "
    static let newPassphrase = "New passphrase (Enter alone generates one): "
    static let samePassphrase = "The same again: "
    static let differentPassphrases = "these were two different passphrases"
    static let noPassphrase = "no passphrase was given; nothing was changed"
    static let passphraseChanged = "The passphrase was changed; your other machines go on without it."
    static let keyRenewed = "Everything is encrypted with a new key; your other machines ask for the new passphrase."
    static let generatedPassphrase =
        "this is the passphrase of the repository: write it down, nobody can find it out later"
    static let nothingSynchronised = "Nothing was synchronised."
    static func wouldSend(_ notes: Int, _ images: Int) -> String {
        "\(count(notes, "note")), \(count(images, "image")) would be sent; tn sync init URL does so."
    }
    static func goOn(_ url: String, _ notes: Int) -> String {
        "\(count(notes, "note")) here and those at \(url) become one notebook; nothing is deleted. Go on?"
    }
    static func foreign(_ files: Int) -> String {
        "\(count(files, "file")) there are not from tn; the notes among them will get an id line. Go on?"
    }
    static func begun(_ notes: Int, _ images: Int, unread: Int) -> String {
        "\(count(notes, "note")), \(count(images, "image")). \(inSync(unread))"
    }
    private static func inSync(_ unread: Int) -> String {
        if unread == 0 { return "In sync." }
        return "In sync, but \(count(unread, "file")) there \(unread == 1 ? "is" : "are") not read: tn sync status "
            + "lists \(unread == 1 ? "it" : "them")."
    }
    static let strayHead =
        "the notes are on the branch main, and the repository's HEAD names one that does not exist, so git clone shows no "
        + "files: clone with -b main, or run git symbolic-ref HEAD refs/heads/main in it"
    static func tooLarge(_ name: String) -> String { "\(name.visible), larger than 100 MB, which hosts of git refuse" }
    static func synchronised(_ report: SyncReport, unread: Int) -> String {
        var parts: [String] = []
        if report.sent > 0 { parts.append("\(report.sent) sent") }
        if report.received > 0 { parts.append("\(report.received) received") }
        if report.conflicts > 0 { parts.append(count(report.conflicts, "conflict") + ": tn sync conflicts lists them") }
        return (parts.isEmpty ? "" : parts.joined(separator: ", ") + ". ") + inSync(unread)
    }
}

extension ValidationError {
    static let keepKeyNeedsJoin = ValidationError("--keep-key needs --join.")
    static let joinOrAdopt = ValidationError("--join and --adopt exclude each other.")
}
