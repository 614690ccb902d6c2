import ModalEditing
import Testing
import TextEditing
import VimCases

/// Expects that keys change one text to another; `|` precedes the caret, or in a selection the character under it.
///
/// - Parameter isFile: Whether the empty line after a final line feed does not count, as in a file that vim reads.
func expect(
    _ before: String, _ keys: String, _ after: String, isFile: Bool = false,
    at location: SourceLocation = #_sourceLocation
) {
    var plain = PlainVimText(marked: before, isFile: isFile)
    plain.press(VimKey.keys(keys))
    #expect(plain.marked == after, sourceLocation: location)
}

extension PlainVimText {
    init(marked: String, isFile: Bool = false) {
        let caret = marked.utf8.prefix { $0 != 0x7C }.count
        var configuration = VimConfiguration()
        configuration.movesByRows = false
        configuration.omitsLineAfterEnd = isFile
        self.init(marked.replacing("|", with: ""), caret: ByteOffset(caret), configuration: configuration)
    }

    var marked: String {
        let text = editor.buffer
        return text.string(in: 0..<caret) + "|" + text.string(in: caret..<text.end)
    }
}

@Suite struct VimMachineTests {
    @Test func `operators take motions, counts and objects`() {
        expect("on|e two three", "dw", "on|two three")
        expect("|one two three four", "2d2w", "|")
        expect("a (b |c) d", "ci(x<Esc>", "a (|x) d")
        expect("one\n|two\nthree", "dd", "one\n|three")
        expect("|one two", "cwx<Esc>", "|x two")
        expect("say \"h|i\" now", "da\"", "say |now")
        expect("A. |B c. D.", "das", "A. |D.")
    }

    @Test func `the empty line after a final line feed is none for any key`() {
        expect("one two\nthree |four\n", "dw", "one two\nthree| \n", isFile: true)
        expect("one two\nthree |four\n", "ywP", "one two\nthree fou|rfour\n", isFile: true)
        expect("one two\n|three four\n", "3dw", "one two\n|\n", isFile: true)
        expect("one two\nthree |four\n", "w", "one two\nthree fou|r\n", isFile: true)
        expect("|one\n", "VGJ", "|one\n", isFile: true)
        expect("|one\ntwo\n", "VGJ", "one| two\n", isFile: true)
        expect("one\n|two\n", "dap", "|", isFile: true)
        expect("one\n|two\n", "}x", "one\nt|w\n", isFile: true)
        expect("|one\n\ntwo\n", "/^$<CR>n", "one\n|\ntwo\n", isFile: true)
        expect("one\n|two\n", ":m0<CR>", "|two\none\n", isFile: true)
        expect("|one\ntwo\n", ":g/o/v/x/s/o/0<CR>", "0ne\n|tw0\n", isFile: true)
        expect("|one\ntwo\n", "Vjyp", "one\n|one\ntwo\ntwo\n", isFile: true)
        // The caret may be there all the same, by a click.
        expect("one\n|", "itwo<Esc>", "one\ntw|o", isFile: true)
        expect("one\n|", "dd", "|one", isFile: true)
    }

    @Test func `dot does a change again, also one that was made of a selection`() {
        expect("|one two three", "dw.", "|three")
        expect("|a a a", "cwx<Esc>w.", "x |x a")
        expect("|abc\nabc\nabc", "Vjd.", "|")
        expect("|one\ntwo", "A!<Esc>j.", "one!\ntwo|!")
        expect("|a b", "ciw(<BS>[x]<Esc>w.", "[x] [x|]")
        expect("|one", "3ix<Esc>", "xx|xone")
    }

    @Test func `one command, or one stay in Insert mode, is one step of undo`() {
        expect("|one", "ofirst<CR>second<Esc>u", "|one")
        expect("|one", "ia<Left>b<Esc>u", "|aone")
        expect("|one two", "dwu<C-r>", "|two")
        expect("|a\na\na", ":%s/a/b/<CR>u", "|a\na\na")
        expect("|a\nb", ":g/./normal Ax<CR>u", "|a\nb")
    }

