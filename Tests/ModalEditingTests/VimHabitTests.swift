import ModalEditing
import Testing
import TextEditing
import VimCases

/// What the hands of vim's users do, with vim's own results but where a comment says otherwise.
@Suite struct VimHabitTests {
    @Test func `sentences are selected over empty lines as in vim`() {
        let (above, below) = ("A first. Two.\nA third line. Fourth.\n", "After blanks. And more.\n   \nLast.\n")
        expect(above + "|\n\n" + below, "vasd", above + "|" + below, isFile: true)
        expect(above + "\n|\n" + below, "vasd", above + "\n| And more.\n   \nLast.\n", isFile: true)
        expect(above + "|\n\n" + below, "vasasd", above + "|And more.\n   \nLast.\n", isFile: true)
        expect(above + "\n|\n" + below, "visd", above + "\n|" + below, isFile: true)
        expect(above + "\n|\n" + below, "v2isd", above + "\n| And more.\n   \nLast.\n", isFile: true)
        expect(above + "\n|\n" + below, "vkasd", above + "\n|" + below, isFile: true)
        expect(
            above + "\n\n|" + below, "vkasd", "A first. Two.\nA third line. |fter blanks. And more.\n   \nLast.\n",
            isFile: true)
    }

    @Test func `a selection between quotes grows by the quotes`() {
        expect("a \"b|c\" d", "vi\"i\"d", "a | d")
        expect("a \"b|c\" d", "vi\"d", "a \"|\" d")
    }

    @Test func `a selection over several lines stays one of characters when paragraphs are added`() {
        expect("a|1\na2\n\n\nb1\n\nc1\n", "vjipd", "a|b1\n\nc1\n", isFile: true)
        expect("a|1\na2\n\n\nb1\n\nc1\n", "vipd", "|\n\nb1\n\nc1\n", isFile: true)
    }

    @Test func `a line that r divides keeps its indent, as one that is divided by typing`() {
        expect("    ab|   cd\nx", "r<CR>", "    ab\n   | cd\nx")
        expect("    a|b cd", "2r<CR>", "    a\n   | cd")
        expect("    ab| ", "r<CR>", "    ab\n|")
        expect("\ta|b", "r<CR>", "\ta\n|")
    }

    @Test func `headings are gone through`() {
        let text = "|one\n# A\ntext\n## B\n#tag\n####### no\n#\nend\n"
        expect(text, "]]x", "one\n| A\ntext\n## B\n#tag\n####### no\n#\nend\n", isFile: true)
        expect(text, "3]]x", "one\n# A\ntext\n## B\n#tag\n####### no\n|\nend\n", isFile: true)
        expect(text, "4]]x", "|ne\n# A\ntext\n## B\n#tag\n####### no\n#\nend\n", isFile: true)
        expect(text, "Gd2[[", "one\n# A\ntext\n|end\n", isFile: true)
    }

    @Test func `the places of changes are gone through`() {
        expect("|a1\nb2\nc3", "xjxjxggg;g;", "1\n|2\n3")
        expect("|a1\nb2\nc3", "xjxjxgg9g;g,", "1\n|2\n3")
        expect("|a1\nb2", "g;x", "|1\nb2")
        // Changes at most 79 bytes apart in a line are one place.
        let line = String(repeating: "a", count: 89)
        expect("|x\(line)", "x79lx0g;g;rX", "\(line.prefix(79))|X\(line.prefix(8))")
        expect("|x\(line)", "x80lx0g;g;rX", "|X\(line.prefix(87))")
        // What is put or opened below is one change, in its own line.
        expect("|a1\nb2\n", "yypG9g;x", "a1\n|1\nb2\n", isFile: true)
    }

    @Test func `redo of a cut at the end stays on the last line`() {
        expect("one\n  two\nth|ree\n", "ddu<C-r>", "one\n  |two\n", isFile: true)
    }

    @Test func `gv selects the match on which an operator acted`() {
        expect("|foo bar foo\nbar", "/foo<CR>cgnX<Esc>gvd", "foo bar |bar")
        expect("|foo bar foo\nbar", "/foo<CR>cgNX<Esc>gvd", "foo bar |bar")
        expect("|foo bar foo\nbar", "/foo<CR>ygngvd", "foo bar| \nbar")
    }

