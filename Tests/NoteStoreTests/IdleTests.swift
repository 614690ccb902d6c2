import Foundation
import Load
import Testing

@testable import NoteStore

/// Tests that an idle program sleeps, and is woken by what other programs write.
@Suite struct IdleTests {
    #if os(Linux)
    @Test func `a program that sleeps is woken by the commit of another one`() throws {
        let test = try TestNotebook(mode: .command)
        var options = Notebook.Options()
        options.wakefulness = .zero
        let notebook = try Notebook.open(test.path, options: options)
        let told = DispatchSemaphore(value: 0)
        let observation = notebook.observeChanges { if $0.source == .anotherProgram { told.signal() } }
        for number in 0..<3 {
            try waitUntil { notebook.changes.isAsleep }
            try test.note("note \(number)")
            told.wait()
        }
        observation.cancel()
        try notebook.close()
    }
    #endif
}
