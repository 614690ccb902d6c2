extension Schema {
    /// Version 11: the table of words has one key instead of three, so a new word is written to one place.
    static let version11 = """
        DROP INDEX IF EXISTS search_term_stem;
        DROP INDEX IF EXISTS search_term_short;
        ALTER TABLE search_term RENAME TO search_term_before;
        -- Every word of the index. A beginning is looked up for each length, a stem by the words that may have it.
        CREATE TABLE search_term (
            length INTEGER NOT NULL CHECK (length = length(term)),
            term TEXT NOT NULL,
            PRIMARY KEY (length, term)
        ) WITHOUT ROWID;
        INSERT OR IGNORE INTO search_term (length, term)
            SELECT length(term), term FROM search_term_before ORDER BY length(term), term;
        DROP TABLE search_term_before;
        """
}