    @Test func `undo brings back the selection that was changed`() {
        expect("|one\ntwo\nthree", "vjdugvd", "|wo\nthree")
        expect("|one two", "viwcXX<Esc>ugvd", "| two")
        // The step that is undone was not made of a selection.
        expect("|one two three", "viwUwxugvd", "| two three")
    }

    @Test func `a block that reaches to the ends of its lines does so again`() {
        expect("|one\nlonger\nmid", "<C-v>jj$A!<Esc>gvA?<Esc>", "|one!?\nlonger!?\nmid!?")
        expect("o|ne\nlonger", "$<C-v>jA!<Esc>", "on|e!\nlonger!")
    }

    @Test func `a block has its width when a change of it is repeated, and its typing has a count`() {
        expect(
            "|short\na much longer line here\n\nmid line\nx\n", "<C-v>4jld.", "|t\nch longer line here\n\nline\n\n",
            isFile: true)
        expect("|ab\ncd", "<C-v>j2Ix<Esc>", "|xxab\nxxcd")
    }

    @Test func `a block is put as lines by a command, and a selection is divided by r`() {
        expect("|ab\ncd", "<C-v>jy:pu<CR>", "ab\na\n|c\ncd")
        // Vim writes carriage returns here, and line breaks only in a block.
        expect("|abcd", "vlr<CR>", "|\n\ncd")
    }

    @Test func `an indent in which nothing was typed does not stay`() {
        expect("  on|e", "o<Esc>", "  one\n|")
        expect("  on|e", "O<Esc>", "|\n  one")
        expect("  |one", "A<CR><Esc>", "  one\n|")
        expect("  on|e", "o<Esc>u", "  on|e")
    }

    @Test func `keys of Insert mode delete and insert as in vim`() {
        expect("  one |two", "A<C-u>x<Esc>", "  |x")
        expect("|b", "ix<Esc>a<C-a><Esc>", "x|xb")
        expect("|one two", "yiwwR<C-r>\"<Esc>", "one on|e")
        // At the start of the text Ctrl-W deletes nothing, and dot repeats nothing of it.
        expect("|one two", "cw<C-w>X<Esc>w.", "X |X")
    }

    @Test func `marks stay in their lines while these are typed in, joined and deleted`() {
        expect("|one\ntwo", "maix<CR>y<Esc>`ax", "|\nyone\ntwo")
        expect("one\n|two", "makJ`ax", "one |wo")
        expect("|one\ntwo", "maOnew<Esc>`ax", "new\n|ne\ntwo")
        // Insert mode begins at the caret if the line in which it was left is gone.
        expect("|one\ntwo", "ix<Esc>ddgi!<Esc>", "|!two")
    }

    @Test func `a mark in an empty line stays there while lines are opened below it`() {
        expect("one\n|\ntwo", "maonew<Esc>gg'aiy<Esc>", "one\n|y\nnew\ntwo")
        expect("one\n|\ntwo", "mai<CR>x<Esc>gg'aiy<Esc>", "one\n|y\nx\ntwo")
        expect("one\n|\ntwo", "mayypgg'aiy<Esc>", "one\n|y\n\ntwo")
        expect("one\n|\ntwo", "ma:t.<CR>gg'aiy<Esc>", "one\n|y\n\ntwo")
        expect("one\n|\ntwo", "maOnew<Esc>gg'aiy<Esc>", "one\nnew\n|y\ntwo")
        expect("one\n|\ntwo", "vyonew<Esc>gg`<lt>iy<Esc>", "one\n|y\nnew\ntwo")
    }

    @Test func `a line goes on at the caret's own column after a yank, a shift and a command line`() {
        expect("abcdef|ghi\na\nabcdefghi", "jyyjx", "abcdefghi\na\n|bcdefghi")
        expect("abcdef|ghi\na\nabcdefghi", "jywjx", "abcdefghi\na\n|bcdefghi")
        expect("abcdef|ghi\na\nabcdefghi", "$jyyjx", "abcdefghi\na\n|bcdefghi")
        expect("abcdef|ghi\na\nabcdefghi", "jy$jx", "abcdefghi\na\n|bcdefghi")
        expect("o|ne\ntwo\nthree", "Vj>jx", "    one\n    |wo\nthree")
        expect("on|e\ntwo\nthree", "vj>jx", "    one\n    |wo\nthree")
        expect("one\n|    two\n    three\nfour", "$Vj<lt>jx", "one\ntwo\n|hree\nfour")
        expect("|one\n  two\nthree", "$:d<CR>jx", "  two\nth|ee")
    }

