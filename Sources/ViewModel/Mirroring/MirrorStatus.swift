/// The state of the folders in which the notebook is mirrored, as the window knows it.
public struct MirrorStatus: Equatable, Sendable {
    /// Whether a round takes so long that it is worth a sign.
    public internal(set) var isRunning = false
    /// Whether a folder cannot be mirrored now.
    public internal(set) var isFailing = false

    /// The sign in the status line: `⇅ mirror`, `✗ mirror`; empty if there is nothing to say.
    public var sign: String { Texts.sign(self) }
}
