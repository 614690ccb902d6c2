import GRDBSQLite

/// The SQLite library that the program is linked with, or has found on the system.
public enum SQLiteLibrary {
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
