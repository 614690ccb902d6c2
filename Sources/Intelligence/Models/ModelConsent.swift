import NoteStore

/// The user's consent to send something to a provider that is not on this machine, remembered in the notebook.
public enum ModelConsent {
    /// Whether a provider may be sent something without asking.
    ///
    /// Consent was for one place; another address under the same name is asked about again.
    public static func isGiven(to provider: Provider, in notebook: Notebook) throws(StoreError) -> Bool {
        if provider.isLocal { return true }
        return try notebook.settings.value(key(provider)) == provider.place
    }

    /// Remembers that a provider may always be sent something.
    public static func remember(_ provider: Provider, in notebook: Notebook) throws(StoreError) {
        try notebook.settings.set(key(provider), provider.place)
    }

    private static func key(_ provider: Provider) -> String { "ai.consent/\(provider.name)" }
}
