extension Schema {
    /// Version 11: the table of words has one key instead of three, so a new word is written to one place.
    ///
    /// SQLite renames no table while another tool's view in the file leads nowhere, so the words are copied twice.
    static let version11 = """
        CREATE TEMP TABLE search_term_before AS SELECT term FROM main.search_term;
        DROP TABLE main.search_term;
        -- Every word of the index. A beginning is looked up for each length, a stem by the words that may have it.
        CREATE TABLE search_term (
            length INTEGER NOT NULL CHECK (length = length(term)),
            term TEXT NOT NULL,
            PRIMARY KEY (length, term)
        ) WITHOUT ROWID;
        INSERT OR IGNORE INTO search_term (length, term)
            SELECT length(term), term FROM temp.search_term_before ORDER BY length(term), term;
        DROP TABLE temp.search_term_before;
        """
}
