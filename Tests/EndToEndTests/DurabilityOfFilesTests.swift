import Foundation
import Load
import TerminalDriver
import Testing

/// Tests a disk that fills up, turns read-only or loses the file: typing continues, and the text is saved when
/// possible.
@Suite(.serialized, .underLoad)
struct DurabilityOfFilesTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Whether a small private file system can be mounted without privileges.
    static let hasNamespaces: Bool = {
        guard let workplace = try? Workplace() else { return false }  // Only decides whether a test runs.
        let result = try? workplace.run("/usr/bin/env", ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
        return result?.status == 0
    }()

    /// Starts the program with its data on a file system of `megabytes`, which only the program sees.
    private func startOnSmallDisk(megabytes: Int) throws -> PseudoTerminal {
        let data = workplace.folder.appending(path: "data").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let script = "mount -t tmpfs -o size=\(megabytes)m none '\(data)' && exec '\(Workplace.program)'"
        let terminal = try PseudoTerminal(
            "unshare", ["-rm", "sh", "-c", script], environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        return terminal
    }

    /// The data folder as the program sees it.
    private func data(of terminal: PseudoTerminal) -> String {
        "/proc/\(terminal.process)/root\(workplace.folder.path)/data"
    }

    private func writeNote(_ text: String, in terminal: PseudoTerminal) throws {
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        try terminal.send(text)
        try terminal.wait(for: "the note in the list, saved") { screen in
            screen.lines.filter { $0.contains(text) }.count > 1 && screen.lines.last?.contains("saved") == true
        }
    }

    /// Writes zeros until the disk is full.
    private func fill(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        for size in [65_536, 4096, 1] {
            let zeros = [UInt8](repeating: 0, count: size)
            while write(file, zeros, size) > 0 {}
        }
        return errno == ENOSPC
    }

    @Test(.enabled(if: hasNamespaces))
    func `a full disk is reported, typing goes on, and all is saved when there is room again`() throws {
        let terminal = try startOnSmallDisk(megabytes: 8)
        try writeNote("Proof before", in: terminal)
        let filler = data(of: terminal) + "/filler"
        try #require(fill(filler))
        for _ in 0..<40 {
            try terminal.send(" during the flood")
            try terminal.pump(milliseconds: 5)
        }
        try terminal.wait(for: "a reason in the status line") { screen in
            let status = screen.lines.last ?? ""
            return status.contains("full") || status.contains("not saving")
        }
        try terminal.send(" and later")
        try terminal.wait(for: "and later")
        unlink(filler)
        try terminal.wait(for: "saved")
        let copy = workplace.folder.appending(path: "copy.sqlite").path
        try copyNotebook(of: terminal, to: copy)
        let shown = try workplace.tn("--database", copy, "show", firstNote(copy))
        #expect(shown.output == "Proof before" + String(repeating: " during the flood", count: 40) + " and later")
    }

    private func firstNote(_ database: String) throws -> String {
        let result = try workplace.run("/usr/bin/env", ["sqlite3", database, "SELECT uuid FROM notes LIMIT 1"])
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func copyNotebook(of terminal: PseudoTerminal, to copy: String) throws {
        let folder = data(of: terminal)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("takenote") }
        let source = "\(folder)/\(try #require(names.first))/notes.sqlite"
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
            try Data(contentsOf: URL(filePath: source + suffix)).write(to: URL(filePath: copy + suffix))
        }
    }

    @Test func `closing the terminal saves what was typed`() throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        try terminal.send("Last words before the line broke")
        try terminal.wait(for: "the line broke")
        terminal.hangUp()
        #expect(terminal.waitForExit() != nil)
        #expect(try workplace.query("SELECT content FROM notes") == "Last words before the line broke")
    }

    @Test func `a notebook that turns read-only is reported and nothing typed is lost`() throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try writeNote("Proof before", in: terminal)
        // A trigger refuses the write, as a file system would: this needs no privilege and works as root too.
        let refusal = "CREATE TRIGGER refuse BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'no'); END"
        #expect(try workplace.query(refusal).isEmpty)
        try terminal.send(" and after")
        try terminal.wait(for: "not saving")
        _ = try workplace.query("DROP TRIGGER refuse")
        try terminal.wait(for: "saved")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(try workplace.query("SELECT content FROM notes") == "Proof before and after")
    }

    /// Whether a file system in a file can be mounted and marked as damaged: this needs root, Linux and ext4.
    static let hasLoopDevices: Bool = {
        guard let workplace = try? Workplace() else { return false }  // Only decides whether a test runs.
        let script = """
            truncate -s 4m "$1/image" && mkfs.ext4 -qF "$1/image" && mount -o loop "$1/image" /mnt \
            && test -w "/sys/fs/ext4/$(basename "$(findmnt -no SOURCE /mnt)")/trigger_fs_error"
            """
        let result = try? workplace.run(
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", script, "sh", workplace.folder.path])
        return result?.status == 0
    }()

    /// A disk cannot be made read-only by request while a file on it is open for writing.
    ///
    /// The kernel itself does so, open files included, when it finds the disk damaged.
    @Test(.enabled(if: hasLoopDevices, "needs root and a loop device; a trigger and injected faults stand in for it"))
    func `a disk that turns read-only under the program is told of, and what was typed is written elsewhere`() throws {
        let data = workplace.folder.appending(path: "data").path
        let image = workplace.folder.appending(path: "image").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let script = """
            truncate -s 16m "$1" && mkfs.ext4 -qF "$1" && mount -o loop,errors=remount-ro "$1" "$2" && exec "$3"
            """
        let terminal = try PseudoTerminal(
            "unshare", ["-m", "sh", "-c", script, "sh", image, data, Workplace.program],
            environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try writeNote("Proof before", in: terminal)
        let mounts = try String(contentsOfFile: "/proc/\(terminal.process)/mounts", encoding: .utf8)
        let mount = try #require(mounts.split(separator: "\n").first { $0.contains(" \(data) ") })
        let device = try #require(mount.split(separator: " ").first?.split(separator: "/").last)
        try Data("a test".utf8).write(to: URL(filePath: "/sys/fs/ext4/\(device)/trigger_fs_error"))
        try terminal.send(" and after")
        try terminal.wait(for: "and after")
        try terminal.wait(for: "a reason in the status line") { $0.lines.last?.contains("not saving") == true }
        try terminal.send(", going on")
        try terminal.wait(for: "going on")
        try terminal.send("\u{11}")
        try terminal.wait(for: "Not everything is saved")
        try terminal.send("home folder\r")
        #expect(terminal.waitForExit() == 0)
        let home = workplace.folder
        let rescued = try #require(
            try FileManager.default.contentsOfDirectory(atPath: home.path).first { $0.hasPrefix("takenote-rescued") })
        let text = try String(contentsOf: home.appending(path: rescued).appending(path: "1.md"), encoding: .utf8)
        #expect(text == "Proof before and after, going on")
        // The disk as found after the next boot: the saved text is there and complete.
        let again = """
            e2fsck -fy "$1" >/dev/null; mount -o loop "$1" "$2" && "$3" doctor >/dev/null && "$3" show "Proof before"
            """
        let result = try workplace.run(
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", again, "sh", image, data, Workplace.program])
        #expect(result.output.hasPrefix("Proof before"), "\(result)")
    }

    /// Uses a real mount; where that is impossible, `FaultTests` instead makes the file system refuse every change.
    @Test(.enabled(if: hasNamespaces, "needs a mount of its own; injected faults stand in for it"))
    func `a file system that is mounted read-only is named, and the notebook is whole when it can be written again`()
        throws
    {
        let data = workplace.folder.appending(path: "data").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=16m none "$1" && "$2" --new Before >/dev/null || exit 9
            mount -o remount,ro "$1"
            "$2" --new Refused; echo "new $?"; "$2" trash Before; echo "trash $?"; "$2" list | cut -f3
            mount -o remount,rw "$1"
            "$2" --new After >/dev/null; "$2" list | cut -f3; "$2" doctor >/dev/null; echo "doctor $?"
            """
        let result = try workplace.run(
            "/usr/bin/env", ["unshare", "-rm", "sh", "-c", script, "sh", data, Workplace.program])
        #expect(result.output == "new 74\ntrash 74\nBefore\nAfter\nBefore\ndoctor 0\n", "\(result.error)")
        #expect(result.error.split(separator: "\n").allSatisfy { $0.contains("cannot be written") }, "\(result.error)")
    }

    /// The conditions in which a notebook cannot be written at a start, with the commands that begin and end them.
    enum Hindrance: String, CaseIterable {
        case fullDisk, readOnly

        /// The copy of the dead program's journal has no room reserved, which would be room for its text.
        var begin: String {
            switch self {
            case .fullDisk:
                """
                for file in "$1"/*/sessions/*; do cp -p "$file" "$1/copy" && mv "$1/copy" "$file"; done
                head -c 100m /dev/zero >"$1/filler" 2>/dev/null
                """
            case .readOnly: "mount -o remount,ro \"$1\""
            }
        }
        var end: String { self == .fullDisk ? "rm \"$1/filler\"" : "mount -o remount,rw \"$1\"" }
    }

    @Test(.enabled(if: hasNamespaces), arguments: Hindrance.allCases)
    func `text of a dead program that cannot be saved at a start is said to wait, and is brought back later`(
        hindrance: Hindrance
    ) throws {
        let data = workplace.folder.appending(path: "data").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        // A trigger refuses the save, so that the text is in the journal alone.
        let script = """
            mount -t tmpfs -o size=8m none "$1" && "$2" --new "Proof before" >/dev/null || exit 9
            notebook=$(echo "$1"/*/notes.sqlite)
            sqlite3 "$notebook" "CREATE TRIGGER no BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'no'); END"
            "$2"
            sqlite3 "$notebook" "DROP TRIGGER no" ".shell kill -9 \\$PPID" 2>/dev/null
            test "$3" = fullDisk || sqlite3 "$notebook" "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
            \(hindrance.begin)
            "$2"
            \(hindrance.end)
            exec "$2"
            """
        let terminal = try PseudoTerminal(
            "unshare", ["-rm", "sh", "-c", script, "sh", data, Workplace.program, hindrance.rawValue],
            environment: workplace.environment)
        try terminal.wait(for: "Proof before")
        try terminal.send("\r")
        try terminal.wait(for: "Esc list")
        try terminal.send("newer ")
        try terminal.wait(for: "newer Proof before")
        try terminal.wait(for: "not saving")
        let children = try String(
            contentsOfFile: "/proc/\(terminal.process)/task/\(terminal.process)/children", encoding: .utf8)
        let program = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
        kill(program, SIGKILL)
        try terminal.wait(for: "Newer text of 1 note waits in \(data)")
        try terminal.waitUntilIdle(milliseconds: 500)
        #expect(terminal.screen.lines.contains { $0.contains("Newer text of 1 note waits in \(data)") })
        #expect(!terminal.screen.lines.contains { $0.contains("newer Proof before") })
        try terminal.send("\u{11}")
        try terminal.wait(for: "brought back")
        try terminal.wait(for: "newer Proof before")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
    }

    @Test(.enabled(if: hasNamespaces), arguments: ["with an empty log", "with notes in its log"])
    func `a notebook that was opened on a read-only mount is saved as soon as the mount can be written`(
        log: String
    ) throws {
        let data = workplace.folder.appending(path: "data").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=8m none "$1" && "$2" --new "Proof before" >/dev/null || exit 9
            notebook=$(echo "$1"/*/notes.sqlite)
            # With an empty log the file is read as one that nobody changes, else through shared memory.
            case "$4" in *empty*) sqlite3 "$notebook" "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null;; esac
            mount -o remount,ro "$1" || exit 9
            (while ! test -e "$3"; do sleep 0.05; done; mount -o remount,rw "$1") >/dev/null 2>&1 &
            exec "$2"
            """
        let writable = workplace.folder.appending(path: "writable").path
        let terminal = try PseudoTerminal(
            "unshare", ["-rm", "sh", "-c", script, "sh", data, Workplace.program, writable, log],
            environment: workplace.environment)
        try terminal.wait(for: "Proof before")
        try terminal.send("\r")
        try terminal.wait(for: "Esc list")
        try terminal.send("newer ")
        try terminal.wait(for: "newer Proof before")
        try terminal.wait(for: "not saving")
        try Data().write(to: URL(filePath: writable))
        try terminal.wait(for: "Saving again")
        try terminal.send("and newest ")
        try terminal.wait(for: "the newest text, saved") { screen in
            screen.lines.contains { $0.contains("newer and newest Proof") }
                && screen.lines.last?.contains("saved") == true
        }
        let copy = workplace.folder.appending(path: "copy.sqlite").path
        try copyNotebook(of: terminal, to: copy)
        let shown = try workplace.tn("--database", copy, "show", firstNote(copy))
        #expect(shown.output == "newer and newest Proof before")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
    }

    @Test(.enabled(if: hasNamespaces))
    func `an editor is waited for although the disk is full, and what could not be saved is said and kept`() throws {
        let data = workplace.folder.appending(path: "data").path
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let editor = workplace.folder.appending(path: "editor").path
        // The second change comes when the first could not be saved.
        let steps = """
            head -c 100m /dev/zero >"$FILLER" 2>/dev/null
            printf 'first change\\n' >>"$1"
            \(Workplace.untilLookedAgain)printf 'second change\\n' >>"$1"
            """
        try Data(steps.utf8).write(to: URL(filePath: editor))
        let script = """
            mount -t tmpfs -o size=8m none "$1" && printf 'One\\n' | "$2" --new >/dev/null || exit 9
            FILLER="$1/filler" EDITOR="sh '$3'" "$2" edit One; echo "edit $?"; "$2" show One
            rm "$1/filler"; "$2" show One; "$2" list | wc -l
            """
        let result = try workplace.run(
            "/usr/bin/env", ["unshare", "-rm", "sh", "-c", script, "sh", data, Workplace.program, editor])
        #expect(result.output == "edit 74\nOne\nOne\nfirst change\nsecond change\n1\n", "\(result)")
        let problems = result.error.split(separator: "\n")
        let drafts = "what the editor saved is kept in \(workplace.folder.path)/state/"
        #expect(problems.first?.contains("the disk is full; make room and try again (it holds /") == true, "\(result)")
        #expect(problems.first?.contains("); \(drafts)") == true, "\(result)")
    }

    @Test func `a notebook whose file is taken away loses nothing that was typed`() throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try writeNote("Proof before", in: terminal)
        let away = workplace.folder.appending(path: "away.sqlite").path
        #expect(rename(workplace.database.path, away) == 0)
        try terminal.send(" and after")
        try terminal.wait(for: "and after")
        try terminal.waitUntilIdle(milliseconds: 500)
        try terminal.send("\u{11}")
        try terminal.waitUntilIdle(milliseconds: 300)
        // Move the file back, as a person does who moved it by mistake.
        #expect(rename(away, workplace.database.path) == 0)
        kill(terminal.process, SIGKILL)
        _ = terminal.waitForExit()
        _ = try workplace.tn("list")
        #expect(try workplace.query("SELECT content FROM notes") == "Proof before and after")
    }

    @Test func `another program’s note stays where the shared memory of the log is removed under a window`() throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try writeNote("Proof before", in: terminal)
        unlink(workplace.database.path + "-shm")
        #expect(try workplace.tn("--new", "Captured").status == 0)
        try terminal.send(" and after")
        try terminal.wait(for: "trouble in the status line") { $0.lines.last?.contains("not saving") == true }
        kill(terminal.process, SIGKILL)
        _ = terminal.waitForExit()
        _ = try workplace.tn("list")
        let texts = try workplace.query("SELECT content FROM notes ORDER BY content")
        #expect(texts == "Captured\nProof before and after")
    }

    @Test func `a notebook whose files are deleted under the program is not said to be saved`() throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try writeNote("Proof before", in: terminal)
        for suffix in ["", "-wal", "-shm"] { unlink(workplace.database.path + suffix) }
        try terminal.send(" and after")
        try terminal.wait(for: "and after")
        try terminal.wait(for: "trouble in the status line, or the notebook made anew") { screen in
            screen.lines.last?.contains("saved") != true || (try? workplace.query("SELECT 1 FROM notes")) == "1"
        }
        try terminal.waitUntilIdle(milliseconds: 1000)
        #expect(terminal.screen.lines.last?.contains("saved") != true)
    }
}