    @Test func `registers keep what was yanked and deleted`() {
        expect("|one\ntwo", "\"ayyj\"ap", "one\ntwo\n|one")
        expect("|one two", "\"adw\"_x\"aP", "one| wo")
        expect("a|b", "xp", "a|b")
        expect("|one\ntwo\nthree", "ddp", "two\n|one\nthree")
        expect("|ab\ncd", "<C-v>jyP", "|aab\nccd")
    }

    @Test func `a macro ends where a key of it is refused`() {
        expect("|a\na\na", "qaxjq5@a", "\n\n|")
        expect("|1", "qayyp<C-a>q3@a", "1\n2\n3\n4\n|5")
    }

    @Test func `marks and jumps lead back`() {
        expect("|one\ntwo\nthree", "maGx'a", "|one\ntwo\nhree")
        expect("one\n|two\nthree", "G``", "one\n|two\nthree")
        expect("one\n|two\nthree", "ggG<C-o><C-o>", "one\n|two\nthree")
    }

    @Test func `the mark before a jump goes with its line, and undo sets it`() {
        expect("one\n|two\nthree", "Gkdd''x", "one\n|hree")
        expect("one\n|two\nthree", "``x", "|ne\ntwo\nthree")
        expect("|one\ntwo", "Onew<Esc>``x", "new\n|ne\ntwo")
        expect("|one\ntwo\nthree\nfour", "xGu``x", "one\ntwo\nthree\n|our")
        // A deletion to the end of the text brings back the mark before it.
        expect("one\nt|wo\nthree\nfour", "GkdG``x", "one\nt|o")
        expect("one\ntwo (|a b)\nx", "va(<Esc>``x", "one\ntwo (| b)\nx")
        expect("one\nt|wo\nthree", "cGx<Esc>k``rX", "one\n|X")
        expect("an\n|b\nan", ":g/a/normal Ax<CR>``x", "anx\n|\nanx")
    }

    @Test func `the mark of a yank's end is where its motion led`() {
        expect("|one two", "yw`]x", "one |wo")
        expect("one |two", "yb`]x", "one |wo")
        expect("|one two", "ye`]x", "on| two")
        expect("one (t|wo)", "yi(`]x", "one (tw|)")
        expect("|one two", "yw$\"_yb`]x", "one |wo")
        expect("|one\n\ntwo", "y}`]x", "o|n\n\ntwo")
    }

    @Test func `undo leads back to the start of a selection that was shifted`() {
        expect("one\ntw|o\nthree", "vj>u", "one\ntw|o\nthree")
        expect("one\ntwo\n|three", "vk>ux", "one\n|wo\nthree")
    }

    @Test func `searches go around the ends of the text`() {
        expect("|one two one", "/one<CR>", "one two |one")
        expect("one two |one", "n", "one two |one")
        expect("one |two one", "/one<CR>n", "|one two one")
        expect("|foo foobar foo", "*", "foo foobar |foo")
        expect("|one two", "d/two<CR>", "|two")
        expect("|one two", "/tw/e<CR>", "one t|wo")
    }

    @Test func `a search has offsets as in vim, and goes on from where it was without them`() {
        let text = "one a\ntwo a é\n  three a"
        expect("|" + text, "/a/+1<CR>", "one a\n|two a é\n  three a")
        expect("|" + text, "d/a/+1<CR>", "  |three a")
        expect("one a\ntwo a é\n|  three a", "?a?+1<CR>", "one a\ntwo a é\n|  three a")
        expect("|" + text, "/a/e+1<CR>", "one a\n|two a é\n  three a")
        expect("|" + text, "/a/e+1<CR>n", "one a\ntwo a| é\n  three a")
        expect("|" + text, "/a/s-2<CR>n", "one a\ntw|o a é\n  three a")
        expect("one a\ntwo a é\n  three |a", "?t?e+3<CR>n", "one a\ntwo| a é\n  three a")
        expect("|é é é", "/é/e<CR>n", "é é |é")
        expect("|" + text, "/two/;/a<CR>", "one a\ntwo |a é\n  three a")
        expect("|" + text, "/three/;?a?e+1<CR>", "one a\ntwo a| é\n  three a")
        expect("|" + text, "d/two/;/a<CR>", "|a é\n  three a")
        expect("|" + text, "/two/;/a<CR>n", "one a\ntwo a é\n  three |a")
        expect("|" + text, "/two<CR>/a/;//+1<CR>", "one a\ntwo a é\n|  three a")
    }

