import SystemPackage

/// The line to a terminal.
///
/// It is opened anew, so that its non-blocking mode is ours alone: on a descriptor that was inherited it would be the
/// shell's too, and stay after us.
final class TerminalLine {
    let descriptor: FileDescriptor

    /// Opens the terminal at a path; without one the controlling terminal, or else where a standard descriptor leads.
    init(path: String? = nil) throws(TerminalError) {
        for path in path.map({ [FilePath($0)] }) ?? TerminalLine.candidates {
            do {
                descriptor = try FileDescriptor.open(
                    path, .readWrite, options: [.nonBlocking, .closeOnExec, .notControllingTerminal])
                return
            } catch {
                // The next one may do.
            }
        }
        throw .noTerminal
    }

    deinit {
        try? descriptor.close()  // all that it was to take has been written
    }

    /// Darwin's `poll` fails on /dev/tty, so the terminal's own name comes first there.
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
        /// Nothing now; `wait` tells when.
        case wouldBlock
        /// The terminal is gone, for ever.
        case lost
    }

    /// Reads what is there; the end of a line that is read is its loss.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let outcome = outcome { try descriptor.read(into: buffer) }
        return outcome == .bytes(0) ? .lost : outcome
    }

    /// Writes what the line takes now.
    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        outcome { try descriptor.write(bytes) }
    }

    private func outcome(_ call: () throws -> Int) -> Outcome {
        do {
            return .bytes(try call())
        } catch Errno.wouldBlock {
            return .wouldBlock
        } catch {
            // `ioError`, `noSuchAddressOrDevice`, `badFileDescriptor` and what else a dead line says.
            return .lost
        }
    }

    /// Waits until the line can take or give bytes; false when the time has passed.
    func wait(for readiness: Readiness, milliseconds: Int32) -> Bool {
        var line = DescriptorSet([descriptor])
        line.setWanted(readiness, at: 0)
        return line.wait(milliseconds: milliseconds)
    }

    // MARK: - Settings

    /// The size, cut to what is drawn; nil when the terminal does not know it.
    var size: Size? { descriptor.terminalSize.map { Size(columns: $0.columns, rows: $0.rows).drawable } }

    var attributes: TerminalAttributes? { descriptor.terminalAttributes }

    func set(_ attributes: TerminalAttributes) { descriptor.set(attributes) }

    func discardInput() { descriptor.discardInput() }
}
