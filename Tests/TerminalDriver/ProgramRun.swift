import Foundation

/// Starts programs for tests and benchmarks.
///
/// It calls `posix_spawn` itself: `Process` waits until every process that inherits its pipe has closed it, and a tmux
/// server never closes it.
public enum ProgramRun {
    /// The output of a program that has ended, and its status: for a signal, 128 plus its number.
    public struct Result: Equatable, Sendable {
        public let output: String
        public let error: String
        public let status: Int32

        public init(output: String, error: String, status: Int32) {
            (self.output, self.error, self.status) = (output, error, status)
        }
    }

    /// Runs a program to its end, or for half an hour: one that hangs must not hold all other tests.
    public static func run(
        _ program: String, _ arguments: [String], input: String = "", environment: [String: String]
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
        let files = ["in", "out", "err"].map { folder.appending(path: "tn-\($0)-\(UUID().uuidString)") }
        try Data(input.utf8).write(to: files[0])
        defer { files.forEach { unlink($0.path) } }
        let new = O_WRONLY | O_CREAT
        let process = try spawn(
            program, arguments, environment: environment,
            streams: [
                .opened(0, files[0].path, O_RDONLY), .opened(1, files[1].path, new), .opened(2, files[2].path, new),
            ])
        let end = DispatchWorkItem { kill(process, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1_800, execute: end)
        defer { end.cancel() }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { throw POSIXError(.ECHILD) } }
        let texts = try files[1...].map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Result(output: texts[0], error: texts[1], status: exitStatus(of: status))
    }

    /// Makes a program of a shell script.
    ///
    /// Another process writes the file. If this one did, a child process that another thread starts at that moment
    /// would inherit the open file, and the system does not run a script that is open for writing (`ETXTBSY`).
    public static func makeTool(_ script: String, at path: String) throws {
        let made = try run(
            "/bin/sh", ["-c", "cat >\"$0\" && chmod 700 \"$0\"", path], input: "#!/bin/sh\n\(script)\n",
            environment: ["PATH": "/usr/bin:/bin"])
        guard made.status == 0 else { throw POSIXError(.EIO) }
    }

    /// Converts the status of `waitpid` to that of a shell: the exit status, or 128 plus the signal's number.
    public static func exitStatus(of status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// The destination of a program's stream.
    public enum Stream {
        /// The stream, a path, and the flags for opening it.
        case opened(Int32, String, Int32)
        /// The stream, and the stream whose file it shares.
        case copied(Int32, of: Int32)
    }

    /// `POSIX_SPAWN_SETSID` of <spawn.h>, which is defined there only if extensions are enabled.
    #if canImport(Darwin)
    private static let newSession: Int32 = 0x400
    #else
    private static let newSession: Int32 = 0x80
    #endif

    /// Whether every thread of a program, and of the programs that it has started, sleeps, has ended, or is stopped.
    ///
    /// True if the system does not provide this information.
    ///
    /// - Parameter own: a thread that may run, as the one that asks does.
    public static func isAsleep(_ process: pid_t, apartFrom own: pid_t? = nil) -> Bool {
        let tasks = "/proc/\(process)/task"
        // A process or thread that has ended meanwhile no longer runs.
        for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
            if pid_t(task) != own,
                let status = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8),
                let end = status.range(of: ") ", options: .backwards)?.upperBound, "RD".contains(status[end])
            {
                return false
            }
            let children = (try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)) ?? ""
            for child in children.split(separator: " ") {
                if let child = pid_t(child), !isAsleep(child) { return false }
            }
        }
        return true
    }

    /// Returns the processor time that a running program has taken so far, in seconds, however busy the machine is.
    public static func processorTime(of process: pid_t) -> Double {
        #if canImport(Darwin)
        var usage = rusage_info_current()
        let isRead = withUnsafeMutablePointer(to: &usage) {
            $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
                proc_pid_rusage(process, RUSAGE_INFO_CURRENT, $0) == 0
            }
        }
        return isRead ? Double(usage.ri_user_time + usage.ri_system_time) / 1e9 : 0
        #else
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        #endif
    }

    /// Starts a program; if it gets its own session, the first terminal that it opens becomes the controlling one.
    public static func spawn(
        _ program: String, _ arguments: [String], environment: [String: String], streams: [Stream],
        isSession: Bool = false
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for stream in streams {
            switch stream {
            case .opened(let number, let path, let flags):
                posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
            case .copied(let number, let other): posix_spawn_file_actions_adddup2(&actions, other, number)
            }
        }
        // The test runner's threads block most signals, and a shell that runs it in the background has it ignore those of
        // the keyboard; a program in a terminal inherits neither.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(isSession ? newSession : 0))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawnp(&process, program, &actions, &attributes, words, variables)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
        return process
    }
}