    @Test func `gn is the next match for an operator and for dot, and extends a selection`() {
        expect("|one a\ntwo a é", "/a<CR>ggcgnX<Esc>.", "one X\ntwo |X é")
        expect("|one a\ntwo a é", "/a<CR>ggdgn.", "one \ntwo | é")
        expect("|one a\ntwo a é", "/a<CR>GdgN", "one| \ntwo a é")
        expect("|one a\ntwo a é", "/a<CR>ggvgngnd", "| é")
        expect("|one a\ntwo a é", "/a<CR>ggvgnd", "|\ntwo a é")
        expect("|one a\ntwo a é", "/a<CR>GgNd", "one| \ntwo a é")
    }

    @Test func `a set of a pattern has classes`() {
        expect("|ab 12 -x", ":s/[[:digit:]]\\+/N/<CR>", "|ab N -x")
        expect("|ab 12 -x", ":s/[^[:alpha:]]/N/g<CR>", "|abNNNNNx")
        expect("|ab {} -x", ":s/[[:punct:][:space:]]/N/g<CR>", "|abNNNNNx")
        expect("|ab É2 -x", ":s/[[:upper:]a]/N/g<CR>", "|Nb N2 -x")
    }

    @Test func `what is in brackets is selected by characters, also from a block`() {
        expect("a (b\n|c\nd) e", "<C-v>i(d", "a (|) e")
        expect("a (b\n|c\nd) e", "Va(d", "a | e")
    }

    @Test func `keys that do nothing to a selection leave it`() {
        expect("|one a", "vezzd", "| a")
        expect("|one a\ntwo", "vjKd", "|wo")
        expect("|one a", "qqxqve@qP", "n|e a")
        expect("|one\ntwo\nthree", "Vqqjq<Esc>gg@qx", "one\n|wo\nthree")
    }

    @Test func `a search for the end of a line goes on behind a wide last character`() {
        expect("|é\ntwo\nx", "/$<CR>x", "é\nt|w\nx")
    }

    @Test func `a sentence that begins with a quotation is left for the next one`() {
        expect("a b?\n|\"to ab\" in Word\n(foo) one! two", ")x", "a b?\n\"to ab\" in Word\n(foo) one! |wo")
        expect("|a b?\n\"to ab\" in Word\n(foo) one! two", "2)x", "a b?\n\"to ab\" in Word\n(foo) one! |wo")
    }

    @Test func `blocks are changed in all their lines`() {
        expect("a|bc\nabc", "<C-v>jd", "a|c\nac")
        expect("|abc\nabc", "<C-v>jIx<Esc>", "|xabc\nxabc")
        expect("|abc\na\nabc", "<C-v>2jA!<Esc>", "|a!bc\na!\na!bc")
        expect("|abc\nabcd", "<C-v>j$A!<Esc>", "|abc!\nabcd!")
    }

    @Test func `wide characters and tabs that a block cuts leave blanks`() {
        let text = "a|bcd\n漢字x\nefgh"
        expect(text, "<C-v>jjd", "a|cd\n 字x\negh")
        expect(text, "<C-v>jjrz", "a|zcd\n z字x\nezgh")
        expect(text, "yl<C-v>jjp", "a|bcd\n b字x\nebgh")
        expect("a|bcd\n\tx\nefgh", "<C-v>jjrz", "a|zcd\n z  x\nezgh")
    }

    @Test func `surroundings are put around, changed and taken away`() {
        expect("on|e two", "ysiw*", "|*one* two")
        expect("a (b|c) d", "cs([", "a |[ bc ] d")
        expect("a \"b|c\" d", "ds\"", "a |bc d")
        expect("|one two", "veS)", "|(one) two")
        expect("  on|e", "yss\"", "  |\"one\"")
    }

