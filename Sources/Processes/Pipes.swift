import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The pipes between this process and a program.
///
/// They hold the ends of this process, which are non-blocking, and the program's ends until it has started.
struct Pipes: ~Copyable {
    /// The ends from which this process feeds the program.
    private var inputs: [Feeder] = []
    /// The ends from which this process reads the program's output and error output.
    private(set) var output: Collector?
    private(set) var errorOutput: Collector?
    /// The program's ends, each with its stream number.
    private(set) var childEnds: [(stream: FileDescriptor, end: FileDescriptor)] = []
    /// The end of the pipe of `Command.endsWithParent` that the system closes when this process ends.
    private var lifeline: FileDescriptor?

    /// The bytes that the program has not read yet.
    private struct Feeder {
        let end: FileDescriptor
        var unwritten: ArraySlice<UInt8>
        /// Returns the bytes that follow; `nil` if there are none.
        var next: (@Sendable () -> [UInt8]?)?
    }

    /// The bytes read from one of the program's streams.
    struct Collector {
        let end: FileDescriptor
        let limit: Int
        /// Receives the bytes; if it is set, nothing is collected in `bytes`.
        var receive: (@Sendable (ArraySlice<UInt8>) -> Void)?
        /// The number of bytes read.
        var count = 0
        var bytes: [UInt8] = []
        var isCut = false
        var isOpen = true
    }

    init(for command: Command) throws(Errno) {
        switch command.input {
        case .inherited: break
        case .bytes(let bytes): try feed(bytes, .standardInput)
        case .pieces(let next): try feed([], .standardInput, next)
        }
        output = try collector(of: command.output, .standardOutput)
        errorOutput = try collector(of: command.errorOutput, .standardError)
        // This pipe comes last, so that the program's other ends are duplicated before something overwrites descriptor
        // 3.
        if let secret = command.secretInput { try feed(secret, Self.secretStream) }
        #if canImport(Glibc)
        if command.endsWithParent { try makeLifeline() }
        #endif
    }

    /// The descriptor of `Command.secretInput`.
    static let secretStream = FileDescriptor(rawValue: 3)

    private mutating func feed(
        _ bytes: [UInt8], _ stream: FileDescriptor, _ next: (@Sendable () -> [UInt8]?)? = nil
    ) throws(Errno) {
        let ends = try Self.makePipe()
        childEnds.append((stream, ends.readEnd))
        inputs.append(Feeder(end: ends.writeEnd, unwritten: bytes[...], next: next))
    }

    private mutating func collector(of output: Command.Output, _ stream: FileDescriptor) throws(Errno) -> Collector? {
        var (limit, receive) = (0, (@Sendable (ArraySlice<UInt8>) -> Void)?.none)
        switch output {
        case .inherited, .discarded: return nil
        case .collected(let most): limit = most
        case .passed(let receiver): receive = receiver
        }
        let ends = try Self.makePipe()
        childEnds.append((stream, ends.writeEnd))
        return Collector(end: ends.readEnd, limit: limit, receive: receive)
    }

    #if canImport(Glibc)
    /// Makes the pipe that tells the program of the end of this process.
    ///
    /// Nobody writes to it or reads from it.
    private mutating func makeLifeline() throws(Errno) {
        let ends = try Self.makePipe()
        defer { Self.close(ends.readEnd) }
        // Above all descriptors onto which the program's streams are duplicated.
        let end = fcntl(ends.readEnd.rawValue, F_DUPFD_CLOEXEC, Self.secretStream.rawValue + 1)
        guard end >= 0 else {
            let error = Errno(rawValue: errno)
            Self.close(ends.writeEnd)
            throw error
        }
        lifeline = ends.writeEnd
        // Duplicated onto itself, it stays open in the program.
        childEnds.append((FileDescriptor(rawValue: end), FileDescriptor(rawValue: end)))
    }

