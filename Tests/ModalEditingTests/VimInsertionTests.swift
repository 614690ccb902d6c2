import ModalEditing
import Testing
import TextEditing
import VimCases

/// Tests typing with vim's keys: Insert mode, Ctrl-O, and what dot makes of it.
@Suite struct VimInsertionTests {
    @Test func `one command after Ctrl-O may leave the caret at the end of the line`() {
        expect("one |two three", "a<C-o>Dx<Esc>", "one t|x")
        expect("ab|c", "A<C-o>~x<Esc>", "abC|x")
        expect("a|bc", "A<C-o>xx<Esc>", "ab|x")
        expect("|abc", "A<C-o>0x<Esc>", "|xabc")
        expect("|abc\nabcdef", "A<C-o>jx<Esc>", "abc\nabc|xdef")
        expect("a|bc", "i<C-o>$x<Esc>", "abc|x")
    }

    @Test func `typing goes on behind what Ctrl-O and p have put`() {
        expect("|ab cd", "ywix<C-o>py<Esc>", "xaab |yb cd")
        expect("|ab cd", "ywix<C-o>Py<Esc>", "xab |yab cd")
        expect("ab |cd", "yiwA<C-o>py<Esc>", "ab cdcd|y")
    }

    @Test func `insertion goes on in the last line where the text has become shorter`() {
        expect("\n|a\nb\n", "ix<Esc>:2,$d<CR>giy<Esc>", "|y\n", isFile: true)
    }

    @Test func `Delete in Insert mode keeps the line feed at the end`() {
        expect("on|e\n", "A<Del>x<Esc>", "one|x\n", isFile: true)
        expect("|one\ntwo\n", "A<Del>x<Esc>", "one|xtwo\n", isFile: true)
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
}
