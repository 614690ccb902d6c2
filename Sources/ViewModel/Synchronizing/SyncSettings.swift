/// The settings of `[sync]`: when the notebook is synchronised automatically.
public struct SyncSettings: Equatable, Sendable {
    /// Whether the window synchronises automatically.
    public var isAutomatic = true
    /// The seconds without a change after which the changes are sent.
    public var pause = 30
    /// The minutes between two fetches from the remote; 0 to fetch only after a change here.
    public var every = 10
    /// Whether remaining changes are sent after the window is closed.
    public var atLeave = true
    /// The name of this machine in the history; empty for its host name.
    public var name = ""
    /// A command that prints the passphrase of an encrypted repository; empty if the key is stored beside the notebook.
    public var keyCommand = ""

    public init() {}
}
