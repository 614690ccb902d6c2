import Foundation
import NoteStore
import Terminal

/// The findings of `tn doctor`, each shown after its subject: `notebook`, `links`, `backups`.
enum DoctorTexts {
    static let linksAreWell = "all lead somewhere"
    static let noBackups = "none yet; tn backup makes one"
    static let beginningUnreadable = "its beginning cannot be read"
    static func sqliteError(_ code: Int32) -> String { "SQLite error \(code)" }
    static let notesLostText = "lost some of their text; tn restore-backup may bring it back"

    static func notebook(_ path: String, notes: Int) -> String { "\(path), \(Texts.count(notes, "note"))" }
    static let severalNames =
        "its file has several names (hard links); notes are saved under this one, and the others show them later; a link is "
        + "not a backup: tn backup makes one"
    static func folderIsSynced(by tool: String) -> String {
        "\(tool) copies its folder file by file and may replace newer notes; keep it elsewhere, and use tn sync"
    }
    /// - Parameters:
    ///   - names: those in the notebook's folder, the one to keep first.
    ///   - recorded: the one under which notes are saved; nil if none is known.
    static func names(_ names: [HardLinkName], of path: String, recorded: String?) -> String {
        let keep = names.first { $0.logBytes > 0 }?.path
        let others = names.filter { $0.path != (keep ?? recorded ?? path) }.map { name in
            name.path + (name.logBytes > 0 ? " (its log has notes of its own: copy it too)" : " (its log is empty)")
        }
        let elsewhere = "find DISK -xdev -samefile \(Notebook.absolute(path)) finds names elsewhere"
        let rest = others.isEmpty ? elsewhere : "the others here: \(others.joined(separator: ", ")); \(elsewhere)"
        let advice =
            keep.map { "keep \($0), whose log is the newest" } ?? recorded.map { "keep \($0)" }
            ?? "no log here has notes: keep any name"
        return advice + "; " + rest
    }
    static func damaged(_ path: String, _ detail: String) -> String {
        "\(path) is damaged (\(detail)); tn doctor --repair saves what it can"
    }
    static func saved(_ report: SalvageReport, damagedFile: String) -> String {
        "\(Texts.count(report.notes, "note")) and \(Texts.count(report.images, "image")) were saved; the damaged file "
            + "is \(damagedFile)"
    }
    static func lostText(_ notes: Int) -> String { "\(Texts.count(notes, "note")) \(notesLostText)" }
    static func backups(_ backups: [NoteStore.Backup]) -> String {
        backups.first.map { "the newest of \(backups.count) is \($0.path)" } ?? noBackups
    }
    static func journal(_ path: String) -> String {
        "\(path) is damaged; what could be read is in your notes: compare, then remove it"
    }
    static func newerJournal(_ path: String) -> String {
        "\(path) has texts that a newer program has not saved; open the notebook with that program"
    }
    static func waiting(_ journal: WaitingJournal) -> String {
        "newer text of \(Texts.count(journal.notes, "note")) waits in \(journal.path), not saved: \(journal.problem.sentence)"
    }
    static func draft(_ path: String, isText: Bool) -> String {
        let remedy = path.isFolder ? "put a file in the place of the folder, and " : "convert it to UTF-8, and "
        return "\(path) is not in the notebook yet; \(isText ? "" : remedy)the next command takes it in"
    }
    static func damagedDraft(_ folder: String) -> String {
        "\(folder) may have a text that is in no notebook; its about.json is damaged, so no command takes it in: add it by "
            + "tn --new, then remove the folder"
    }
    static func handedOver(_ path: String) -> String {
        "\(path) is kept for a day after its last change, for an editor that returned at once"
    }
    static func kept(_ file: KeptFile) -> String {
        let size = file.bytes < 1_000_000 ? "\(max(1, file.bytes / 1000)) KB" : "\(file.bytes / 1_000_000) MB"
        let date = file.modified.formatted(.iso8601.year().month().day())
        let advice =
            switch file.kind {
            case .replaced:
                "the notebook that lay here before; tn list --database and tn export show what is in it; then remove it"
            case .damaged:
                "the notebook before a repair; when nothing is missing in yours, remove it"
            case .behindDamage: lostLogAdvice
            case .unfinished: "what a program that died has left; remove it"
            }
        return "\(file.path), \(size) of \(date): \(advice)"
    }
    private static let lostLogAdvice =
        "the notebook with what was saved behind a damaged part of its log; tn list --database shows what is in it, and tn "
        + "restore-backup brings it back; then remove it"
    static func lostLog(_ path: String) -> String {
        "the log of the notebook is damaged, and what was saved last may be missing; \(path) is \(lostLogAdvice)"
    }
    static func sqlite(_ version: String, hasLogResetFault: Bool) -> String {
        guard hasLogResetFault else { return version }
        return
            "\(version), which can lose a write when two programs write at once (fixed in 3.51.3); programs of tn take "
            + "turns, other tools should not write while tn is open"
    }
    static func defaultSettings(_ path: String) -> String { "the defaults; there is no \(path)" }
    static func links(_ broken: [NoteLink]) -> String {
        if broken.isEmpty { return linksAreWell }
        let first = broken.prefix(3).map { "“\($0.target)” in “\($0.source.title)”" }.joined(separator: ", ")
        return
            "\(broken.count) \(broken.count == 1 ? "leads" : "lead") nowhere: \(first)\(broken.count > 3 ? ", …" : "")"
    }
    static func problem(_ problem: NotebookProblem) -> String {
        switch problem.kind {
        case .damagedFile: "the file is damaged: \(problem.detail)"
        case .schema: "the rules in the file were changed: \(problem.detail)"
        case .index: "the search index is wrong: \(problem.detail)"
        case .link: "links are wrong: \(problem.detail)"
        default: "a rule is broken: \(problem.detail)"
        }
    }
    static func renamed(_ renaming: RepairReport.Renaming) -> String {
        "“\(renaming.from)” is called “\(renaming.to)” now, since another one beside it has the same name"
    }
    static let notRepaired =
        "a repair cannot put this in order, since another tool has written to the file; nothing is lost: tn export "
        + "notes.json --json writes all of it, and tn import notes.json --database NEW makes a new notebook of that"
    static func leftBehind(_ files: [Notebook.Sync.FileLeftBehind]) -> String {
        let first = files.prefix(3).map { "“\($0.name)”, \($0.size / 1_000_000) MB" }.joined(separator: "; ")
        return "\(Texts.count(files.count, "file")) too large to be sent, so only here: \(first)"
            + (files.count > 3 ? "; …" : "")
    }
    static let silentTmux = "tmux did not answer how long it waits after Esc"
    static func escapeTime(_ milliseconds: Int, isWell: Bool) -> String {
        let time = "tmux waits \(milliseconds) ms after Esc"
        guard !isWell else { return time }
        return "\(time): Esc comes late, and a letter pressed meanwhile becomes Alt with it (Esc, d deletes a word); "
            + "put “set -sg escape-time 10” into ~/.tmux.conf"
    }
}

