import Foundation

/// What the kernel knows of a process and those it has started.
enum ProcessFacts {
    /// Nanoseconds that a process tree has been running on a processor.
    static func processorTime(_ process: pid_t) -> UInt64 {
        tree(process).reduce(0) { sum, process in
            // A thread that ends between listing and reading has no file any more.
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            return sum
                + threads.reduce(0) { sum, thread in
                    let text =
                        (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/schedstat", encoding: .utf8))
                    return sum + (text?.split(separator: " ").first.flatMap { UInt64($0) } ?? 0)
                }
        }
    }

    /// A field of `/proc/PID/status` in MB: `VmRSS`, `VmHWM`.
    static func memory(_ process: pid_t, _ field: String) -> Double? {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line?.split { !$0.isNumber }.first.flatMap { Double($0) }.map { $0 / 1024 }
    }

    private static func tree(_ process: pid_t) -> [pid_t] {
        let text =
            (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return [process] + text.split(separator: " ").compactMap { pid_t($0) }.flatMap(tree)
    }
}
