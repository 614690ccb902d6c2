extension MathText {
    private static func pairs(_ from: String, _ to: String) -> [Character: Character] {
        Dictionary(zip(from, to)) { first, _ in first }
    }

    static let superscripts = pairs(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθφχ′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᵠᵡ′")
    static let subscripts = pairs("0123456789+−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")
    static let doubleStruckLetters = pairs("CHNPQRZ", "ℂℍℕℙℚℝℤ")
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
