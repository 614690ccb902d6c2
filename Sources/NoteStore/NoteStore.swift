// Placeholder so that the package resolves; the module's first file replaces it.
