import Foundation

/// Text for a command that does not stand among its arguments.
enum InputText {
    /// All of standard input, byte for byte.
    ///
    /// - Throws: `Failure` when it is a terminal, cannot be read, or is not UTF-8.
    static func piped() throws -> String {
        guard isatty(STDIN_FILENO) == 0 else {
            throw Failure("there is no text; give it as arguments or on standard input", status: .usage)
        }
        return try text(of: try bytes(of: STDIN_FILENO, name: "standard input"), name: "standard input")
    }

    /// The text of a file, byte for byte.
    static func text(ofFile path: String) throws -> String {
        try text(of: try bytes(ofFile: path), name: path)
    }

    static func bytes(ofFile path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw Failure("cannot read \(path): \(String(cString: strerror(errno)))", status: .noInput)
        }
        defer { close(file) }
        return try bytes(of: file, name: path)
    }

    private static func text(of bytes: [UInt8], name: String) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("\(name) is not UTF-8 text; convert it first, for example with iconv", status: .badData)
        }
        return text
    }

    private static func bytes(of file: Int32, name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        // Bytes; a pipe's usual capacity.
        let pieceSize = 1 << 16
        while true {
            let count = try withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 1) { piece in
                let count = read(file, piece.baseAddress, piece.count)
                guard count >= 0 || errno == EINTR || errno == EAGAIN else {
                    throw Failure(
                        "\(name) cannot be read: \(String(cString: strerror(errno)))", status: .inputOutput)
                }
                // Whoever made the descriptor may have made it so that reading does not wait.
                if count < 0, errno == EAGAIN { waitUntil(file, is: POLLIN) }
                if count > 0 { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<count])) }
                return count
            }
            if count == 0 { return bytes }
        }
    }
}
