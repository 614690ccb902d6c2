import ScriptedServer
import Testing

@testable import Interface

extension Window {
    /// Returns a window with two notes, whose chat asks a server.
    static func withChat(_ server: ScriptedServer, host: String = "127.0.0.1") throws -> Window {
        let window = try Window(
            columns: 120, rows: 30,
            notes: ["Budget meeting\n\nAna said the budget must not grow.", "Sourdough\n\nProof overnight."])
        window.interface.apply(
            Configuration.read(
                "[ai]\nchat = \"t\"\n[ai.provider.t]\nurl = \"http://\(host):\(server.port)/v1\"\nmodel = \"m\"\n"))
        return window
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
