import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension FileDescriptor {
    /// Reads all bytes up to the end of the file, or up to a limit.
    ///
    /// Beyond `limit` it reads one more byte, which shows the caller that there are more.
    ///
    /// - Parameters:
    ///   - size: How many bytes are read at first; with one more than the file's size, the first read reaches the end.
    ///   - offset: Where in the file to begin; nil continues at the descriptor's position.
    public func readToEnd(
        expecting size: Int = 1 << 16, limit: Int = .max, from offset: Int64? = nil
    ) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd, bytes.count <= limit {
            let rest = limit - bytes.count
            let room = min(max(bytes.isEmpty ? size : bytes.count, 1), rest == .max ? rest : rest + 1)
            let start = offset.map { $0 + Int64(bytes.count) }
            do {
                let piece = try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    while count < room {
                        let rest = UnsafeMutableRawBufferPointer(
                            rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<room])
                        let read = try readWaiting(into: rest, from: start.map { $0 + Int64(count) })
                        isAtEnd = read == 0
                        if isAtEnd { break }
                        count += read
                    }
                }
                if bytes.isEmpty { bytes = piece } else { bytes += piece }
            } catch {
                throw (error as? Errno) ?? .ioError
            }
        }
        return bytes
    }

    /// Reads some bytes; waits if the descriptor is non-blocking and not ready.
    ///
    /// - Parameter offset: Where in the file to begin; nil continues at the descriptor's position.
    /// - Returns: the number of bytes; 0 at the end of the file.
    /// - Throws: `Errno`.
    public func readWaiting(into buffer: UnsafeMutableRawBufferPointer, from offset: Int64? = nil) throws -> Int {
        while true {
            do {
                if let offset { return try read(fromAbsoluteOffset: offset, into: buffer) }
                return try read(into: buffer)
            } catch Errno.wouldBlock {
                // The creator of the descriptor may have made it non-blocking.
                wait(for: .input)
            }
        }
    }

    /// Writes all bytes; waits if the descriptor is non-blocking and not ready.
    public func writeWaiting(_ bytes: some Sequence<UInt8>) throws(Errno) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            do {
                let count = try rest.withUnsafeBytes { try write($0) }
                guard count > 0 else { throw Errno.ioError }
                rest = rest.dropFirst(count)
            } catch Errno.wouldBlock {
                wait(for: .output)
            } catch {
                throw (error as? Errno) ?? .ioError
            }
        }
    }

    /// The event to wait for.
    private enum Readiness {
        case input, output
    }

    /// Sleeps until the descriptor can be read or written, or has an error that the next call reports.
    private func wait(for readiness: Readiness) {
        var entry = pollfd(fd: rawValue, events: Int16(readiness == .input ? POLLIN : POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
