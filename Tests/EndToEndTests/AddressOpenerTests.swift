import Foundation
import Load
import TerminalDriver
import Testing

@testable import tn

/// Tests the system's opener, for which a script stands in.
struct AddressOpenerTests {
    @Test func `an address goes to the opener as one word, wherever that is installed`() throws {
        let workplace = try Workplace()
        let folder = workplace.folder.path
        try StandIn.write(
            "printf '%s|' \"$@\" >'\(folder)/new'; mv '\(folder)/new' '\(folder)/seen'",
            to: "\(folder)/\(AddressOpener.program)")
        let environment = ["PATH": "/none:\(folder)"]
        let address = "https://example.org/?a=$(x)&b='c'"
        #expect(AddressOpener.open(address, in: environment) == "Opened with \(AddressOpener.program)")
        try waitUntil { FileManager.default.fileExists(atPath: folder + "/seen") }
        #expect(try String(contentsOfFile: folder + "/seen", encoding: .utf8) == address + "|")
        #expect(AddressOpener.open(address, in: ["PATH": "/none"]).hasPrefix("Cannot find \(AddressOpener.program);"))
        #expect(AddressOpener.open("file:///etc/passwd", in: environment).hasPrefix("Only web and mail"))
    }
}
