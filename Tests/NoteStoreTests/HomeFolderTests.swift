import Testing

@testable import NoteStore

/// Tests the home folder of a user for whom the environment names none.
struct HomeFolderTests {
    @Test func `the home folder is that of the user's line, and of no other`() {
        let database = """
            root:x:0:0:root:/root:/bin/sh
            # a comment: of: six: fields: 1000:
            +::::::
            broken:x:1000
            ada:x:1000:1000:Ada, 1000:/home/ada:/bin/sh
            other:x:1000:1000::/home/other:/bin/sh
            homeless:x:1001:1001:::
            """
        #expect(HomeFolder.folder(of: 0, in: database) == "/root")
        #expect(HomeFolder.folder(of: 1000, in: database) == "/home/ada")
        #expect(HomeFolder.folder(of: 1001, in: database) == "")
        #expect(HomeFolder.folder(of: 1002, in: database) == nil)
        #expect(HomeFolder.folder(of: 0, in: "") == nil)
    }
}
