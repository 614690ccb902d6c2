import NoteStore
import Testing

@testable import Interface

/// Tests the paths of the user's files for each value of `HOME`.
struct HomeFolderTests {
    @Test func `a home folder that is not a whole path counts as none`() {
        #expect(HomeFolder.path("/home/ada") == "/home/ada")
        #expect(Configuration.folder(["HOME": "/home/ada"]) == "/home/ada/.config/takenote")
        for home in ["", "ada", "./ada", "~"] {
            let folder = HomeFolder.path(home)
            #expect(folder.hasPrefix("/") && folder == HomeFolder.path(nil))
            #expect(Configuration.folder(["HOME": home]) == folder + "/.config/takenote")
        }
    }
}
