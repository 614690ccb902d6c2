import ScriptedServer
import Testing

@testable import Interface

extension Window {
    /// Returns a window whose model answers at a server.
    ///
    /// - Parameter more: further lines of the table `[ai]`.
    static func withModel(
        _ server: ScriptedServer, notes: [String], host: String = "127.0.0.1", more: String = "", columns: Int = 120
    ) throws -> Window {
        let window = try Window(columns: columns, rows: 30, notes: notes)
        window.interface.apply(
            Configuration.read(
                "[ai]\nchat = \"t\"\n\(more)\n[ai.provider.t]\nurl = \"http://\(host):\(server.port)/v1\"\nmodel = \"m\"\n"
            ))
        return window
    }

    /// Returns a window with two notes, whose chat asks a server.
    static func withChat(_ server: ScriptedServer, host: String = "127.0.0.1") throws -> Window {
        try withModel(
            server, notes: ["Budget meeting\n\nAna said the budget must not grow.", "Sourdough\n\nProof overnight."],
            host: host)
    }

    /// Runs the background work until the screen shows a text and, unless the chat asks a question, the answer is
    /// complete.
    func waitsInChat(
        for text: String, isWhole: Bool = true, at location: SourceLocation = #_sourceLocation
    ) -> Bool {
        let chat = fixture.model.magicChat
        return waits(for: text, at: location) { !isWhole || !chat.isAnswering || chat.demand != nil }
    }
}
