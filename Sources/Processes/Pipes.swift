import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The pipes between this process and a program.
///
/// They hold our ends, which do not block, and until the program has started also its ends.
struct Pipes: ~Copyable {
    /// Our end of the program's input; `unwritten` is the input not yet written.
    private(set) var input: FileDescriptor?
    private var unwritten: ArraySlice<UInt8> = []
    /// Our ends of its output and its errors.
    private(set) var output: Collector?
    private(set) var errorOutput: Collector?
    /// The program's ends, each with its stream number.
    private(set) var childEnds: [(stream: FileDescriptor, end: FileDescriptor)] = []

    /// The bytes read from one of the program's streams.
    struct Collector {
        let end: FileDescriptor
        let limit: Int
        var bytes: [UInt8] = []
        var isCut = false
        var isOpen = true
    }

    init(for command: Command) throws(Errno) {
        if case .bytes(let bytes) = command.input {
            let ends = try Self.makePipe()
            childEnds.append((.standardInput, ends.readEnd))
            (input, unwritten) = (ends.writeEnd, bytes[...])
        }
        output = try collector(of: command.output, .standardOutput)
        errorOutput = try collector(of: command.errorOutput, .standardError)
    }

    private mutating func collector(of output: Command.Output, _ stream: FileDescriptor) throws(Errno) -> Collector? {
        guard case .collected(let limit) = output else { return nil }
        let ends = try Self.makePipe()
        childEnds.append((stream, ends.writeEnd))
        return Collector(end: ends.readEnd, limit: limit)
    }

    deinit {
        closeAll()
    }

    private func closeAll() {
        childEnds.forEach { Self.close($0.end) }
        if let input { Self.close(input) }
        for collector in [output, errorOutput] {
            if let collector, collector.isOpen { Self.close(collector.end) }
        }
    }

    /// Held while a pipe is made and while a program is started.
    ///
    /// Between creating a pipe and marking its ends close-on-exec no program may start, or it would keep the pipe open.
    static let startLock = Mutex<Void>(())

    private static func makePipe() throws(Errno) -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        do {
            return try startLock.withLock { _ in
                let ends = try FileDescriptor.pipe()
                for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
                return ends
            }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Closes an end of a pipe; there is nothing to be done where that fails.
    private static func close(_ end: FileDescriptor) { try? end.close() }

    /// Closes the program's ends after it has started, and makes ours non-blocking.
    mutating func programStarted() {
        childEnds.forEach { Self.close($0.end) }
        childEnds = []
        for end in [input, output?.end, errorOutput?.end].compactMap({ $0 }) {
            _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
        }
        if unwritten.isEmpty { closeInput() }
    }

    private mutating func closeInput() {
        if let input { Self.close(input) }
        (input, unwritten) = (nil, [])
    }

    // MARK: - Transfer

    /// Whether anything remains to be written or read.
    var isOpen: Bool { input != nil || output?.isOpen == true || errorOutput?.isOpen == true }

    /// How many bytes of the program's output are collected.
    var collectedCount: Int { (output?.bytes.count ?? 0) + (errorOutput?.bytes.count ?? 0) }

    /// Waits until a pipe is ready, then writes and reads as much as possible without blocking.
    ///
    /// - Parameter milliseconds: The longest time to wait.
    mutating func transfer(milliseconds: Int32) {
        var entries: [pollfd] = []
        if let input { entries.append(pollfd(fd: input.rawValue, events: Int16(POLLOUT), revents: 0)) }
        for collector in [output, errorOutput] {
            guard let collector, collector.isOpen else { continue }
            entries.append(pollfd(fd: collector.end.rawValue, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
        writeInput()
        Self.read(into: &output)
        Self.read(into: &errorOutput)
    }

    private mutating func writeInput() {
        while let input, !unwritten.isEmpty {
            do {
                let count = try withoutBrokenPipeSignal { try unwritten.withUnsafeBytes { try input.write($0) } }
                unwritten = unwritten.dropFirst(count)
            } catch Errno.wouldBlock {
                return
            } catch {
                // The program does not want the rest.
                break
            }
        }
        closeInput()
    }

    private static func read(into collector: inout Collector?) {
        guard var read = collector, read.isOpen else { return }
        defer { collector = read }
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { piece in
            do {
                while true {
                    let count = try read.end.read(into: piece)
                    guard count > 0 else { break }
                    let room = read.limit - read.bytes.count
                    read.isCut = read.isCut || count > room
                    read.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<min(count, room)]))
                }
            } catch Errno.wouldBlock {
                return
            } catch {
                // After any error nothing more can be read.
            }
            close(read.end)
            read.isOpen = false
        }
    }
}

/// Runs `work` so that writing to a pipe without a reader fails with an error and raises no signal on this thread.
private func withoutBrokenPipeSignal<Result>(_ work: () throws -> Result) rethrows -> Result {
    var (broken, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &broken, &before)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    defer {
        sigpending(&pending)
        var number: Int32 = 0
        if !wasPending, sigismember(&pending, SIGPIPE) == 1 { sigwait(&broken, &number) }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try work()
}
