import NoteStore

/// The user's answer when something is about to be sent or made.
public enum Consent: Sendable {
    case refused
    /// This time.
    case once
    /// This time, and without a question from now on.
    case always
}

/// The user's consent to send texts to a provider on another machine, remembered in the notebook.
public enum ModelConsent {
    /// Returns whether texts may be sent to a provider without asking.
    ///
    /// Consent is given for one address and model, or for one command with all its words. Anything else under the same
    /// name needs it again.
    public static func isGiven(to provider: Provider, in notebook: Notebook) throws(StoreError) -> Bool {
        if provider.isLocal { return true }
        return try notebook.settings.value(key(provider)) == provider.identity
    }

    /// Remembers that texts may always be sent to a provider.
    public static func remember(_ provider: Provider, in notebook: Notebook) throws(StoreError) {
        try notebook.settings.set(key(provider), provider.identity)
    }

    private static func key(_ provider: Provider) -> String { "ai.consent/\(provider.name)" }
}