// MARK: - The terminal

/// The abilities of the terminal, as findings.
extension DoctorTexts {
    static func terminal(_ found: Capabilities, _ size: Size) -> String {
        let name = [found.term, found.version ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        let colors =
            switch found.colorDepth {
            case .none: "no colours"
            case .ansi16: "16 colours"
            case .palette256: "256 colours"
            case .truecolor: "true colour"
            }
        return "\(name), \(size.columns)x\(size.rows), \(colors), \(found.isDark ? "dark" : "light")"
    }
    static func has(_ found: Capabilities) -> String { "has \(features(of: found, present: true))" }
    static func lacks(_ found: Capabilities) -> String { "lacks \(features(of: found, present: false))" }
    static func answers(_ found: Capabilities) -> String {
        found.isProbed ? "answers questions" : "does not answer questions; its abilities are guessed"
    }

    private static func features(of found: Capabilities, present isPresent: Bool) -> String {
        let all = [
            ("synchronized frames", found.hasSynchronizedUpdate), ("the kitty keyboard", found.hasKeyboardProtocol),
            ("whole clusters", found.hasGraphemeClusters), ("curly underlines", found.hasUnderlineStyles),
            ("links", found.hasHyperlinks), ("the mouse", found.hasMouse),
            ("the clipboard", found.canWriteClipboard),
        ]
        let names = all.filter { $0.1 == isPresent }.map(\.0)
        return names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }
}

/// The screen of `tn doctor --terminal`.
extension DoctorTexts {
    static let pressKeys = " Press what you want to see; q, or Escape twice, quits. "
    static func width(of text: String, _ cells: Int) -> String { "\(text)|  \(cells) cells" }
    static func got(_ bytes: String) -> String { "got " + bytes }