    /// Has the system signal a program that has started once the other end of its pipe is closed.
    private func bindLifeline(to id: Int32) {
        guard lifeline != nil, let end = childEnds.last?.end.rawValue else { return }
        // Both fail only for a program that has ended already.
        _ = fcntl(end, F_SETOWN, id)
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_ASYNC)
    }
    #endif

    deinit {
        closeAll()
    }

    private func closeAll() {
        childEnds.forEach { Self.close($0.end) }
        inputs.forEach { Self.close($0.end) }
        if let lifeline { Self.close(lifeline) }
        for collector in [output, errorOutput] {
            if let collector, collector.isOpen { Self.close(collector.end) }
        }
    }

    /// Held while a pipe is created and while a program is started.
    ///
    /// No program may start between the creation of a pipe and the marking of its ends as close-on-exec, or it would
    /// keep the pipe open.
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

    /// Closes an end of a pipe; a failure cannot be handled.
    private static func close(_ end: FileDescriptor) { try? end.close() }

    /// Closes the program's ends after it has started, and makes those of this process non-blocking.
    mutating func programStarted(as id: Int32) {
        #if canImport(Glibc)
        bindLifeline(to: id)
        #endif
        childEnds.forEach { Self.close($0.end) }
        childEnds = []
        for end in inputs.map(\.end) + [output?.end, errorOutput?.end].compactMap({ $0 }) {
            _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
        }
        writeInputs()
    }

    // MARK: - Transfer

    /// Whether anything remains to be written or read.
    var isOpen: Bool { !inputs.isEmpty || output?.isOpen == true || errorOutput?.isOpen == true }

    /// The number of bytes that the program has written.
    var receivedCount: Int { (output?.count ?? 0) + (errorOutput?.count ?? 0) }

    /// Waits until a pipe is ready, then writes as much as possible without blocking, and reads at most what a pipe
    /// holds, so that a program that writes without end keeps nobody from its deadline.
    ///
    /// - Parameter milliseconds: The longest time to wait.
    mutating func transfer(milliseconds: Int32) {
        var entries: [pollfd] = []
        for input in inputs { entries.append(pollfd(fd: input.end.rawValue, events: Int16(POLLOUT), revents: 0)) }
        for collector in [output, errorOutput] {
            guard let collector, collector.isOpen else { continue }
            entries.append(pollfd(fd: collector.end.rawValue, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
        writeInputs()
        Self.read(into: &output)
        Self.read(into: &errorOutput)
    }

    private mutating func writeInputs() {
        inputs = inputs.compactMap { input in
            var input = input
            if Self.write(&input) { return input }
            Self.close(input.end)
            return nil
        }
    }

    /// Writes as much as the pipe takes, and returns whether something is left.
    private static func write(_ input: inout Feeder) -> Bool {
        while true {
            if input.unwritten.isEmpty {
                guard let piece = input.next?() else { return false }
                input.unwritten = piece[...]
                continue
            }
            do {
                let count = try withoutBrokenPipeSignal {
                    try input.unwritten.withUnsafeBytes { try input.end.write($0) }
                }
                input.unwritten = input.unwritten.dropFirst(count)
            } catch Errno.wouldBlock {
                return true
            } catch {
                // The program has closed its input.
                return false
            }
        }
    }

    /// The size of a piece that is read at once, and the number of pieces in a large pipe.
    private static let (pieceSize, maximumPieces) = (65_536, 16)

    static func read(into collector: inout Collector?) {
        guard var read = collector, read.isOpen else { return }
        // While both held the bytes, each append would copy all that were read so far.
        collector = nil
        defer { collector = read }
        withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 1) { piece in
            var isAtEnd = false
            do {
                for _ in 0..<maximumPieces {
                    let count = try read.end.read(into: piece)
                    isAtEnd = count == 0
                    if isAtEnd { break }
                    read.count += count
                    if let receive = read.receive {
                        receive(Array(piece[..<count])[...])
                        continue
                    }
                    let room = read.limit - read.bytes.count
                    read.isCut = read.isCut || count > room
                    read.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<min(count, room)]))
                }
            } catch Errno.wouldBlock {
                return
            } catch {
                // After an error nothing more can be read.
                isAtEnd = true
            }
            guard isAtEnd else { return }
            close(read.end)
            read.isOpen = false
        }
    }
}

/// Runs `work` so that writing to a pipe without a reader throws an error and raises no signal on this thread.
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
