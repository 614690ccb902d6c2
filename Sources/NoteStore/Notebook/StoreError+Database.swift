import GRDB

extension StoreError {
    /// The fact behind an error of SQLite.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self = StoreError(error, path: path)
        case is CancellationError: self = .interrupted
        default: self = .database(path: path, code: 0, message: String(describing: type(of: error)))
        }
    }

    private init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_CORRUPT: self = .corrupt(path: path, detail: error.message ?? "")
        case .SQLITE_NOTADB: self = .notANotebook(path: path)
        case .SQLITE_IOERR: self = .inputOutput(path: path, code: error.extendedResultCode.rawValue)
        case .SQLITE_CANTOPEN: self = .noSuchFile(path: path)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: self = .interrupted
        case .SQLITE_MISUSE: self = .closed(path: path)
        default:
            self = .database(
                path: path, code: error.extendedResultCode.rawValue, message: error.message ?? "")
        }
    }
}
