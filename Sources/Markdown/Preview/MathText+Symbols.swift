extension MathText {
    private static func pairs(_ from: String, _ to: String) -> [Character: Character] {
        Dictionary(zip(from, to)) { first, _ in first }
    }

    static let superscripts = pairs(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθφχ′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᵠᵡ′")
    static let subscripts = pairs("0123456789+−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")
    static let doubleStruckLetters = pairs("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ")
    // Some letters of these scripts stand with the letterlike symbols, and their places in the run are empty.
    static let scriptLetters = pairs(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵")
    static let blackletters = pairs(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "𝔄𝔅ℭ𝔇𝔈𝔉𝔊ℌℑ𝔍𝔎𝔏𝔐𝔑𝔒𝔓𝔔ℜ𝔖𝔗𝔘𝔙𝔚𝔛𝔜ℨ𝔞𝔟𝔠𝔡𝔢𝔣𝔤𝔥𝔦𝔧𝔨𝔩𝔪𝔫𝔬𝔭𝔮𝔯𝔰𝔱𝔲𝔳𝔴𝔵𝔶𝔷")

    /// A mark over a letter.
    struct Mark {
        let scalar: Character
        /// Whether it also stands over several letters, as a line or an arrow does.
        var spans = false
    }

    static let marks = [
        "hat": Mark(scalar: "\u{302}"), "widehat": Mark(scalar: "\u{302}", spans: true),
        "tilde": Mark(scalar: "\u{303}"), "widetilde": Mark(scalar: "\u{303}", spans: true),
        "bar": Mark(scalar: "\u{304}"), "dot": Mark(scalar: "\u{307}"),
        "ddot": Mark(scalar: "\u{308}"), "vec": Mark(scalar: "\u{20D7}", spans: true), "check": Mark(scalar: "\u{30C}"),
        "breve": Mark(scalar: "\u{306}"), "acute": Mark(scalar: "\u{301}"), "grave": Mark(scalar: "\u{300}"),
        "overline": Mark(scalar: "\u{305}", spans: true), "underline": Mark(scalar: "\u{332}", spans: true),
    ]

    static let fractions = [
        "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘",
        "1/6": "⅙", "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞",
    ]
    static let symbols = [
        "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ",
        "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
        "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "varphi": "φ",
        "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
        "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
        "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "equiv": "≡", "sim": "∼",
        "simeq": "≃", "cong": "≅", "propto": "∝", "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "ni": "∋",
        "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "cup": "∪", "cap": "∩", "setminus": "∖",
        "emptyset": "∅", "varnothing": "∅", "forall": "∀", "exists": "∃", "nexists": "∄", "neg": "¬", "lnot": "¬",
        "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "vdash": "⊢", "models": "⊨", "top": "⊤", "bot": "⊥",
        "perp": "⊥", "parallel": "∥", "mid": "∣", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "cdot": "·",
        "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "∙", "oplus": "⊕", "ominus": "⊖", "otimes": "⊗", "odot": "⊙",
        "sum": "∑", "prod": "∏", "coprod": "∐", "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "partial": "∂",
        "nabla": "∇", "infty": "∞", "degree": "°", "angle": "∠", "triangle": "△", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ",
        "Im": "ℑ", "aleph": "ℵ", "wp": "℘", "prime": "′", "to": "→", "rightarrow": "→", "longrightarrow": "⟶",
        "leftarrow": "←", "gets": "←", "leftrightarrow": "↔", "Rightarrow": "⇒", "implies": "⟹", "Leftarrow": "⇐",
        "Leftrightarrow": "⇔", "iff": "⟺", "mapsto": "↦", "uparrow": "↑", "downarrow": "↓", "ldots": "…", "dots": "…",
        "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
        "langle": "⟨", "rangle": "⟩", "lbrace": "{", "rbrace": "}", "vert": "|", "Vert": "‖", "therefore": "∴",
        "because": "∵", "square": "□", "checkmark": "✓", "dagger": "†", "sin": "sin", "cos": "cos", "tan": "tan",
        "cot": "cot", "sec": "sec", "csc": "csc", "arcsin": "arcsin", "arccos": "arccos", "arctan": "arctan",
        "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "log": "log", "ln": "ln", "lg": "lg", "exp": "exp",
        "lim": "lim", "max": "max", "min": "min", "sup": "sup", "inf": "inf", "det": "det", "dim": "dim",
        "gcd": "gcd", "ker": "ker", "arg": "arg", "Pr": "Pr", "bmod": "mod",
    ]
}
