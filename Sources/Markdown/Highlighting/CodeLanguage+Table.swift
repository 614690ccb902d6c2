extension CodeLanguage {
    /// The info string names of each language, in the order of the language numbers from 1 on.
    static let names: [[String]] = [
        ["swift"],
        ["python", "py", "python3"],
        ["javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx"],
        ["rust", "rs"],
        ["go", "golang"],
        ["c", "h", "cpp", "c++", "cc", "cxx", "hpp", "objc", "objective-c", "csharp", "cs", "zig"],
        ["java"],
        ["kotlin", "kt", "kts", "scala", "groovy"],
        ["ruby", "rb"],
        ["sh", "bash", "zsh", "shell", "console", "fish", "makefile", "make", "dockerfile"],
        ["sql", "sqlite", "postgres", "postgresql", "mysql", "plsql"],
        ["json", "jsonc", "json5"],
        ["yaml", "yml"],
        ["toml", "ini", "conf", "properties", "env"],
        ["html", "xml", "svg", "xhtml", "plist", "vue"],
        ["css", "scss", "less", "sass"],
        ["diff", "patch"],
    ]

    /// The language with the given number.
    ///
    /// Each language is created on first use, because most notes have code in one language or none.
    static subscript(number: UInt8) -> CodeLanguage? {
        switch number {
        case 1: swift
        case 2: python
        case 3: script
        case 4: rust
        case 5: go
        case 6: c
        case 7: java
        case 8: kotlin
        case 9: ruby
        case 10: shell
        case 11: sql
        case 12: json
        case 13: yaml
        case 14: toml
        case 15: markup
        case 16: css
        case 17: diff
        default: nil
        }
    }

    // The keywords are from each language's reference.

    private static let slashes: [StaticString] = ["//"]
    private static let hash: [StaticString] = ["#"]
    private static let bothQuotes = [Byte.quote, Byte.apostrophe]

    private static let swift = CodeLanguage(
        keywords: words(
            """
            actor any as associatedtype async await break case catch class continue convenience default defer deinit do \
            else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout \
            internal is isolated lazy let mutating nil nonisolated nonmutating open operator optional override package \
            precedencegroup private protocol public repeat required rethrows return self Self set some static struct \
            subscript super switch throw throws true try typealias unowned var weak where while willSet didSet
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), longStrings: ["\"\"\""], hasCapitalTypes: true)

    private static let python = CodeLanguage(
        keywords: words(
            """
            False None True and as assert async await break case class continue def del elif else except finally for \
            from global if import in is lambda match nonlocal not or pass raise return self try while with yield
            """),
        lineComments: hash, quotes: bothQuotes, longStrings: ["\"\"\"", "'''"], hasCapitalTypes: true)

    private static let script = CodeLanguage(
        keywords: words(
            """
            abstract any as async await boolean break case catch class const constructor continue debugger declare \
            default delete do else enum export extends false finally for from function get if implements import in \
            infer instanceof interface is keyof let module namespace never new null number of private protected public \
            readonly return satisfies set static string super switch symbol this throw true try type typeof undefined \
            unknown var void while with yield
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), quotes: bothQuotes, longStrings: ["`"],
        hasCapitalTypes: true)

    private static let rust = CodeLanguage(
        keywords: words(
            """
            as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i128 i16 \
            i32 i64 i8 if impl in isize let loop macro_rules match mod move mut pub ref return self Self static str \
            struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while yield
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), hasCapitalTypes: true)

    private static let go = CodeLanguage(
        keywords: words(
            """
            any bool break byte case chan const continue default defer else error fallthrough false float32 float64 for \
            func go goto if import int int16 int32 int64 int8 interface iota map nil package range return rune select \
            string struct switch true type uint uint16 uint32 uint64 uint8 uintptr var
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), quotes: bothQuotes, longStrings: ["`"])

    private static let c = CodeLanguage(
        keywords: words(
            """
            alignas alignof asm auto bool break case catch char class concept const const_cast consteval constexpr \
            constinit continue co_await co_return co_yield decltype default define defined delete do double \
            dynamic_cast elif else endif enum explicit export extern false final float for friend goto if ifdef ifndef \
            include inline int int16_t int32_t int64_t int8_t long mutable namespace new noexcept NULL nullptr operator \
            override pragma private protected public register reinterpret_cast requires restrict return short signed \
            size_t sizeof static static_assert static_cast struct switch template this thread_local throw true try \
            typedef typeid typename uint16_t uint32_t uint64_t uint8_t undef union unsigned using virtual void volatile \
            wchar_t while
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), quotes: bothQuotes)

    private static let java = CodeLanguage(
        keywords: words(
            """
            abstract assert boolean break byte case catch char class const continue default do double else enum extends \
            false final finally float for goto if implements import instanceof int interface long native new null \
            package permits private protected public record return sealed short static strictfp super switch \
            synchronized this throw throws transient true try var void volatile while yield
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), quotes: bothQuotes, longStrings: ["\"\"\""],
        hasCapitalTypes: true)

    private static let kotlin = CodeLanguage(
        keywords: words(
            """
            abstract annotation as break by catch class companion const constructor continue crossinline data def do \
            else enum expect external extends false final finally for fun get if implicit import in infix init inline \
            inner interface internal is it lateinit match new noinline null object open operator out override package \
            private protected public reified return sealed set super suspend tailrec this throw trait true try \
            typealias typeof val var vararg when where while with yield
            """),
        lineComments: slashes, blockComment: ("/*", "*/"), quotes: bothQuotes, longStrings: ["\"\"\""],
        hasCapitalTypes: true)

    private static let ruby = CodeLanguage(
        keywords: words(
            """
            alias and attr_accessor attr_reader begin break case class def defined? do else elsif end ensure extend \
            false for if in include module next nil not or private protected public raise redo require rescue retry \
            return self super then true undef unless until when while yield
            """),
        lineComments: hash, quotes: bothQuotes, hasCapitalTypes: true)

    private static let shell = CodeLanguage(
        keywords: words(
            """
            alias break case cd continue coproc declare do done echo elif else esac eval exec exit export false fi for \
            from function getopts if in local printf read readonly return run select set shift source test then time \
            trap true type typeset ulimit umask unalias unset until wait while
            """),
        lineComments: hash, quotes: bothQuotes)

    private static let sql = CodeLanguage(
        keywords: words(
            """
            add all alter and any as asc autoincrement begin between bigint blob boolean by cascade case cast check \
            collate column commit conflict constraint create cross current_date current_timestamp database date default \
            delete desc distinct do drop else end escape except exists explain false fetch filter first foreign from \
            full function group having if ignore in index inner insert instead int integer intersect into is join key \
            last left like limit natural not nothing null nulls numeric offset on or order outer over partition pragma \
            primary procedure real recursive references replace restrict returning right rollback row rows select set \
            strict table temporary text then timestamp to transaction trigger true union unique update using vacuum \
            values varchar view virtual when where window with without
            """),
        lineComments: ["--"], blockComment: ("/*", "*/"), quotes: bothQuotes, ignoresCase: true)

    private static let json = CodeLanguage(
        keywords: words("true false null"), lineComments: slashes,
        blockComment: ("/*", "*/"), form: .keyed)

    private static let yaml = CodeLanguage(
        keywords: words("true false null yes no on off"), lineComments: hash,
        quotes: bothQuotes, form: .keyed)

    private static let toml = CodeLanguage(
        keywords: words("true false inf nan"), lineComments: hash,
        quotes: bothQuotes, longStrings: ["\"\"\"", "'''"], form: .keyed)

    private static let markup = CodeLanguage(
        blockComment: ("<!--", "-->"), quotes: bothQuotes,
        form: .markup)

    private static let css = CodeLanguage(
        keywords: words("auto block bold center flex grid hidden important inherit initial inline none relative solid"),
        blockComment: ("/*", "*/"), quotes: bothQuotes, form: .keyed)

    private static let diff = CodeLanguage(
        quotes: [], form: .diff)
}
