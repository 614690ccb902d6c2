import Foundation
import GRDB

// Any program can write to a notebook, and a damaged page can hold anything. GRDB's own subscripts end the program at
// an unexpected NULL or a value of another kind. These subscripts, which the compiler prefers because they are not
// generic, return `columnDefault` instead. There is one for each type that a column of the notebook is read as.

/// A type that a column is read as, with a default for a value that is missing or of another kind.
protocol ColumnValue: DatabaseValueConvertible & StatementColumnConvertible {
    /// The value returned when the column holds NULL or cannot be converted.
    static var columnDefault: Self { get }
}

extension Int: ColumnValue { static var columnDefault: Int { 0 } }
extension Int64: ColumnValue { static var columnDefault: Int64 { 0 } }
extension Double: ColumnValue { static var columnDefault: Double { 0 } }
extension Bool: ColumnValue { static var columnDefault: Bool { false } }
extension String: ColumnValue { static var columnDefault: String { "" } }
extension Data: ColumnValue { static var columnDefault: Data { Data() } }

extension Row {
    /// Returns the column's value, or nil if it is NULL or of another kind.
    private func optional<Value: ColumnValue>(_ index: Int) -> Value? {
        do { return try decode(Value?.self, atIndex: index) } catch { return nil }
    }

    /// Returns the column's value, or nil if it is NULL, of another kind, or missing.
    private func optional<Value: ColumnValue>(_ column: String) -> Value? {
        do { return try decode(Value?.self, forColumn: column) } catch { return nil }
    }

    subscript(_ index: Int) -> Int { optional(index) ?? .columnDefault }
    subscript(_ index: Int) -> Int? { optional(index) }
    subscript(_ column: String) -> Int { optional(column) ?? .columnDefault }
    subscript(_ column: String) -> Int? { optional(column) }
    subscript(_ index: Int) -> Int64 { optional(index) ?? .columnDefault }
    subscript(_ index: Int) -> Int64? { optional(index) }
    subscript(_ column: String) -> Int64 { optional(column) ?? .columnDefault }
    subscript(_ column: String) -> Int64? { optional(column) }
    subscript(_ index: Int) -> Double { optional(index) ?? .columnDefault }
    subscript(_ index: Int) -> Double? { optional(index) }
    subscript(_ column: String) -> Double { optional(column) ?? .columnDefault }
    subscript(_ column: String) -> Double? { optional(column) }
    subscript(_ index: Int) -> Bool { optional(index) ?? .columnDefault }
    subscript(_ index: Int) -> Bool? { optional(index) }
    subscript(_ column: String) -> Bool { optional(column) ?? .columnDefault }
    subscript(_ column: String) -> Bool? { optional(column) }
    subscript(_ index: Int) -> String { optional(index) ?? .columnDefault }
    subscript(_ index: Int) -> String? { optional(index) }
    subscript(_ column: String) -> String { optional(column) ?? .columnDefault }
    subscript(_ column: String) -> String? { optional(column) }
    subscript(_ index: Int) -> Data { optional(index) ?? .columnDefault }
    subscript(_ index: Int) -> Data? { optional(index) }
    subscript(_ column: String) -> Data { optional(column) ?? .columnDefault }
    subscript(_ column: String) -> Data? { optional(column) }
}
