/// The settings of `[sync]`: when the notebook is synchronised without being told to.
public struct SyncSettings: Equatable, Sendable {
    /// Whether the window synchronises by itself.
    public var isAutomatic = true
    /// Seconds without a change after which what changed is sent.
    public var pause = 30
    /// Minutes between two looks at the other end; 0: only when something changed here.
    public var every = 10
    /// Whether what is left is sent after the window was left.
    public var atLeave = true
    /// What this machine is called in the history; empty for its host name.
    public var name = ""
    /// A command that prints the passphrase of an encrypted repository; empty if its key lies beside the notebook.
    public var keyCommand = ""

    public init() {}
}
