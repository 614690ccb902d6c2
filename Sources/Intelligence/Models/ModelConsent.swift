import NoteStore

/// The user's consent to send texts to a provider on another machine, remembered in the notebook.
public enum ModelConsent {
    /// Returns whether texts may be sent to a provider without asking.
    ///
    /// Consent is given for one address. Another address under the same name needs it again.
    public static func isGiven(to provider: Provider, in notebook: Notebook) throws(StoreError) -> Bool {
        if provider.isLocal { return true }
        return try notebook.settings.value(key(provider)) == provider.label
    }

    /// Remembers that texts may always be sent to a provider.
    public static func remember(_ provider: Provider, in notebook: Notebook) throws(StoreError) {
        try notebook.settings.set(key(provider), provider.label)
    }

    private static func key(_ provider: Provider) -> String { "ai.consent/\(provider.name)" }
}