    static func capabilities(_ can: Capabilities, _ size: Size) -> [String] {
        func yes(_ value: Bool) -> String { value ? "yes" : "no" }
        return [
            "TERM \(can.term), \(can.version ?? "no name given"), \(size.columns)x\(size.rows)"
                + (can.isRemote ? ", over SSH" : "") + (can.multiplexer == .none ? "" : ", in \(can.multiplexer)")
                + (can.isProbed ? ", asked" : ", not answered yet"),
            "colours \(can.colorDepth), background \(channels(of: can.background)), "
                + (can.isDark ? "dark" : "light"),
            "synchronized update \(yes(can.hasSynchronizedUpdate)), keyboard protocol \(yes(can.hasKeyboardProtocol)), "
                + "grapheme clusters \(yes(can.hasGraphemeClusters))",
            "in-band resize \(yes(can.hasInBandResize)), "
                + "underline styles \(yes(can.hasUnderlineStyles)), side margins \(yes(can.hasSideMargins))",
            "widths \(traits(of: can.widthModel))",
        ]
    }
    static func frames(_ statistics: EventLoop.Statistics) -> String {
        "frames \(statistics.frames), bytes \(statistics.bytes), last \(statistics.lastFrameBytes) bytes, "
            + "\(statistics.lastLatency) after its key"
    }

    static func event(_ event: InputEvent) -> String {
        switch event {
        case .key(let press):
            let text = press.text.map { " types \"\($0)\"" } ?? ""
            return "key \(names(press.modifiers))\(press.key)\(text)\(press.phase == .press ? "" : " \(press.phase)")"
        case .mouse(let mouse):
            return
                "mouse \(names(mouse.modifiers))\(mouse.kind) \(mouse.button) at \(mouse.position.column),\(mouse.position.row)"
        case .paste(let text): return "paste of \(text.utf8.count) bytes: \(text.prefix(60))"
        case .pasteStatus(let status): return "paste \(status)"
        case .focus(let isIn): return "focus \(isIn ? "in" : "out")"
        case .resized(let size): return "resized to \(size.columns)x\(size.rows)"
        case .colorScheme(let scheme): return "colour scheme \(scheme)"
        case .reply(let reply): return "reply \(reply)"
        case .capabilitiesChanged: return "capabilities changed"
        }
    }

    private static func names(_ modifiers: Modifiers) -> String {
        let all: [(Modifiers, String)] = [
            (.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-"), (.super, "Super-"), (.hyper, "Hyper-"),
            (.meta, "Meta-"),
        ]
        return all.filter { modifiers.contains($0.0) }.map(\.1).joined()
    }

    private static func traits(of model: WidthModel) -> String {
        let traits: [(WidthModel, String)] = [
            (.joinsEmoji, "joined emoji"), (.joinsModifiers, "skin tones"), (.joinsFlags, "flags"),
            (.joinsConjuncts, "conjuncts"), (.widensByVS16, "VS16"), (.narrowsByVS15, "VS15"),
            (.ambiguousIsWide, "ambiguous wide"), (.spellsControls, "control characters spelled"),
        ]
        let names = traits.filter { model.contains($0.0) }.map(\.1)
        return (model.contains(.isMeasured) ? "measured: " : "guessed: ")
            + (names.isEmpty ? "one scalar at a time" : names.joined(separator: ", "))
    }

    private static func channels(of color: Color?) -> String {
        guard let channels = color?.channels else { return "not reported" }
        return "\(channels.red)/\(channels.green)/\(channels.blue)"
    }
}
