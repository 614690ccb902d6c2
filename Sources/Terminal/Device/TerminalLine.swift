import SystemPackage

/// The connection to a terminal.
///
/// The terminal is opened anew, so that only this program gets its non-blocking mode: on an inherited descriptor the
/// mode would affect the shell too, and outlast the program.
final class TerminalLine {
    let descriptor: FileDescriptor

    /// Opens the terminal at a path; by default the controlling terminal, or else that of a standard descriptor.
    init(path: String? = nil) throws(TerminalError) {
        for path in path.map({ [FilePath($0)] }) ?? TerminalLine.candidates {
            do {
                descriptor = try FileDescriptor.open(
                    path, .readWrite, options: [.nonBlocking, .closeOnExec, .notControllingTerminal])
                return
            } catch {
                // Try the next path.
            }
        }
        throw .noTerminal
    }

    deinit {
        try? descriptor.close()  // all bytes for it have been written
    }

    /// The paths of terminals to try; on Darwin, where `poll` fails on /dev/tty, the terminal's own name comes first.
    private static var candidates: [FilePath] {
        let names = [FileDescriptor.standardInput, .standardOutput, .standardError].compactMap(\.terminalPath)
        #if canImport(Darwin)
        return names + ["/dev/tty"]
        #else
        return ["/dev/tty"] + names
        #endif
    }

    // MARK: - Bytes

    enum Outcome: Equatable {
        case bytes(Int)
        /// No bytes can pass now; `wait` returns when they can.
        case wouldBlock
        /// The terminal is gone for good.
        case lost
    }

    /// Reads the available bytes; an end of file means that the line is lost.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let outcome = outcome { try descriptor.read(into: buffer) }
        return outcome == .bytes(0) ? .lost : outcome
    }

    /// Reads as many of the available bytes as the buffer has room for.
    func read(into buffer: inout [UInt8]) -> Outcome { buffer.withUnsafeMutableBytes { read(into: $0) } }

    /// Writes as many of the bytes from an index on as the line takes now.
    func write(_ bytes: [UInt8], from start: Int) -> Outcome {
        bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Writes as many bytes as the line takes now.
    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        outcome { try descriptor.write(bytes) }
    }

    private func outcome(_ call: () throws -> Int) -> Outcome {
        do {
            return .bytes(try call())
        } catch Errno.wouldBlock {
            return .wouldBlock
        } catch {
            // `ioError`, `noSuchAddressOrDevice`, `badFileDescriptor` and other errors of a dead line.
            return .lost
        }
    }

    /// Waits until bytes can be read or written; false if the time has passed.
    func wait(for readiness: Readiness, milliseconds: Int32) -> Bool {
        var line = DescriptorSet([descriptor])
        line.setWanted(readiness, at: 0)
        return line.wait(milliseconds: milliseconds)
    }

    // MARK: - Settings

    /// The size, cut to the largest that is drawn; nil if the terminal does not know it.
    var size: Size? { descriptor.terminalSize.map { Size(columns: $0.columns, rows: $0.rows).drawable } }

    var attributes: TerminalAttributes? { descriptor.terminalAttributes }

    func set(_ attributes: TerminalAttributes) { descriptor.set(attributes) }

    func discardInput() { descriptor.discardInput() }
}
