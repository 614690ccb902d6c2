import Foundation
import Testing

/// Tests that what came through a pipe is kept, since the program that wrote it may be gone.
struct PipedTextTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func lines(_ script: String) throws -> [String] {
        let text = "cd '\(workplace.folder.path)'\ntn() { exec '\(Workplace.program)' \"$@\"; }\n" + script
        return try workplace.run("/bin/sh", ["-c", text]).output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: zip(["INT", "TERM", "HUP", "QUIT"], [130, 143, 129, 131]))
    func `a signal ends a capture, and its text becomes a note`(_ signal: String, _ status: Int)
        throws
    {
        // A shell has its children in the background ignore SIGINT and SIGQUIT, which `env` undoes.
        let result = try lines(
            """
            mkfifo pipe
            exec 3<>pipe
            echo 'half a thought' >&3
            env --default-signal=INT,QUIT '\(Workplace.program)' --new <pipe >/dev/null 2>error &
            id=$!
            until grep -q '^SigBlk:.*[4567cdef]...$' /proc/$id/status; do :; done
            kill -\(signal) $id
            wait $id
            echo $?
            grep -c 'the text is kept in /' error
            '\(Workplace.program)' list | cut -f3
            """)
        #expect(result == ["\(status)", "1", "half a thought"])
    }

    @Test func `a signal while the notebook is waited for loses nothing`() throws {
        let result = try lines(
            """
            export TAKENOTE_DATABASE="$PWD/n.sqlite"
            (tn --new Log) >/dev/null
            mkfifo sql
            sqlite3 "$TAKENOTE_DATABASE" <sql &
            exec 4>sql
            printf '.timeout 600000\\nBEGIN IMMEDIATE;\\n' >&4
            while sqlite3 "$TAKENOTE_DATABASE" 'BEGIN IMMEDIATE; ROLLBACK' 2>/dev/null; do :; done
            echo kept >text
            '\(Workplace.program)' --new <text >/dev/null 2>&1 &
            id=$!
            until grep -q '^SigBlk:.*[4567cdef]...$' /proc/$id/status || ! kill -0 $id; do :; done
            kill -TERM $id
            echo 'ROLLBACK;' >&4
            exec 4>&-
            wait
            '\(Workplace.program)' list 2>/dev/null | cut -f3
            """)
        #expect(result == ["kept", "Log"])
    }

    @Test(arguments: ["--new", "append Log"])
    func `bytes that are not UTF-8 are kept as they are`(_ command: String) throws {
        let result = try lines(
            """
            (tn --new Log) >/dev/null
            (printf 'caf\\351' | tn \(command)) 2>error
            echo $?
            sed 's/.*; the text is kept in //' error | tr '\\n' '\\0' | xargs -0 cat | od -An -c | tr -d ' '
            """)
        #expect(result == ["65", "caf351"])
    }
}