    @Test func `numbers are added to, also in steps`() {
        expect("x |7", "5<C-a>", "x 1|2")
        expect("|a-3", "<C-x>", "a-|4")
        expect("|0\n0\n0", "VGg<C-a>", "|1\n2\n3")
    }

    @Test func `lines are moved, copied, sorted and deleted by command`() {
        expect("|c\na\nb", ":sort<CR>", "|a\nb\nc")
        expect("|a\nb\nc", ":m$<CR>", "b\nc\n|a")
        expect("a\n|b", ":t0<CR>", "|b\na\nb")
        expect("|a1\nb\na2", ":v/a/d<CR>", "a1\n|a2")
        expect("|one two", ":s/\\(one\\) \\(two\\)/\\2 \\u\\1/<CR>", "|two One")
        expect("|a\nb\nc", ":2,$d<CR>", "|a")
        expect("|a b", ":%normal wx<CR>", "a| ")
    }

    @Test func `what the text cannot do is handed on`() {
        var plain = PlainVimText("text")
        plain.press(VimKey.keys(":w<CR>:note.new x<CR><C-w>h<C-w>l:q<CR>"))
        #expect(
            plain.other == [
                .command("w"), .command("note.new x"), .request(.paneLeft), .request(.paneRight), .command("q"),
            ])
    }

    @Test func `the registers + and * are the system's clipboard`() {
        var plain = PlainVimText("one two")
        plain.press(VimKey.keys("\"+yiw"))
        #expect(plain.clipboard == "one")
        plain.clipboard = "x\ny\n"
        plain.press(VimKey.keys("\"+p"))
        #expect(plain.editor.buffer.string() == "one two\nx\ny")
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

    @Test func `one command after Ctrl-O may leave the caret at the end of the line`() {
        expect("one |two three", "a<C-o>Dx<Esc>", "one t|x")
        expect("ab|c", "A<C-o>~x<Esc>", "abC|x")
        expect("a|bc", "A<C-o>xx<Esc>", "ab|x")
        expect("|abc", "A<C-o>0x<Esc>", "|xabc")
        expect("|abc\nabcdef", "A<C-o>jx<Esc>", "abc\nabc|xdef")
        expect("a|bc", "i<C-o>$x<Esc>", "abc|x")
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

    @Test func `the mark of the last change stays where a yank or a case that was right leaves it`() {
        expect("|x y\ny z", "xjyyG`.", "| y\ny z")
        expect("|x y\ny z", "xjywgg$`.", "| y\ny z")
        expect("|x y\ny z", "xjguuG`.", "| y\ny z")
    }

    @Test func `the mark of the last change is in the lines that were put or copied`() {
        expect("|ab\ncd", "yyjpgg`.", "ab\ncd\n|ab")
        expect("|ab\ncd", "yyjPgg`.", "ab\n|ab\ncd")
        expect("|ab\ncd", ":t.<CR>G`.", "ab\n|ab\ncd")
        expect("|ab\ncd", "yy:2pu<CR>gg`.", "ab\ncd\n|ab")
    }

    @Test func `recording a macro leaves the unnamed register`() {
        expect("|one two", "ywqaxqqAxqP", "|ne two")
        expect("|one two", "yw$q\"h~q0p", "oh|~ne tWo")
    }

    @Test func `recording with a capital letter continues the last line of a register`() {
        expect("|ab\ncd", "\"ayyqAxq\"ap", "b\n|abx\ncd")
        expect("|x\nabcd\ne", "\"addqAlq@a", "acd\n|e")
    }

    @Test func `a word of one script is found beside those of others`() {
        expect("|日本語テスト a\nfoo 日本語テスト\n日本語", "*", "日本語テスト a\nfoo |日本語テスト\n日本語")
        expect("|foo日本 foo\nfoo日本", "*", "foo日本 |foo\nfoo日本")
        expect("|日本 日 かな日", "/\\<日\\>/e<CR>", "日本 |日 かな日")
        expect("|日本語テスト", ":s/テスト\\>/x/<CR>", "|日本語x")
        expect("|日本語テスト", ":s/\\<本//e<CR>", "|日本語テスト")
    }

    @Test func `typing goes on behind what Ctrl-O and p have put`() {
        expect("|ab cd", "ywix<C-o>py<Esc>", "xaab |yb cd")
        expect("|ab cd", "ywix<C-o>Py<Esc>", "xab |yab cd")
        expect("ab |cd", "yiwA<C-o>py<Esc>", "ab cdcd|y")
    }

    @Test func `insertion goes on in the last line where the text has become shorter`() {
        expect("\n|a\nb\n", "ix<Esc>:2,$d<CR>giy<Esc>", "|y\n", isFile: true)
    }

    @Test func `Delete takes back a digit of a count`() {
        expect("|one two", "12<Del>x", "|ne two")
        expect("|one two", "2<Del>x", "|ne two")
        expect("|one two three", "d3<Del>w", "|two three")
    }

    @Test func `Delete in Insert mode keeps the line feed at the end`() {
        expect("on|e\n", "A<Del>x<Esc>", "one|x\n", isFile: true)
        expect("|one\ntwo\n", "A<Del>x<Esc>", "one|xtwo\n", isFile: true)
    }

    @Test func `a count of Ctrl-D and Ctrl-U is of lines`() {
        var plain = PlainVimText(String(repeating: "x\n", count: 30), caret: 0)
        plain.rows = 20
        plain.press(VimKey.keys("3<C-d>"))
        #expect(plain.caret == 6)
        plain.press(VimKey.keys("2<C-u>"))
        #expect(plain.caret == 2)
    }

    @Test func `new lines get the line break of the lines around them`() {
        expect("on|e\r\ntwo\r\n", "ox<Esc>", "one\r\n|x\r\ntwo\r\n", isFile: true)
        expect("on|e\r\ntwo\r\n", "Ox<Esc>", "|x\r\none\r\ntwo\r\n", isFile: true)
        expect("|one\r\ntwo\r\n", "Vjy2p", "one\r\n|one\r\ntwo\r\none\r\ntwo\r\ntwo\r\n", isFile: true)
        expect("|one\r\ntwo\r\n", "Vjygp", "one\r\none\r\ntwo\r\n|two\r\n", isFile: true)
        expect("|two\r\none\r\n", ":sort<CR>", "|one\r\ntwo\r\n", isFile: true)
        expect("|two\r\none\r\n", ":m$<CR>", "one\r\n|two\r\n", isFile: true)
        expect("two\r\n|one\r\n", ":m0<CR>", "|one\r\ntwo\r\n", isFile: true)
        expect("|one\r\ntwo\r\n", ":t.<CR>", "one\r\n|one\r\ntwo\r\n", isFile: true)
        expect("|a b\r\nc\r\n", ":s/ /\\r/<CR>", "a\r\n|b\r\nc\r\n", isFile: true)
        expect("a| b\r\nc\r\n", "r<CR>", "a\r\n|b\r\nc\r\n", isFile: true)
        expect("|one\r\ntwo\r\n", "yyO<C-r>\"<Esc>x", "one\r\n|\r\none\r\ntwo\r\n", isFile: true)
        expect("|ab\r\ncd\r\n", "vjy<C-v>jp", "|ab\r\ncb\r\nd\r\n", isFile: true)
    }

    @Test func `Ctrl-O ends an insertion for undo, dot and counts, and begins one after any command`() {
        expect("th|ree a\nfive", "iab<C-o>~cd<Esc>u", "thabR|ee a\nfive")
        expect("th|ree a\nfive", "iab<C-o>~cd<Esc>uu", "thab|ree a\nfive")
        expect("th|ree a four", "iab<C-o>wcd<Esc>w.", "thabree cda c|dfour")
        expect("th|ree a four", "cwab<C-o>wcd<Esc>w.", "thab cda c|dfour")
        expect("th|ree a four", "3iab<C-o>wcd<Esc>", "thabree c|da four")
        expect("th|ree a four", "3iab<C-o>w<Esc>", "thabree| a four")
        expect("|one\ntwo", "Ax<C-o>uy<Esc>", "one|y\ntwo")
        expect("|one\none", "iab<C-o>:s/o/0/<CR>cd<Esc>", "c|dab0ne\none")
        expect("|one two", "iab<C-o>/tw<CR>cd<Esc>", "abone c|dtwo")
        expect("|one two", "iab<C-o>cwcd<Esc>x", "abc| two")
        expect("|one two\none two", "qaiab<C-o>wcd<Esc>qj0@a", "abone cdtwo\nabone c|dtwo")
    }

    @Test func `dot after a caret that was moved while typing inserts what was typed behind the move`() {
        expect("th|ree a\nfive six", "cwab<Home>cd<Esc>j.", "cdthab a\nfc|dive six")
        expect("|one\ntwo", "Aab<Home>cd<Esc>j.", "cdoneab\ntc|dwo")
        expect("|one\ntwo", "oab<Home>cd<Esc>j.", "one\ncdab\ntc|dwo")
        expect("|one\ntwo", "oab<Home><Esc>j.", "one\nab\ntwo\na|b")
        expect("|one\ntwo", "cwab<Home><Esc>j.", "ab\na|b")
        expect("|one\ntwo", "Aab<Home>cd<Esc>j2.", "cdoneab\ntcdc|dwo")
    }

    @Test func `Ctrl-T and Ctrl-D indent to the next stop and keep the caret in its text`() {
        expect("     |x\ny", "iab<C-d>cd<Esc>", "    abc|dx\ny")
        expect("     |x\ny", "i<C-t>c<Esc>", "        |cx\ny")
        expect("|     x\ny", "i<C-d>c<Esc>", "|c    x\ny")
        expect("     |x\ny", "i<C-d><C-d>c<Esc>", "|cx\ny")
        expect("|\ny", "i<C-t><C-t><C-d>c<Esc>", "    |c\ny")
        expect("\t |x", "i<C-d>c<Esc>", "    |cx")
        expect("  |x", "Rab<C-t>c<Esc>", "    ab|c")
    }

    @Test func `an empty match counts where no match ended`() {
        expect("|axbxxc\n\nxx", ":%s/x*/-/g<CR>", "-a-b-c\n-\n|-")
        expect("|aé漢", ":s/x*/-/g<CR>", "|-a-é-漢")
        expect("|abc", ":s/\\(b\\|$\\)/-/g<CR>", "|a-c-")
        expect("|ab", ":s/\\(b\\|$\\)/-/g<CR>", "|a-")
    }

    @Test func `dot goes through the numbered registers`() {
        expect("|a\nb\nc\nd\ne", "dddddd\"1p..", "d\nc\nb\n|a\ne")
        expect("|a\nb\nc\nd\ne", "dddddd\"1pu.u.", "d\n|a\ne")
    }

    @Test func `numbers are decimal, hexadecimal after 0x and binary after 0b`() {
        expect("|0xff", "<C-a>", "0x10|0")
        expect("x |0x0Fg", "<C-a>", "x 0x1|0g")
        expect("0XA|b", "<C-a>", "0Xa|c")
        expect("-0x|1", "<C-a>", "-0x|2")
        expect("0b10|1 0b2", "<C-a>", "0b11|0 0b2")
        expect("0b101 0b|2", "<C-a>", "0b101 0b|3")
        expect("|0x00", "<C-x>", "0xfffffffffffffff|f")
        expect("|007 -09", "9<C-x>", "-00|2 -09")
    }

    @Test func `marks of a change are where vim has them`() {
        expect("one |two\nthree", "dwgg0y`[P", "on|eone \nthree")
        expect("o|ne two", "dwud`[", "|ne two")
        expect("|one\ntwo", "Ax<Esc>0c`]y<Esc>", "|yx\ntwo")
        expect("|one\ntwo", "yyp`]x", "one\no|n\ntwo")
    }

    @Test func `dot after a put over a selection deletes as much`() {
        expect("|foo bar\nbaz qux", "ywwviwpj.", "foo foo \nbaz q|u")
    }

    @Test func `a block that ends at the ends of its lines fills short ones`() {
        var plain = PlainVimText("abcdef\n\nabcdefgh", caret: 2)
        plain.press(VimKey.keys("<C-v>2j$y"))
        #expect(plain.machine.register("\"")?.text == "cdef\n       \ncdefgh")
    }

    @Test func `a text of no lines has nothing to delete, and undo brings its lines back`() {
        var plain = PlainVimText("one")
        plain.press(VimKey.keys("ddccx<Esc>"))
        #expect(plain.machine.register("\"")?.text == "one")
        plain.press(VimKey.keys("uuyydd"))
        #expect(plain.editor.buffer.isEmpty)
        plain.press(VimKey.keys("udd"))
        #expect(plain.editor.buffer.isEmpty && plain.machine.register("\"")?.text == "one")
    }

    @Test func `a command that changes nothing is a step of undo where it is in vim`() {
        expect("|one\n", "xjxu", "ne\n|")
        expect("|ab", "xv<C-a>u", "|b")
        expect("|one", "x\"zPu", "|ne")
    }

    @Test func `an operator to the next word stops at the end of the line, also behind blanks`() {
        expect("|one  \ntwo x", "dw", "|\ntwo x")
        expect("one|  \n  two x", "dw", "on|e\n  two x")
        expect("a\n|  \nb", "dw", "a\n|\nb")
        expect("|a one  \n  two x", "d2w", "|\n  two x")
        expect("a |one  \n  two x", "d2w", "a |x")
        expect("|  \n  two x", "cwz<Esc>", "|z\n  two x")
    }

    @Test func `a wide character in a block is replaced by two narrow ones`() {
        expect("|ab漢c\nabcdef", "<C-v>jlllr-", "|----c\n----ef")
    }

    @Test func `what is deleted goes through register 1, whatever its own`() {
        var plain = PlainVimText("one\ntwo")
        plain.press(VimKey.keys("\"1dd."))
        #expect(plain.machine.register("\"")?.text == "two")
    }

    @Test func `shifting moves the caret to the first of the lines`() {
        expect("a\n    |item\nb", "<lt>j", "a\n|item\nb")
        expect("one\n    i|tem\n\nb", "<lt>k", "|one\nitem\n\nb")
    }

    @Test func `a count of sentences that are not there is refused`() {
        expect("|one\ntwo\n", "3)", "|one\ntwo\n")
        expect("|one\ntwo\n", "d4)", "|one\ntwo\n")
        expect("|one\ntwo\n", "2)", "one\ntwo\n|")
    }

    @Test func `pending keys, mode and recording can be shown`() {
        var plain = PlainVimText("text")
        plain.press(VimKey.keys("\"a2d"))
        #expect(plain.machine.pendingLabel == "\"a2d")
        plain.press(VimKey.keys("<Esc>qz"))
        #expect(plain.machine.recordingName == "z" && plain.machine.mode == .normal)
        plain.press(VimKey.keys("q<C-v>"))
        #expect(plain.machine.recordingName == nil && plain.machine.mode == .visualBlock)
        plain.press(VimKey.keys("<Esc>:se"))
        #expect(plain.machine.line?.text == ":se")
    }

    /// The text becomes shorter than the position of the selection.
    @Test func `a stale selection and an edit from elsewhere do no harm`() {
        var plain = PlainVimText("one\ntwo\nthree")
        plain.press(VimKey.keys("Gvgg"))
        plain.replaceAll(with: "x")
        plain.press(VimKey.keys("d"))
        #expect(plain.editor.buffer.string().count <= 1)
    }

    @Test func `characters are clusters`() {
        expect("|e\u{301}👩‍👩‍👧x", "x", "|👩‍👩‍👧x")
        expect("|👩‍👩‍👧x", "lx", "|👩‍👩‍👧")
        expect("a\r\n|b", "kx", "|\r\nb")
    }
}
