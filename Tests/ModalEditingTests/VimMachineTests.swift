import ModalEditing
import Testing
import TextEditing
import VimCases

/// Tests vim's commands in Normal and Visual mode.
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

    @Test func `Delete takes back a digit of a count`() {
        expect("|one two", "12<Del>x", "|ne two")
        expect("|one two", "2<Del>x", "|ne two")
        expect("|one two three", "d3<Del>w", "|two three")
    }

    @Test func `a count of Ctrl-D and Ctrl-U is of lines`() {
        var plain = PlainVimText(String(repeating: "x\n", count: 30), caret: 0)
        plain.rows = 20
        plain.press(VimKey.keys("3<C-d>"))
        #expect(plain.caret == 6)
        plain.press(VimKey.keys("2<C-u>"))
        #expect(plain.caret == 2)
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
