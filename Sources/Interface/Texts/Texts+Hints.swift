/// The hints that name keys, in the status line and in the frames of overlays.
extension Texts {
    /// The hints of overlays, shown with their keys in the frame of the box and in the status line.
    enum Hints {
        static let cancel = [KeyHint("overlay.cancel", "cancel", rank: 0)]
        static let closes = [KeyHint("overlay.cancel", "closes", rank: 0)]
        static let help = [KeyHint("overlay.find", "finds"), KeyHint("overlay.pageDown", "scrolls")] + closes
        /// The hints while the text to find in a pager is typed.
        static let finding = [KeyHint("overlay.down", "next"), KeyHint("overlay.accept", "done")] + cancel
        static let picker = [KeyHint("overlay.accept", "select")] + cancel
        static let prompt = [KeyHint("overlay.accept", "OK")] + cancel
        /// The meaning of an empty field where a note is renamed, for the smallest screens.
        static let emptyTitle = "empty: first line"
        static let rename = [KeyHint("overlay.accept", "saves; leave empty to use the first line")]
        static let tags = [KeyHint("overlay.accept", "toggles")] + closes
        static let color = [KeyHint("overlay.accept", "select, or type #RRGGBB")] + cancel
        static let path = [KeyHint("overlay.next", "completes"), KeyHint("overlay.accept", "OK")] + cancel
        static let project = [KeyHint("overlay.next", "next"), KeyHint("overlay.accept", "create")] + cancel
        static let history =
            [KeyHint("overlay.pageDown", "scrolls"), KeyHint("overlay.accept", "restores")] + closes
        static let conflicts =
            [
                KeyHint("overlay.keepThis", "keeps -"), KeyHint("overlay.keepThat", "keeps +"),
                KeyHint("overlay.keepBoth", "keeps both"), KeyHint("overlay.accept", "edits both"),
            ] + closes
        /// The same for a narrow box, which drops the first ones it has no room for.
        static let conflictsInNarrowBox =
            [
                KeyHint("overlay.accept", "edits both", rank: 5), KeyHint("overlay.keepThis", "keeps -"),
                KeyHint("overlay.keepThat", "+"), KeyHint("overlay.keepBoth", "both"),
            ] + closes
        static let replaceFields =
            [KeyHint("overlay.next", "next"), KeyHint("find.replaceAll", "replaces")] + cancel
        static let replaceList =
            [KeyHint("overlay.toggle", "excludes"), KeyHint("overlay.accept", "replaces")] + cancel
        static let stops = [KeyHint("overlay.cancel", "stops it")]
        /// The hints for a model's proposals, of which the ticked ones are applied.
        static let proposals =
            [
                KeyHint("overlay.toggle", "excludes"), KeyHint("overlay.toggleAll", "all or none"),
                KeyHint("overlay.accept", "applies the ticked"),
            ] + cancel
        /// The hints for a model's text, which a narrow box shows without the first ones.
        static let scrolls = KeyHint("overlay.pageDown", "scrolls", rank: 5)
        static let copy = KeyHint("overlay.yes", "copy")
        static let insertBelow = KeyHint("overlay.insertBelow", "below")
        /// The hints while the answer of a chat has the keys.
        static let answer = [
            KeyHint("overlay.next", "next note"), KeyHint("overlay.accept", "open"),
            KeyHint("overlay.no", "save as note"), KeyHint("overlay.cancel", "back", rank: 0),
        ]
        /// The hints while the question of a chat is typed.
        static func question(isAnswering: Bool) -> [KeyHint] {
            (isAnswering ? [] : [KeyHint("overlay.accept", "ask")]) + [
                KeyHint("overlay.next", "to the answer"),
                KeyHint("overlay.cancel", isAnswering ? "stop" : "close", rank: 0),
            ]
        }
        static func wantedNote(scrolls: Bool) -> [KeyHint] {
            [KeyHint("overlay.yes", "create the note"), KeyHint("overlay.no", "no")]
                + (scrolls ? [KeyHint("overlay.pageDown", "scrolls")] : [])
        }
        static let consent = [
            KeyHint("overlay.yes", "once"), KeyHint("overlay.toggleAll", "always"),
            KeyHint("overlay.showSent", "show it"), KeyHint("overlay.no", "no"),
        ]
    }

