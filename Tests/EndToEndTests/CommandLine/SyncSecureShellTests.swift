import Foundation
import TerminalDriver
import Testing

/// Tests that the user's own command for ssh is used where nobody can be asked, and asks nothing.
struct SyncSecureShellTests {
    /// The ways in which git is told which command to use.
    enum Way: CaseIterable { case variable, setting, program }

    @Test(arguments: Way.allCases) func `the user's ssh is told not to ask`(_ way: Way) throws {
        let workplace = try Workplace()
        let folder = workplace.folder.appending(path: "my programs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (program, told) = (folder.appending(path: "ssh").path, folder.appending(path: "told").path)
        try StandIn.write("echo \"$*\" >>'\(told)'\nexit 255", to: program)
        var environment: [String: String] = [:]
        switch way {
        case .variable: environment["GIT_SSH_COMMAND"] = "'\(program)' -p 2200"
        case .setting:
            let settings = "[core]\n\tsshCommand = '\(program)' -p 2200\n"
            try Data(settings.utf8).write(to: workplace.folder.appending(path: ".gitconfig"))
        case .program: environment["GIT_SSH"] = program
        }
        let result = try workplace.tn("sync", "init", "nowhere.invalid:notes.git", "--yes", environment: environment)
        #expect(result.status == 69, "\(result)")
        let words = try String(contentsOfFile: told, encoding: .utf8)
        #expect(words.contains("-o BatchMode=yes") && words.contains("nowhere.invalid"), "\(words)")
        #expect(words.contains("-p 2200") == (way != .program), "\(words)")
    }
}
