#if canImport(Glibc)
import Glibc
#endif

/// The names of users and groups, which Foundation looks up where GRDB asks it for the size of a file.
enum UserNames {
    /// Has them looked up in `/etc/passwd` and `/etc/group` alone; nothing shows them.
    ///
    /// For a file whose owner is not there, as in containers and where a network has the users, the C library would load
    /// modules of the system. In a program that is linked statically that ends in a crash.
    static func useFilesAlone() {
        #if canImport(Glibc)
        for kind in ["passwd", "group"] { _ = configureLookup(kind, "files") }  // 0, or an unknown kind
        #endif
    }
}

#if canImport(Glibc)
/// `__nss_configure_lookup` of nss.h; the Glibc module does not declare it.
@_silgen_name("__nss_configure_lookup")
private func configureLookup(_ kind: UnsafePointer<CChar>, _ services: UnsafePointer<CChar>) -> Int32
#endif
