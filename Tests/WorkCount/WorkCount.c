#include "WorkCount.h"

#include <stdlib.h>

#ifdef __GLIBC__
#define IS_COUNTED 1
#else
#define IS_COUNTED 0
#endif

static __thread work_count done;

int work_is_counted(void) { return IS_COUNTED; }

work_count work_done(void) { return done; }

#if IS_COUNTED

// The C library's own functions, which those below hide from the whole process, the Swift runtime included.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static void count(size_t size) {
    done.allocations++;
    done.bytes += (long long)size;
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(size);
    return __libc_realloc(memory, size);
}

#endif