    @Test func `gv selects what was selected by hand, not what dot changed`() {
        expect("|one two\none two", "viw~j.gvx", "| two\nONE two")
        expect("|one\ntwo\nthree\nfour", "Vdj.gvx", "|four")
    }

    @Test func `undo brings back the marks that the change has removed`() {
        expect("one\n|two\nthree", "makdjuG'ax", "one\n|wo\nthree")
        expect("one\n|two\nthree", "makJuG`ax", "one\n|wo\nthree")
        expect("one\n|two\nthree", "majmbkddu'bx'ax", "one\n|wo\nhree")
        expect("one\n|two\nthree", "madGuGgg'ax", "one\n|wo\nthree")
        // A command that changes nothing makes no step, and marks follow the undo of the step before it.
        expect("one\n|two\nthree\nfour", "maggddi<Esc>u'ax", "one\n|wo\nthree\nfour")
        expect("one\n|two\nthree\nfour", "ma:g/t/d<CR>uG'ax", "one\n|wo\nthree\nfour")
    }

    @Test func `a line that is played as a macro ends by j, not by Enter`() {
        expect("|one\ntwo", "Ojx<Esc>\"addl@a", "one\nt|o")
        expect("|one\ntwo", "Ofex<Esc>\"addl@a@a", "on\nt|wo")
    }

    @Test func `r and Tab put blanks up to the tab stop`() {
        expect("|one\ntwo", "r<Tab>", "   | ne\ntwo")
        expect("o|ne\ntwo", "2r<Tab>", "o      | \ntwo")
        expect("|one\ntwo", "r<Tab>j.", "    ne\ntw | ")
    }

    @Test func `the pattern of a substitution and of g is in the register for searches`() {
        expect("|one\ntwo", ":s/n/N/<CR>i<C-r>/<Esc>", "|noNe\ntwo")
        expect("|one\ntwo", ":g/t/d<CR>i<C-r>/<Esc>", "|tone")
    }

    @Test func `gp over a selection goes behind what it has put`() {
        expect("|one two\nthree", "ywwvegpix<Esc>", "one one|x \nthree")
        expect("|one two\nthree", "yyjVgp", "one two\n|one two")
        expect("|one two\nthree\nfour", "yyjVgP", "one two\none two\n|four")
        expect("|one two\nthree\nfour", "yyjvlgp", "one two\n\none two\n|ree\nfour")
        expect("|one two\nthree\nfour", "ywj<C-v>jgp", "one two\none |hree\none our")
    }

    @Test func `gi goes on where typing in a block ended`() {
        expect("|ab\ncd", "<C-v>jIx<Esc>gi+<Esc>", "x|+ab\nxcd")
        expect("|ab\ncd", "<C-v>jAx<Esc>gi+<Esc>", "ax|+b\ncxd")
        expect("|ab\ncd", "<C-v>j$Axy<Esc>gi+<Esc>", "abxy|+\ncdxy")
    }

    @Test func `the repetition of a substitution forgets its flags`() {
        expect("|eee\neee\neee", ":s/e/E/g<CR>j&j:&&<CR>", "EEE\nEee\n|Eee")
    }

    @Test func `a block is replaced by line breaks and by tabs`() {
        expect("|abcd\nefgh\nij", "<C-v>jlr<CR>", "|\ncd\n\ngh\nij")
        expect("a|bcd\nefgh\ni", "<C-v>jjlr<CR>", "|a\ncd\ne\ngh\ni")
        expect("a|bcd\nefgh\ni", "<C-v>j$r<CR>", "|a\n\ne\n\ni")
        expect("|abcd\nefgh\nij", "<C-v>jlr<CR>j.", "\n|\n\n\ngh\nij")
        expect("|abcd\nefgh\nij", "<C-v>jlr<Tab>", "|\t\tcd\n\t\tgh\nij")
        expect("|abcd\nefgh\nij", "vlr<Tab>", "|\t\tcd\nefgh\nij")
    }

