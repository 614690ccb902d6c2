/// A script that stands in for another program.
public enum StandIn {
    /// Writes a script for `/bin/sh` that can be run at once.
    ///
    /// A program of its own writes the file. Were it written by this process, a child that another thread starts at that
    /// moment would have it open for writing, and the system runs no file that is open for writing.
    public static func write(_ script: String, to path: String) throws {
        let write = #"cat >"$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#
        let result = try ProgramRun.run(
            "/bin/sh", ["-c", write, path], input: "#!/bin/sh\n\(script)\n", environment: ["PATH": "/usr/bin:/bin"])
        guard result.status == 0 else { throw Failure(reason: result.error) }
    }

    struct Failure: Error {
        let reason: String
    }
}
