import Foundation
import GRDB
import GRDBSQLite
import SystemPackage

extension StoreError {
    /// Converts any error, most often one of SQLite's, to a `StoreError`.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self = StoreError(error, path: path)
        case is CancellationError: self = .interrupted
        case is RowDecodingError: self = .corrupt(path: path, detail: Texts.valueOfWrongKind)
        case let error as Errno: self = StoreError(errno: error.rawValue, path: path)
        default: self = StoreError(errno: Self.errno(behind: error as NSError), path: path)
        }
    }

    /// Converts an error number of the system for a file.
    init(errno: Int32, path: String) {
        switch Errno(rawValue: errno) {
        case .noSpace: self = .diskFull(path: path)
        case .diskQuotaExceeded: self = .quotaUsedUp(path: path)
        case .readOnlyFileSystem: self = .readOnly(path: path)
        case .noSuchFileOrDirectory: self = .noSuchFile(path: path)
        default: self = .system(path: path, errno: errno)
        }
    }

    /// Returns the system's error number, which Foundation wraps, sometimes more than once.
    private static func errno(behind error: NSError) -> Int32 {
        if error.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: error.code) }
        if let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError { return errno(behind: inner) }
        switch CocoaError.Code(rawValue: error.code) {
        case .fileNoSuchFile, .fileReadNoSuchFile: return Errno.noSuchFileOrDirectory.rawValue
        case .fileReadNoPermission, .fileWriteNoPermission: return Errno.permissionDenied.rawValue
        case .fileWriteOutOfSpace: return Errno.noSpace.rawValue
        case .fileWriteFileExists: return Errno.fileExists.rawValue
        default: return Errno.ioError.rawValue
        }
    }

    /// Returns the reason why SQLite could not open a file; its code is the same if it cannot make its other files
    /// beside it.
    private static func cannotOpen(_ path: String) -> StoreError {
        guard DiskFile.exists(path) else { return .noSuchFile(path: path) }
        let folder = FilePath(path).parent
        let paths = [path, folder.isEmpty ? "." : folder.string]
        if paths.allSatisfy(DiskFile.isWritable) { return .inputOutput(path: path, code: SQLITE_CANTOPEN) }
        return .readOnly(path: path)
    }

    private init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        // The shared-memory file beside the notebook could not be extended.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .diskFull(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_CORRUPT: self = .corrupt(path: path, detail: error.message ?? "")
        case .SQLITE_NOTADB: self = .notANotebook(path: path)
        case .SQLITE_IOERR: self = .inputOutput(path: path, code: error.extendedResultCode.rawValue)
        case .SQLITE_CANTOPEN: self = Self.cannotOpen(path)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: self = .interrupted
        case .SQLITE_MISUSE: self = .closed(path: path)
        default:
            self = .database(
                path: path, code: error.extendedResultCode.rawValue, message: error.message ?? "")
        }
    }
}

extension StoreError {
    /// Makes the error for a file of the program itself, not of SQLite, that could not be written.
    init(writing path: String, _ error: Errno) {
        switch error {
        case .noSpace: self = .diskFull(path: path)
        case .diskQuotaExceeded: self = .quotaUsedUp(path: path)
        case .readOnlyFileSystem, .permissionDenied, .notPermitted: self = .readOnly(path: path)
        default: self = .inputOutput(path: path, code: SQLITE_IOERR | 3 << 8)
        }
    }

    /// Makes the error for a file of the program itself, not of SQLite, that could not be read.
    init(reading path: String, _ error: any Error) {
        guard let error = error as? Errno else {
            self = StoreError(error, path: path)
            return
        }
        self = .unreadable(name: path, errno: error.rawValue)
    }
}

extension Database {
    /// Returns the error of a call on this connection, as `quotaUsedUp` if that is its cause.
    ///
    /// SQLite itself calls it a failed write, as if the disk were broken. Ask before the next call.
    func named(_ error: any Error, path: String) -> any Error {
        let reason = Errno.diskQuotaExceeded.rawValue
        guard let failure = error as? DatabaseError, failure.resultCode == .SQLITE_IOERR,
            [RawFile.Which.main, .log].contains(where: { RawFile($0, of: self)?.lastError == reason })
        else { return error }
        return StoreError.quotaUsedUp(path: path)
    }
}
