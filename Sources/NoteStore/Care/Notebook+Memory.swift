import GRDB

extension Notebook {
    /// Gives back to the system what the saving of a long text took.
    ///
    /// A prepared statement keeps a copy of what it was last given, and the allocator what was freed. Takes a millisecond
    /// or two, and the statements are prepared anew.
    public func releaseMemory() {
        database.writeWithoutTransaction { $0.releaseMemory() }
        #if canImport(Glibc)
        _ = trimAllocator(keeping: 0)
        #endif
    }
}

#if canImport(Glibc)
/// `malloc_trim(3)`, which glibc declares in a header that its Swift module leaves out.
@_silgen_name("malloc_trim")
private func trimAllocator(keeping bytes: Int) -> CInt
#endif
