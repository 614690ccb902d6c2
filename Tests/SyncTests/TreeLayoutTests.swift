import Foundation
import Testing

@testable import Sync

/// Tests that a file's path alone tells what it is.
struct TreeLayoutTests {
    private static let id = "0B5C2E5A-0000-4000-8000-000000000001"
    private static let (note, folder, list) = (TreeLayout.Role.note, TreeLayout.Role.folder, TreeLayout.Role.list)

    @Test(arguments: [
        ("a.md", note), ("Inbox/a.md", note), ("Work/Plans/é.md", note), ("Work/README.md", note),
        (".trash/a.md", note), (".trash/Work/a.md", note), ("images/deep/a.md", note), ("files/x/a.md", note),
        ("README.md", .other), ("a.MD", .other), ("a.txt", .other), ("Work/.a.md", .other), (".a.md", .other),
        (".obsidian/a.md", .other), ("Work/.hidden/a.md", .other), ("Work/.trash/a.md", .other),
        ("", .other), ("/a.md", .other), ("Work//a.md", .other), ("Work/", .other),
        ("Work/.folder", folder), (".trash/Work/.folder", folder), (".folder", .other), ("Inbox/.folder", .other),
        ("Archive/.folder", .other), (".trash/.folder", .other), (".obsidian/.folder", .other),
        (".tn/tags", list), (".tn/format", list), (".tn/other", .other), (".tn", .other), (".tn/tags/a.md", .other),
        ("images/a.md", .other), ("images/\(id).gif", .other), ("images/\(id.lowercased()).png", .other),
        ("files/\(id)/", .other), ("files/\(id)", .other), ("files/\(id)/deep/a.md", note),
    ])
    func `a path tells what its file is`(_ path: String, _ role: TreeLayout.Role) {
        #expect(TreeLayout.role(of: TreePath(path), TreeEntry(object: "")) == role)
    }

    @Test func `pictures and files are known by their identities`() throws {
        let id = try #require(UUID(uuidString: Self.id))
        func role(_ path: String) -> TreeLayout.Role { TreeLayout.role(of: TreePath(path), TreeEntry(object: "")) }
        #expect(role("images/\(Self.id).png") == .image(id, isJPEG: false))
        #expect(role("images/\(Self.id).jpg") == .image(id, isJPEG: true))
        #expect(role("files/\(Self.id)/plan.pdf") == .attachment(id))
        #expect(role("files/\(Self.id)/a.md") == .attachment(id))
    }

    @Test func `links, names that are not text and very deep files are not read`() {
        #expect(TreeLayout.role(of: "a.md", TreeEntry(mode: "120000", object: "")) == .other)
        #expect(TreeLayout.role(of: TreePath([0xFF] + Array(".md".utf8)), TreeEntry(object: "")) == .other)
        let deep = String(repeating: "a/", count: TreeLayout.maximumDepth)
        #expect(TreeLayout.role(of: TreePath(deep + "a.md"), TreeEntry(object: "")) == .other)
        #expect(TreeLayout.role(of: TreePath(String(deep.dropFirst(2)) + "a.md"), TreeEntry(object: "")) == .note)
    }
}
