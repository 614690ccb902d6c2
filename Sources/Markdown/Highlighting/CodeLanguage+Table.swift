import TextPrimitives

extension CodeLanguage {
    /// The table of languages, one row each.
    ///
    /// The keywords are those of each language's reference. The order of rows does not matter, since their numbers are
    /// not stored permanently.
    static let rows: [CodeRow] = [
        CodeRow(
            names: "swift",
            keywords: """
                actor any as associatedtype async await break case catch class continue convenience default defer \
                deinit do else enum extension fallthrough false fileprivate final for func get guard if import in \
                indirect init inout internal is isolated lazy let mutating nil nonisolated nonmutating open operator \
                optional override package precedencegroup private protocol public repeat required rethrows return \
                self Self set some static struct subscript super switch throw throws true try typealias unowned var \
                weak where while willSet didSet
                """,
            lineComments: ["//"], blockComment: .nestedSlashStar, strings: [.long("\"\"\""), .quote],
            rawStrings: .swift, hasPatterns: true, hasCapitalTypes: true),
        CodeRow(
            names: "python py python3",
            keywords: """
                False None True and as assert async await break case class continue def del elif else except finally \
                for from global if import in is lambda match nonlocal not or pass raise return self try while with \
                yield
                """,
            lineComments: ["#"], strings: [.long("\"\"\""), .long("'''"), .quote, .apostrophe],
            stringPrefixes: "r R b B f F u U rb rB Rb RB br bR Br BR fr fR Fr FR rf rF Rf RF", hasCapitalTypes: true),
        CodeRow(
            names: "javascript js jsx mjs typescript ts tsx",
            keywords: """
                abstract any as async await boolean break case catch class const constructor continue debugger \
                declare default delete do else enum export extends false finally for from function get if implements \
                import in infer instanceof interface is keyof let module namespace never new null number of private \
                protected public readonly return satisfies set static string super switch symbol this throw true try \
                type typeof undefined unknown var void while with yield
                """,
            lineComments: ["//"], blockComment: .slashStar, strings: [.quote, .apostrophe, .long("`")],
            hasPatterns: true, hasCapitalTypes: true),
        CodeRow(
            names: "rust rs",
            keywords: """
                as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for \
                i128 i16 i32 i64 i8 if impl in isize let loop macro_rules match mod move mut pub ref return self \
                Self static str struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while \
                yield
                """,
            lineComments: ["//"], blockComment: .nestedSlashStar, strings: [.longQuote], rawStrings: .rust,
            stringPrefixes: "b c", hasCharacters: true, hasCapitalTypes: true),
        CodeRow(
            names: "go golang",
            keywords: """
                any bool break byte case chan const continue default defer else error fallthrough false float32 \
                float64 for func go goto if import int int16 int32 int64 int8 interface iota map nil package range \
                return rune select string struct switch true type uint uint16 uint32 uint64 uint8 uintptr var
                """,
            lineComments: ["//"], blockComment: .slashStar, strings: [.quote, .apostrophe, .long("`", .none)]),
        CodeRow(
            names: "c h cpp c++ cc cxx hpp objc objective-c csharp cs",
            keywords: """
                alignas alignof asm auto bool break case catch char class concept const const_cast consteval \
                constexpr constinit continue co_await co_return co_yield decltype default define defined delete do \
                double dynamic_cast elif else endif enum explicit export extern false final float for friend goto if \
                ifdef ifndef include inline int int16_t int32_t int64_t int8_t long mutable namespace new noexcept \
                NULL nullptr operator override pragma private protected public register reinterpret_cast requires \
                restrict return short signed size_t sizeof static static_assert static_cast struct switch template \
                this thread_local throw true try typedef typeid typename uint16_t uint32_t uint64_t uint8_t undef \
                union unsigned using virtual void volatile wchar_t while
                """,
            lineComments: ["//"], blockComment: .slashStar, strings: [.quote, .apostrophe], rawStrings: .cpp,
            stringPrefixes: "L u U u8"),
        CodeRow(
            names: "java",
            keywords: """
                abstract assert boolean break byte case catch char class const continue default do double else enum \
                extends false final finally float for goto if implements import instanceof int interface long native \
                new null package permits private protected public record return sealed short static strictfp super \
                switch synchronized this throw throws transient true try var void volatile while yield
                """,
            lineComments: ["//"], blockComment: .slashStar, strings: [.long("\"\"\""), .quote, .apostrophe],
            hasCapitalTypes: true),
        CodeRow(
            names: "kotlin kt kts scala groovy",
            keywords: """
                abstract annotation as break by catch class companion const constructor continue crossinline data \
                def do else enum expect external extends false final finally for fun get if implicit import in infix \
                init inline inner interface internal is it lateinit match new noinline null object open operator out \
                override package private protected public reified return sealed set super suspend tailrec this throw \
                trait true try typealias typeof val var vararg when where while with yield
                """,
            lineComments: ["//"], blockComment: .nestedSlashStar,
            strings: [.long("\"\"\"", .none), .quote, .apostrophe], hasCapitalTypes: true),
        CodeRow(
            names: "ruby rb",
            keywords: """
                alias and attr_accessor attr_reader begin break case class def defined? do else elsif end ensure \
                extend false for if in include module next nil not or private protected public raise redo require \
                rescue retry return self super then true undef unless until when while yield
                """,
            lineComments: ["#"], commentLines: ("=begin", "=end"), strings: [.quote, .apostrophe],
            hereDocuments: .ruby, hasPatterns: true, hasCapitalTypes: true),
        CodeRow(
            names: "sh bash zsh shell ksh dash",
            keywords: """
                alias break case cd continue coproc declare do done echo elif else esac eval exec exit export false \
                fi for from function getopts if in local printf read readonly return run select set shift source \
                test then time trap true type typeset ulimit umask unalias unset until wait while
                """,
            lineComments: ["#"],
            strings: [.longQuote, CodeString(open: "$'", close: "'", spansLines: true), .literal],
            hereDocuments: .shell),
        CodeRow(
            names: "console fish shellsession shell-session",
            keywords: """
                alias break case cd continue coproc declare do done echo elif else esac eval exec exit export false \
                fi for from function getopts if in local printf read readonly return run select set shift source \
                test then time trap true type typeset ulimit umask unalias unset until wait while
                """,
            lineComments: ["#"], strings: [.quote, .apostrophe]),
        CodeRow(
            names: "sql sqlite postgres postgresql mysql plsql",
            keywords: """
                add all alter and any as asc autoincrement begin between bigint blob boolean by cascade case cast \
                check collate column commit conflict constraint create cross current_date current_timestamp database \
                date default delete desc distinct do drop else end escape except exists explain false fetch filter \
                first foreign from full function group having if ignore in index inner insert instead int integer \
                intersect into is join key last left like limit natural not nothing null nulls numeric offset on or \
                order outer over partition pragma primary procedure real recursive references replace restrict \
                returning right rollback row rows select set strict table temporary text then timestamp to \
                transaction trigger true union unique update using vacuum values varchar view virtual when where \
                window with without
                """,
            lineComments: ["--"], blockComment: .slashStar, strings: [.quote, .literal], ignoresCase: true),
        CodeRow(
            names: "json jsonc json5", keywords: "true false null", lineComments: ["//"], blockComment: .slashStar,
            form: .keyed),
        CodeRow(
            names: "yaml yml", keywords: "true false null yes no on off", lineComments: ["#"],
            strings: [.quote, .apostrophe], nameBytes: ASCIISet("-"), form: .keyed),
        CodeRow(
            names: "toml ini conf properties env", keywords: "true false inf nan", lineComments: ["#"],
            strings: [.long("\"\"\""), .long("'''", .none), .quote, .apostrophe], nameBytes: ASCIISet("-"),
            form: .keyed),
        CodeRow(
            names: "html xml svg xhtml plist vue", blockComment: CodeRow.BlockComment(open: "<!--", close: "-->"),
            strings: [.quote, .apostrophe], form: .markup),
        CodeRow(
            names: "css scss less sass",
            keywords: """
                auto block bold center flex grid hidden important inherit initial inline none relative solid
                """,
            blockComment: .slashStar, strings: [.quote, .apostrophe], nameBytes: ASCIISet("-"), form: .keyed),
        CodeRow(
            names: "diff patch udiff", strings: [], form: .diff),
        CodeRow(
            names: "php php3 phtml",
            keywords: """
                abstract and array as bool break callable case catch class clone const continue declare default die \
                do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum exit extends \
                false final finally float fn for foreach function global goto if implements include include_once \
                instanceof insteadof int interface isset iterable list match mixed namespace new null object or \
                parent php print private protected public readonly require require_once return self static string \
                switch throw trait true try unset use var void while xor yield
                """,
            lineComments: ["//", "#"], blockComment: .slashStar, strings: [.longQuote, .longApostrophe],
            hereDocuments: .php, hasCapitalTypes: true, variableMarks: ASCIISet("$")),
        CodeRow(
            names: "lua luau",
            keywords: """
                and break do else elseif end false for function goto if in local nil not or repeat return self then \
                true until while
                """,
            lineComments: ["--"], strings: [.quote, .apostrophe], rawStrings: .lua),
        CodeRow(
            names: "perl pl pm raku",
            keywords: """
                and bless chomp close cmp continue default defined delete die do each else elsif eq eval exists for \
                foreach ge given grep gt if join keys last le length local lt map my ne next no not open or our \
                package pop print printf push qw redo ref require return say scalar shift sort splice split state \
                sub sprintf undef unless unshift until use values wantarray warn when while xor
                """,
            lineComments: ["#"], commentLines: ("=", "=cut"), strings: [.quote, .apostrophe], hereDocuments: .ruby,
            hasPatterns: true, variableMarks: ASCIISet("$@%")),
        CodeRow(
            names: "r rscript",
            keywords: """
                break else FALSE for function if in Inf library NA NaN next NULL repeat require return source TRUE \
                while
                """,
            lineComments: ["#"], commentsNeedSpace: false,
            strings: [.longQuote, .longApostrophe, CodeString(open: "`", close: "`", needsClose: true)],
            rawStrings: .r, nameBytes: ASCIISet(".")),
        CodeRow(
            names: "haskell hs lhs",
            keywords: """
                as case class data default deriving do else family forall foreign hiding if import in infix infixl \
                infixr instance let mdo module newtype of pattern proc qualified rec then type where
                """,
            lineComments: ["--"], blockComment: CodeRow.BlockComment(open: "{-", close: "-}", nests: true),
            hasCharacters: true, hasCapitalTypes: true, nameBytes: ASCIISet("'")),
        CodeRow(
            names: "latex tex sty bibtex", lineComments: ["%"], commentsNeedSpace: false,
            strings: [.long("$$"), CodeString(open: "$", close: "$", needsClose: true)], commandMark: Byte.backslash),
        CodeRow(
            names: "zig zon",
            keywords: """
                addrspace align allowzero and anyerror anyframe anyopaque anytype asm async await bool break \
                callconv catch comptime comptime_float comptime_int const continue defer else enum errdefer error \
                export extern f16 f32 f64 f128 false fn for i8 i16 i32 i64 i128 if inline isize linksection noalias \
                noreturn nosuspend null opaque or orelse packed pub resume return struct suspend switch test \
                threadlocal true try type u8 u16 u32 u64 u128 undefined union unreachable usingnamespace usize var \
                void volatile while
                """,
            lineComments: ["//"], hasCharacters: true, hasCapitalTypes: true, variableMarks: ASCIISet("@"),
            lineString: "\\\\"),
        CodeRow(
            names: "nix",
            keywords: """
                abort assert builtins derivation else false if import in inherit let map null or rec then throw \
                toString true with
                """,
            lineComments: ["#"], commentsNeedSpace: false, blockComment: .slashStar,
            strings: [.longQuote, .long("''", .nix)], nameBytes: ASCIISet("-'"), form: .keyed),
        CodeRow(
            names: "dockerfile docker containerfile",
            keywords: """
                ADD AND ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER NONE ONBUILD RUN \
                SHELL STOPSIGNAL USER VOLUME WORKDIR
                """,
            lineComments: ["#"], strings: [.quote, .apostrophe], hereDocuments: .shell, variableMarks: ASCIISet("$")),
        CodeRow(
            names: "makefile make mk gnumakefile",
            keywords: """
                define else endef endif export ifdef ifeq ifndef ifneq include override private sinclude undefine \
                unexport vpath
                """,
            lineComments: ["#"], strings: [CodeString(open: "\"", close: "\"", needsClose: true), .apostrophe],
            nameBytes: ASCIISet(".-%"), variableMarks: ASCIISet("$"), form: .assigned),
    ]
}
