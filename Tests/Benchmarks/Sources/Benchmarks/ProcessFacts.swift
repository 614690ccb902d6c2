import Foundation

/// The kernel's data about a process and its descendants.
enum ProcessFacts {
    /// Returns the processor time of a process tree in nanoseconds.
    static func processorTime(_ process: pid_t) -> UInt64 {
        tree(process).reduce(0) { sum, process in
            // A thread that ends between listing and reading no longer has a file.
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            return sum
                + threads.reduce(0) { sum, thread in
                    let text =
                        (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/schedstat", encoding: .utf8))
                    return sum + (text?.split(separator: " ").first.flatMap { UInt64($0) } ?? 0)
                }
        }
    }

    /// Returns a field of `/proc/PID/status` in MB: `VmRSS`, `VmHWM`.
    static func memory(_ process: pid_t, _ field: String) -> Double? {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line?.split { !$0.isNumber }.first.flatMap { Double($0) }.map { $0 / 1024 }
    }

    /// Returns the number of user-mode instructions that a process runs during `body`; nil if they cannot be counted.
    ///
    /// `perf` counts them, which requires a processor that allows it.
    static func instructions(of process: pid_t, in folder: URL, during body: () throws -> Void) throws -> Double? {
        guard canCount else { return nil }
        let output = folder.appending(path: "perf-\(process)").path
        let arguments = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", output, "-p", "\(process)"]
        let words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var perf = pid_t()
        guard posix_spawnp(&perf, "perf", nil, nil, words, environ) == 0 else { return nil }
        var status: Int32 = 0
        // It does not report its start, but it has opened its counters by then.
        while !hasCounters(perf) {
            guard waitpid(perf, &status, WNOHANG) == 0 else {
                try body()
                return nil
            }
            usleep(1000)
        }
        defer { unlink(output) }
        do {
            try body()
        } catch {
            kill(perf, SIGINT)
            waitpid(perf, &status, 0)
            throw error
        }
        kill(perf, SIGINT)
        waitpid(perf, &status, 0)
        // Without the file, it could not count.
        guard let text = try? String(contentsOfFile: output, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.contains("instructions") }
        return line?.split(separator: ",").first.flatMap { Double($0) }
    }

    /// Whether `perf` is installed and the processor counts for it, which a virtual machine often does not.
    private static let canCount: Bool = {
        guard Workshop.isInstalled("perf") else { return false }
        let (trial, output) = (Process(), Pipe())
        trial.executableURL = URL(filePath: "/usr/bin/env")
        trial.arguments = ["perf", "stat", "-x,", "-e", "instructions:u", "true"]
        trial.standardError = output
        guard (try? trial.run()) != nil else { return false }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        trial.waitUntilExit()
        return text.split(separator: ",").first.flatMap { Double($0) } != nil
    }()

    private static func hasCounters(_ perf: pid_t) -> Bool {
        let folder = "/proc/\(perf)/fd/"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) == "anon_inode:[perf_event]"
        }
    }

    private static func tree(_ process: pid_t) -> [pid_t] {
        let text =
            (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return [process] + text.split(separator: " ").compactMap { pid_t($0) }.flatMap(tree)
    }
}
