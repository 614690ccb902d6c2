import CSQLiteMemory
import GRDBSQLite

/// The SQLite library that the program is linked with, or has found on the system.
public enum SQLiteLibrary {
    /// Sets the library up; call it before a connection is opened.
    static func prepare() { _ = isPrepared }

    /// SQLite counts all its memory, under a lock, and nothing asks for the count.
    ///
    /// Counting took 8 % of the instructions of `tn --new` (callgrind, 2026-11).
    private static let isPrepared: Void = leave_memory_uncounted()

    /// The version, as in `3.51.3`.
    public static var version: String { String(cString: sqlite3_libversion()) }

    /// Whether a write can be lost when one program commits while another checkpoints a second time
    /// (sqlite.org/wal.html, "The WAL-Reset Bug").
    public static var hasLogResetFault: Bool { hasLogResetFault(Int(sqlite3_libversion_number())) }

    /// Whether a version has the fault: fixed in 3.51.3, and for older branches in 3.50.7 and 3.44.6.
    static func hasLogResetFault(_ version: Int) -> Bool {
        switch version {
        case 3_051_003...: false
        case 3_050_007..<3_051_000, 3_044_006..<3_045_000: false
        default: true
        }
    }
}
