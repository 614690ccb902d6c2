import ModalEditing
import Testing
import TextEditing
import VimCases

/// Tests vim's commands after the colon, with their ranges and patterns.
@Suite struct VimCommandLineTests {
    @Test func `lines are moved, copied, sorted and deleted by command`() {
        expect("|c\na\nb", ":sort<CR>", "|a\nb\nc")
        expect("|a\nb\nc", ":m$<CR>", "b\nc\n|a")
        expect("a\n|b", ":t0<CR>", "|b\na\nb")
        expect("|a1\nb\na2", ":v/a/d<CR>", "a1\n|a2")
        expect("|one two", ":s/\\(one\\) \\(two\\)/\\2 \\u\\1/<CR>", "|two One")
        expect("|a\nb\nc", ":2,$d<CR>", "|a")
        expect("|a b", ":%normal wx<CR>", "a| ")
    }

    @Test func `a pattern that cannot be translated is refused by its name`() {
        var plain = PlainVimText("text")
        var refused: [String?] = []
        for key in VimKey.keys("/\\zsa<CR>") {
            for case .refused(let reason) in plain.pressed(key) { refused.append(reason) }
        }
        #expect(refused == ["\\z is not supported in a pattern"])
    }

    @Test func `flags of the last substitution are kept by an ampersand`() {
        expect("|aa\nbb", ":s/a/x/g<CR>j:s/b/y/&<CR>", "xx\n|yy")
        expect("|aa\naa", ":s/a/x/g<CR>j:&&<CR>", "xx\n|xx")
        expect("|aa\naa", ":s/a/x/g<CR>j:&&g<CR>", "xx\n|xa")
        expect("|aa\naa", ":s/a/x/g<CR>j:s<CR>", "xx\n|xa")
        expect("|aa\naa", ":s/a/x/g<CR>j:s g<CR>", "xx\n|xx")
        expect("|aa\naa", ":s/a/x/<CR>j:&&c<CR>", "xa\n|aa")
        expect("|aa\naa\naa", ":s/a/x/<CR>j:&& 2<CR>", "xa\nxa\n|xa")
    }

    @Test func `a replacement by an expression is refused and replaces nothing`() {
        expect("|a 1", ":s/1/\\=2/<CR>", "|a 1")
    }

    @Test func `a command line of a selection begins at the selection's start`() {
        expect("on|e\ntwo\nthree", "v$:<C-u>d<CR>", "|two\nthree")
        expect("on|e\ntwo\nthree", "Vj:<C-u>d<CR>", "|two\nthree")
        expect("on|e\ntwo\nthree", "vj:<C-u>s/./X/<CR>", "|Xne\ntwo\nthree")
        expect("one\nt|wo\nthree", "vk:<Esc>x", "o|e\ntwo\nthree")
        expect("one\nt|wo\nthree", "Vj:s/./X/<CR>", "one\nXwo\n|Xhree")
    }

    @Test func `a filter of an object above the caret names its lines`() {
        var plain = PlainVimText("a\nb\nc\n\nd", caret: 2)
        plain.press(VimKey.keys("!ipsort<CR>"))
        guard case .filter(let filter)? = plain.other.last else {
            Issue.record("no filter")
            return
        }
        #expect(filter.range == 0..<5)
    }

    @Test func `a missing address is the caret's line, and a count goes on from the last line`() {
        expect("a\nb\n|c\nd", ":1,><CR>", "    a\n    b\n    |c\nd")
        expect("a\nb\n|c\nd", ":1 , 2d<CR>", "|c\nd")
        expect("|a\nb\nc\nd", ":j3<CR>", "|a b c\nd")
        expect("|a\nb\nc\nd", ":1,2j 3<CR>", "a\n|b c d")
        expect("|a\nb\nc\nd", ":j! 3<CR>", "|abc\nd")
        expect("|a\nb\nc\nd", ":> 3<CR>", "    a\n    b\n    |c\nd")
        expect("|a\nb\nc\nd", ":1,2>>2<CR>", "a\n        b\n        |c\nd")
        expect("|a\nb\nc\nd", ":1,2d2<CR>", "a\n|d")
    }

    @Test func `a pattern in a range is searched for again by n`() {
        expect("|a\nb\nc\nb", ":/b/<CR>n", "a\nb\nc\n|b")
        expect("b\na\nb\n|c", ":?b?<CR>n", "|b\na\nb\nc")
        expect("|a\nb\nb", ":/b/d<CR>ggn", "a\n|b")
    }

    @Test func `a bar begins another command, which undo takes back with the first`() {
        expect("|one\ntwo", ":s/o/0/|d<CR>", "|two")
        expect("|one\ntwo", ":s/o/0/|d<CR>u", "|one\ntwo")
        expect("|one\ntwo", ":2d | s/n/N/<CR>", "|oNe")
        expect("|a\nb\nc", ":2|d<CR>", "a\n|c")
        expect("|a\nb\nc", ":.,.j|s/a/x/<CR>", "|x\nb\nc")
        expect("|one\ntwo\ntoe", ":g/t/s/t/T/|s/o/0/<CR>", "one\nTw0\n|T0e")
        // A command that fails ends the line.
        expect("|one\ntwo", ":s/x/0/|d<CR>", "|one\ntwo")
        // The bars of a pattern and of keys are their own.
        expect("|ab", ":s/b\\|a/x/g|s/x/y/<CR>", "|yx")
        expect("|ab", ":normal Ax|y<CR>", "abx||y")
        expect("|a\nb", ":||2||d|<CR>", "|a")
    }

    @Test func `one line that is said twice, or selected, is joined to nothing`() {
        expect("|a\nb\nc", ":2j<CR>", "a\n|b c")
        expect("|a\nb\nc", "V:j<CR>", "|a\nb\nc")
        expect("|a\nb\nc", ":.,.j!<CR>", "|a\nb\nc")
        expect("|a\nb\nc", ":2,2j 2<CR>", "a\n|b c")
    }

    @Test func `numbers of any size in a command line do no harm`() {
        let large = "9223372036854775807"
        expect("|a\nb", ":d" + large + "<CR>", "|")
        expect("|a\nb", ":s/a/x/" + large + "<CR>", "|x\nb")
        expect("|a\nb", ":1+" + large + "d<CR>", "|a\nb")
        expect("|a\nb", ":99;/a/d<CR>", "|a\nb")
        expect("|a\nb", "/b/e+" + large + "<CR>", "a\n|b")
        expect("|a\nb", "/b/+" + large + "<CR>", "a\n|b")
        // The caret is below the lines that count.
        expect("a\nb\n|", ":s/a/x/ 3<CR>", "a\nb\n|", isFile: true)
        expect("a\nb\n|", ":d 2<CR>", "a\n|b", isFile: true)
    }

    @Test func `an empty match counts where no match ended`() {
        expect("|axbxxc\n\nxx", ":%s/x*/-/g<CR>", "-a-b-c\n-\n|-")
        expect("|aé漢", ":s/x*/-/g<CR>", "|-a-é-漢")
        expect("|abc", ":s/\\(b\\|$\\)/-/g<CR>", "|a-c-")
        expect("|ab", ":s/\\(b\\|$\\)/-/g<CR>", "|a-")
    }
}
