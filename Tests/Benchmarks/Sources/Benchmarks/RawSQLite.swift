import GRDBSQLite

/// Plain SQLite on the same file: the floor of the store's cost.
final class RawSQLite {
    private var connection: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ path: String) throws {
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK else {
            throw Failure(description: "\(path) cannot be opened")
        }
        try run("PRAGMA synchronous = FULL")
        // The same setting as the store's connections.
        try run("PRAGMA temp_store = MEMORY")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(connection)
    }

    /// Runs a statement, which stays prepared, and reads every column of every row; returns the number of rows.
    @discardableResult
    func run(_ sql: String, _ arguments: [Argument] = []) throws -> Int {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() { bind(argument, to: statement, Int32(index + 1)) }
        var rows = 0
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows += 1
                for column in 0..<sqlite3_column_count(statement) { _ = sqlite3_column_blob(statement, column) }
            case SQLITE_DONE: return rows
            default: throw Failure(description: String(cString: sqlite3_errmsg(connection)) + ": " + sql)
            }
        }
    }

    /// Returns the integers of the first column.
    func integers(_ sql: String, _ arguments: [Argument] = []) throws -> [Int64] {
        let statement = try prepared(sql)
        defer { sqlite3_reset(statement) }
        for (index, argument) in arguments.enumerated() { bind(argument, to: statement, Int32(index + 1)) }
        var result: [Int64] = []
        while sqlite3_step(statement) == SQLITE_ROW { result.append(sqlite3_column_int64(statement, 0)) }
        return result
    }

    enum Argument {
        case integer(Int64), text(String)
    }

    private func prepared(_ sql: String) throws -> OpaquePointer? {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(description: String(cString: sqlite3_errmsg(connection)) + ": " + sql)
        }
        statements[sql] = statement
        return statement
    }

    private func bind(_ argument: Argument, to statement: OpaquePointer?, _ index: Int32) {
        switch argument {
        case .integer(let value): sqlite3_bind_int64(statement, index, value)
        case .text(let text):
            // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite makes a copy.
            sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }
}