    @Test(arguments: ["=ap", "=i(", "==", "gwip", "gww", "g?iw", "g?g?", "zfap", "gcip", "gcc", "=/w<CR>"])
    func `an operator of vim that does nothing here takes its motion, and says so`(keys: String) {
        var plain = PlainVimText(marked: "o|ne two\nthree")
        var refused: [String] = []
        for key in VimKey.keys(keys) {
            for case .refused(let reason) in plain.pressed(key) { refused.append(reason ?? "") }
        }
        #expect(refused.count == 1 && refused.allSatisfy { $0.hasSuffix(" is not supported") })
        #expect(plain.marked == "o|ne two\nthree" && plain.machine.isIdle)
    }

    @Test(arguments: ["K", "za", "gm", "<C-w>v", "gR", "v=", "vgw"])
    func `a command that is not supported says so`(keys: String) {
        var plain = PlainVimText(marked: "o|ne")
        plain.press(Array(VimKey.keys(keys).dropLast()))
        let effects = VimKey.keys(keys).last.map { plain.pressed($0) } ?? []
        let name = keys.first == "v" ? String(keys.dropFirst()) : keys
        #expect(effects.contains(.refused("\(name) is not supported")))
    }

    @Test func `Ctrl-P and Ctrl-N go through all earlier lines of the command line`() {
        expect("|aaa", ":s/a/b/<CR>:noh<CR>:s/<C-p><C-p><CR>", "|bba")
        expect("|aaa", ":s/a/b/<CR>:noh<CR>:s/<C-p><C-p><C-n><C-n>a/c/<CR>", "|bca")
        expect("|a aa a", "/aa<CR>/x<C-p><CR>x", "a |a a")
    }

    @Test func `a command line takes registers, the word at the caret, and earlier lines`() {
        expect("one |two", ":s/<C-r><C-w>/x/<CR>", "|one x")
        expect("|one two", "yiw:s/<C-r>\"/x/<CR>", "|x two")
        expect("|aaa", ":s/a/b/<CR>:<Up><CR>", "|bba")
        expect("|aaa", ":s/a/b/<CR>:s/a/c/<CR>:noh<CR>:s<Up><Up><CR>", "|bcb")
        expect("|aaa", ":s/a/b/<CR>:s/a/c<Up><Down>/<CR>", "|bca")
        expect("|one two one", "/two<CR>/one<CR>/<Up><Up><CR>x", "one |wo one")
    }

    @Test func `commands may be abbreviated as in vim`() {
        expect("|one\ntwo\nthree", ":del 2<CR>", "|three")
        expect("|one\ntwo", ":2ka<CR>'ax", "one\n|wo")
        expect("one\n|two", "yy:0pu<CR>", "|two\none\ntwo")
        expect("|a\nb", ":1,2p<CR>x", "a\n|")
        expect("|a\nb\nc\nd", ":d<CR>@:@@", "|d")
        expect("|aa\naa", ":s/a/X/<CR>j:s/a/~~/<CR>", "Xa\n|XXa")
        expect("|aa", ":s/a/\\~/<CR>", "|~a")
    }

    @Test func `motions reach the bounds of the row`() {
        expect("one tw|o three", "g0x", "|ne two three")
        expect("one tw|o three", "g$x", "one two thr|e")
        expect("one tw|o three", "dg$", "one t|w")
        expect("  one |two", "g^x", "  |ne two")
    }

    @Test func `an accent that is typed after its letter leaves the caret in the command line`() {
        var plain = PlainVimText(marked: "|one")
        plain.press([.character(":"), .character("e"), .character("\u{301}"), .character("x"), .left, .character("y")])
        #expect(plain.machine.line?.text == ":e\u{301}yx")
        plain.press([.backspace, .backspace, .backspace, .escape])
        #expect(plain.machine.line == nil && plain.marked == "|one")
    }

    @Test(arguments: ["y", "d"])
    func `a block goes to the system's clipboard too`(key: Character) {
        var plain = PlainVimText(marked: "|ab\ncd")
        plain.press(VimKey.keys("<C-v>j\"+"))
        #expect(plain.pressed(.character(key)).contains(.copy("a\nc")))
    }

