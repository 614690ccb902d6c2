import Foundation
import NoteStore
import SystemPackage

/// Reads a command's text that is not among its arguments.
enum InputText {
    /// The largest size of a text in bytes, which is that of a file that becomes a note.
    static let limit = ImportOptions.maximumTextSize

    /// Reads all of standard input, byte for byte.
    ///
    /// - Parameter missing: the error if standard input is a terminal; it says where else a text can come from.
    /// - Throws: `Failure`, also if standard input cannot be read or is not UTF-8.
    static func piped(or missing: Failure) throws -> String {
        guard isatty(STDIN_FILENO) == 0 else { throw missing }
        let bytes = try bytes(of: .standardInput, name: Texts.standardInput, limit: limit)
        guard bytes.count <= limit else { throw Failure.inputTooLarge(limit: limit) }
        return try text(of: bytes, name: Texts.standardInput)
    }

    /// Reads the text of a file, byte for byte, up to the size of a text: a device may never end.
    static func text(ofFile path: String) throws -> String {
        try text(of: try bytes(ofFile: path, limit: limit), name: path)
    }

    /// Reads the bytes of a regular file.
    ///
    /// - Parameter limit: the maximum size; anything larger is refused.
    /// - Throws: `Failure` for a pipe or a device, which would keep the command waiting for ever.
    static func bytes(ofRegularFile path: String, limit: Int) throws -> [UInt8] {
        try requireRegularFile(path)
        // Another program may put a pipe there meanwhile, whose opening must not wait either.
        return try bytes(ofFile: path, limit: limit, options: [.closeOnExec, .nonBlocking])
    }

    /// Refuses a path that leads to a pipe, a device or a socket.
    static func requireRegularFile(_ path: String) throws {
        if case .other = PathKind(path) { throw Failure.notRegular(path) }
    }

    /// Reads the bytes of a file, or of a pipe, as a shell gives it in the place of a file.
    private static func bytes(
        ofFile path: String, limit: Int, options: FileDescriptor.OpenOptions = .closeOnExec
    ) throws -> [UInt8] {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(FilePath(path), .readOnly, options: options)
        } catch {
            throw Failure.cannotOpen(path, error)
        }
        defer { try? file.close() }  // nothing was written
        let bytes = try bytes(of: file, name: path, limit: limit)
        guard bytes.count <= limit else {
            throw StoreError.tooLarge(name: path, bytes: bytes.count, limit: limit)
        }
        return bytes
    }

    /// Converts the bytes of a file to text.
    ///
    /// - Throws: `Failure` if they are not UTF-8.
    static func text(of bytes: [UInt8], name: String) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure.notUTF8(name)
        }
        return text
    }

    private static func bytes(of file: FileDescriptor, name: String, limit: Int) throws -> [UInt8] {
        do {
            return try file.readToEnd(limit: limit)
        } catch Errno.isDirectory {
            // A folder is opened like a file, and only reading it fails.
            throw Failure.cannotOpen(name, Errno.isDirectory)
        } catch {
            throw Failure.cannotRead(name, error)
        }
    }
}

extension String {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
