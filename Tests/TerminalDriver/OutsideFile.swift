import Foundation

/// A file that the tests write as another program would.
public enum OutsideFile {
    /// Writes a text in the place of what a file holds.
    ///
    /// No child inherits the open file. One that another thread starts at that moment would have it open for writing for
    /// as long as it lives, and a mirror leaves alone a file that is being written.
    public static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
