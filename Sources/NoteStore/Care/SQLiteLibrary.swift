import GRDBSQLite

/// The SQLite that the program was linked with, or has found on the system.
public enum SQLiteLibrary {
    /// As in `3.51.3`.
    public static var version: String { String(cString: sqlite3_libversion()) }

    /// Whether a write can be lost when one program commits while another moves the log a second time (sqlite.org/wal.html,
    /// "The WAL-Reset Bug").
    public static var hasLogResetFault: Bool { hasLogResetFault(Int(sqlite3_libversion_number())) }

    /// Mended in 3.51.3, and for those who stay with older ones in 3.50.7 and 3.44.6.
    static func hasLogResetFault(_ version: Int) -> Bool {
        switch version {
        case 3_051_003...: false
        case 3_050_007..<3_051_000, 3_044_006..<3_045_000: false
        default: true
        }
    }
}
