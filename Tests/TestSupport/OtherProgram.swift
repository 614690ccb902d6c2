import GRDB

extension DatabaseQueue {
    /// Returns a connection of another program, which waits for the locks of the program under test as long as a busy
    /// machine may need.
    public static func ofOtherProgram(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(900)
        // Another program may hold a transaction as long as it likes.
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