    /// The hints in the status line, by state of the window, in display order.
    ///
    /// If the line is short, the hint with the highest rank is dropped first.
    enum Footer {
        static func of(_ context: HintContext) -> [KeyHint] {
            switch context {
            case .list: [KeyHint("note.new", "new", rank: 5), KeyHint("search.start", "search", rank: 4)] + general(1)
            case .hits: leaving("end search") + [KeyHint("search.start", "search", rank: 5)] + general(1)
            case .filtered: leaving("all notes") + [KeyHint("search.start", "search", rank: 5)] + general(1)
            case .marked: leaving("unmark") + general(1)
            case .cut: [KeyHint("note.paste", "paste", rank: 1)] + leaving("put back") + general(2)
            case .trash:
                [KeyHint("note.restore", "restore", rank: 0), KeyHint("note.trash", "delete for ever", rank: 1)]
                    + general(2)
            case .sidebar:
                [KeyHint("folder.new", "new folder", rank: 4), KeyHint("folder.rename", "rename", rank: 5)] + general(1)
            case .fixedInSidebar: [KeyHint("folder.new", "new folder", rank: 4)] + general(1)
            case .trashInSidebar: [KeyHint("trash.empty", "empty", rank: 0)] + general(1)
            case .trashedFolder:
                [KeyHint("folder.restore", "restore", rank: 0), KeyHint("folder.delete", "delete for ever", rank: 1)]
                    + general(2)
            case .editor:
                [
                    KeyHint("pane.list", "list", rank: 0), KeyHint("find.start", "find", rank: 4),
                    KeyHint("note.preview", "preview", rank: 3),
                ] + closingHints(1)
            case .carets:
                [
                    KeyHint("pane.list", "one caret", rank: 0), KeyHint("carets.nextMatch", "next match", rank: 3),
                ] + closingHints(1)
            case .inserting: closingHints(1)
            case .preview:
                [
                    KeyHint("pane.list", "list", rank: 0), KeyHint("note.preview", "write", rank: 1),
                    KeyHint("find.start", "find", rank: 3),
                    KeyHint("preview.nextLink", "next link", rank: 4),
                ] + general(1)
            case .search:
                [
                    KeyHint("search.complete", "complete", rank: 2), KeyHint("search.save", "save", rank: 3),
                    KeyHint("search.open", "open", rank: 1), KeyHint("search.cancel", "cancel", rank: 0),
                ]
            case .find:
                [
                    KeyHint("find.next", "next", rank: 1), KeyHint("find.field", "other field", rank: 3),
                    KeyHint("find.replaceAll", "replace all", rank: 2), KeyHint("find.close", "close", rank: 0),
                ]
            case .findInPreview:
                [
                    KeyHint("find.next", "next", rank: 1), KeyHint("find.previous", "previous", rank: 2),
                    KeyHint("find.close", "close", rank: 0),
                ]
            }
        }

        /// Returns the hints of an overlay, with the help and the key that closes the overlay.
        static func of(_ hints: [KeyHint]) -> [KeyHint] {
            let isLeft = hints.contains { $0.command == "overlay.cancel" }
            return [KeyHint("app.help", "help", rank: 4)] + hints + (isLeft ? [] : Hints.cancel)
        }

        private static func leaving(_ title: String) -> [KeyHint] { [KeyHint("cursor.leave", title, rank: 0)] }

        private static func general(_ rank: Int) -> [KeyHint] {
            [KeyHint("app.help", "help", rank: rank)] + closingHints(rank + 1)
        }

        private static func closingHints(_ rank: Int) -> [KeyHint] {
            [
                KeyHint("app.palette", "commands", rank: rank + 1, in: .everywhere),
                KeyHint("app.quit", "quit", rank: rank, in: .everywhere),
            ]
        }
    }
}