    @Test func `a blank at the end of the keys of normal is a key after g as well`() {
        expect("|a\nb", ":g/a/normal I- <CR>", "-| a\nb")
        expect("|a\nb", ":g/a/ normal! A x <CR>", "a x| \nb")
    }

    @Test func `going to a line beyond the end goes to the last one, unlike other commands there`() {
        expect("o|ne\ntwo", ":999<CR>", "one\n|two")
        expect("o|ne\ntwo\nthree", ":+9<CR>", "one\ntwo\n|three")
        expect("o|ne\ntwo\nthree\n", ":9<CR>", "one\ntwo\n|three\n", isFile: true)
        expect("o|ne\ntwo\nthree", ":2,999d<CR>", "o|ne\ntwo\nthree")
        expect("o|ne\ntwo\nthree", ":9d<CR>", "o|ne\ntwo\nthree")
    }

    @Test func `lines that are equal to a sort come backwards too, and only the same text twice counts as once`() {
        expect("|b 1\nB 1\nx\ny\na 0\nA 0", ":sort! n<CR>", "|B 1\nb 1\nA 0\na 0\ny\nx")
        expect("|b\nB\na\nA", ":sort! i<CR>", "|B\nb\nA\na")
        expect("|b\nB\na\nA\nb", ":sort! iu<CR>", "|b\nA")
        expect("|b 1\nB 1\nB 1\nx\ny", ":sort nu<CR>", "|x\ny\nb 1\nB 1")
        // The same letter in two encodings is not the same text.
        expect("|e\u{301}1\n\u{E9}1", ":sort nu<CR>", "|e\u{301}1\n\u{E9}1")
    }

    @Test func `the register of typed text has what was typed before Ctrl-O`() {
        expect("|a", "onew <C-o>~b<C-r>.<Esc>", "a\nnew bnew| ")
    }

    @Test func `a sentence extends whole lines by whole lines`() {
        expect("On|e two. Three four. Five.\nSix\nSeven", "Vjasd", "|")
        expect("On|e two. Three four. Five.\nSix\nSeven", "Vipisd", "|")
        expect("On|e two. Three four. Five.\nSix", "Vasd", "|Three four. Five.\nSix")
    }

    @Test func `a selected line that begins a paragraph is extended by the next one`() {
        expect("|a\n\nb\n\nc", "Vapd", "|\nc")
        expect("|a\n\nb\n\nc", "Vipd", "|b\n\nc")
        expect("|a\n\nb\n\nc\n\nd", "V2apd", "|\nd")
        expect("a\n|\nb\n\nc", "Vapd", "a\n|c")
        // The last one has nothing to extend to, and takes the blank line before it.
        expect("a\n\nb\n\n|c", "Vapd", "a\n\n|b")
        expect("a|bc\nb\n\nb", "Vapd", "|b")
    }

    @Test func `a block whose caret is in a short line keeps its sides`() {
        expect("ab|cd\n\nxyz", "<C-v>jOd", "|d\n\nxyz")
        expect("abc|d\ne\nxyz", "<C-v>jOd", "|a\ne\nxyz")
        expect("a|b\ncd", "<C-v>jOd", "|a\nc")
    }

    @Test func `a line without a number ends no macro`() {
        expect("|x 1\n\ny 3\nz 4", "qa<C-a>jq3@a", "x 2\n\ny 4\nz |5")
        expect("|a\nbc", "V<C-a>x", "|\nbc")
    }

    @Test func `shifting an empty line is a step of undo`() {
        expect("|abc\n", "xj>>u", "bc\n|")
        expect("|abc\n", "xjV>u", "bc\n|")
    }

    @Test func `gv selects moved lines where they are now`() {
        expect("|ab\nb\nc\nd", "Vj:m'>+1<CR>gvd", "c\n|d")
        expect("a\nb\n|c\nd", "V:m0<CR>gvd", "|a\nb\nd")
        expect("a|b\nbc\nc\nd", "vj:m'>+1<CR>gvd", "c\n|a\nd")
        // Lines that others have passed are followed, too.
        expect("a\n|b\nc\nd", "Vj<Esc>:1m$<CR>gvd", "|d\na")
    }

    @Test func `a deletion to the end of an empty line is repeated to the end of another`() {
        expect("abc\n|\ndef", "v$d.", "abc\n|")
    }
}
