/// The texts about the note shown beside the open one.
extension Texts {
    static let noRoomBeside = "There is no room for two notes on this screen"
    static let besideClosed = "The note beside is closed"

    static func besideShown(go: String?, close: String?) -> String {
        let keys = [go.map { "\($0) goes there" }, close.map { "\($0) closes it" }].compactMap(\.self)
        return (["Shown beside"] + keys).joined(separator: "; ")
    }

    static func noNoteBeside(show: String?) -> String {
        "No note is shown beside the open one" + (show.map { "; \($0) shows one" } ?? "")
    }
}
