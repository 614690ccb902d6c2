// Swift's runtime finds the arguments and the path of the program in /proc, before `main`. Where that is missing, as in
// a chroot, there would be no arguments, and a program without shared libraries would be aborted.

#if defined(__linux__)
#include <stdlib.h>
#include <unistd.h>
#endif

// Only Glibc passes the arguments to constructors.
#if defined(__GLIBC__)

// A function of the runtime for programs that run other code, such as scripts, with arguments of its own.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

// The least priority that the system leaves to programs; the constructors of the runtime have none and come later.
__attribute__((constructor(101))) static void start(int count, char **arguments) {
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
    // The folder of the runtime's own programs, of which none is used. Programs that are started from here inherit it,
    // and lack /proc too.
    if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/", 0);
}

#endif
