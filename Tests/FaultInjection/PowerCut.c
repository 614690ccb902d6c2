#define _GNU_SOURCE

#include "PowerCut.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// Guards the record, and keeps it in the order in which the changes happen.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static power_operation *operations;
static int operation_count;
static int operation_room;
static char *folder;
static volatile int is_recording;

void power_record(const char *name) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < operation_count; i++) {
        free(operations[i].name);
        free(operations[i].other);
        free(operations[i].bytes);
    }
    operation_count = 0;
    free(folder);
    folder = strdup(name);
    is_recording = 1;
    pthread_mutex_unlock(&lock);
}

void power_end(void) {
    pthread_mutex_lock(&lock);
    is_recording = 0;
    pthread_mutex_unlock(&lock);
}

int power_count(void) {
    pthread_mutex_lock(&lock);
    int count = operation_count;
    pthread_mutex_unlock(&lock);
    return count;
}

power_operation power_get(int index) {
    pthread_mutex_lock(&lock);
    power_operation operation = operations[index];
    pthread_mutex_unlock(&lock);
    return operation;
}

#ifndef __linux__

int power_is_possible(void) { return 0; }

#else

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int power_is_possible(void) { return 1; }

/// The C library's function of a name, which ours hides.
#define REAL(name) \
    static __typeof__(name) *real_##name; \
    if (!real_##name) real_##name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/// Adds a change; call it with the lock held.
static void note(
    int kind, const char *name, const char *other, unsigned long long file, long long offset, const void *bytes,
    int count
) {
    if (!is_recording) return;
    if (operation_count == operation_room) {
        operation_room = operation_room ? operation_room * 2 : 256;
        operations = realloc(operations, (size_t)operation_room * sizeof(power_operation));
    }
    power_operation *next = &operations[operation_count++];
    *next = (power_operation){kind, strdup(name ? name : ""), strdup(other ? other : ""), file, offset, count, 0};
    if (bytes && count > 0) {
        next->bytes = malloc((size_t)count);
        memcpy(next->bytes, bytes, (size_t)count);
    }
}

/// The open files and folders that are recorded, by their descriptors.
enum { DESCRIPTORS = 1 << 16 };
static volatile char is_open[DESCRIPTORS];

static int is_known(int file) { return file >= 0 && file < DESCRIPTORS && is_open[file]; }

static unsigned long long number(int file) {
    struct stat status;
    return fstat(file, &status) == 0 ? status.st_ino : 0;
}

static unsigned long long number_at(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_ino : 0;
}

/// Finds the absolute path that a call means; returns whether it is recorded.
static int is_concerned(int base, const char *path, char *full) {
    if (!is_recording || !path) return 0;
    if (path[0] == '/') {
        if (strlen(path) >= PATH_MAX) return 0;
        strcpy(full, path);
    } else {
        if (base == AT_FDCWD) return 0;
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", base);
        ssize_t length = readlink(link, full, PATH_MAX - 1);
        if (length < 0 || (size_t)length + 1 + strlen(path) >= PATH_MAX) return 0;
        full[length] = '/';
        strcpy(full + length + 1, path);
    }
    size_t length = strlen(folder);
    return strncmp(full, folder, length) == 0 && (full[length] == '/' || full[length] == 0);
}

// MARK: - Opening and closing

static int open_file(int base, const char *path, int flags, mode_t mode) {
    REAL(openat);
    char full[PATH_MAX];
    if (!is_concerned(base, path, full)) return real_openat(base, path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat status;
    int existed = lstat(full, &status) == 0;
    int file = real_openat(base, path, flags, mode);
    int error = errno;
    if (file >= 0) {
        if (file < DESCRIPTORS) is_open[file] = 1;
        if (!existed) note(POWER_CREATE, full, 0, number(file), 0, 0, 0);
        if (existed && (flags & O_TRUNC)) note(POWER_TRUNCATE, full, 0, number(file), 0, 0, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags);
    return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags);
    return open_file(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int base, const char *path, int flags, ...) {
    MODE(flags);
    return open_file(base, path, flags, mode);
}

int openat64(int base, const char *path, int flags, ...) {
    MODE(flags);
    return open_file(base, path, flags | O_LARGEFILE, mode);
}

int close(int file) {
    REAL(close);
    if (is_known(file)) is_open[file] = 0;
    return real_close(file);
}

// MARK: - Contents

/// Does a call that changes a file, and notes it if it has succeeded.
#define CHANGE(type, call, succeeds, noted) \
    pthread_mutex_lock(&lock); \
    type result = call; \
    int error = errno; \
    if (succeeds) noted; \
    pthread_mutex_unlock(&lock); \
    errno = error; \
    return result

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    if (!is_known(file)) return real_write(file, bytes, count);
    struct stat status;
    int appends = fcntl(file, F_GETFL) & O_APPEND;
    long long start = appends && fstat(file, &status) == 0 ? status.st_size : lseek(file, 0, SEEK_CUR);
    CHANGE(
        ssize_t, real_write(file, bytes, count), result > 0,
        note(POWER_WRITE, 0, 0, number(file), start, bytes, (int)result));
}

#define PWRITE(name, offset_type) \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        if (!is_known(file)) return real_##name(file, bytes, count, offset); \
        CHANGE( \
            ssize_t, real_##name(file, bytes, count, offset), result > 0, \
            note(POWER_WRITE, 0, 0, number(file), offset, bytes, (int)result)); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, size_type) \
    int name(int file, size_type size) { \
        REAL(name); \
        if (!is_known(file)) return real_##name(file, size); \
        CHANGE(int, real_##name(file, size), result == 0, note(POWER_TRUNCATE, 0, 0, number(file), size, 0, 0)); \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

static void note_sync(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) return;
    if (!S_ISDIR(status.st_mode)) return note(POWER_SYNC, 0, 0, status.st_ino, 0, 0, 0);
    char link[64], full[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, full, PATH_MAX - 1);
    if (length < 0) return;
    full[length] = 0;
    note(POWER_SYNC_FOLDER, full, 0, 0, 0, 0, 0);
}

#define SYNC(name) \
    int name(int file) { \
        REAL(name); \
        if (!is_known(file)) return real_##name(file); \
        CHANGE(int, real_##name(file), result == 0, note_sync(file)); \
    }
SYNC(fsync)
SYNC(fdatasync)

// MARK: - Names

int renameat(int from_base, const char *from, int to_base, const char *to) {
    REAL(renameat);
    char old[PATH_MAX], new[PATH_MAX];
    // Only within the folder: nothing comes in from outside or leaves it.
    if (!is_concerned(from_base, from, old) || !is_concerned(to_base, to, new))
        return real_renameat(from_base, from, to_base, to);
    unsigned long long file = number_at(old);
    CHANGE(
        int, real_renameat(from_base, from, to_base, to), result == 0, note(POWER_RENAME, old, new, file, 0, 0, 0));
}

int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int linkat(int from_base, const char *from, int to_base, const char *to, int flags) {
    REAL(linkat);
    char old[PATH_MAX], new[PATH_MAX];
    if (!is_concerned(from_base, from, old) || !is_concerned(to_base, to, new))
        return real_linkat(from_base, from, to_base, to, flags);
    unsigned long long file = number_at(old);
    CHANGE(
        int, real_linkat(from_base, from, to_base, to, flags), result == 0,
        note(POWER_LINK, old, new, file, 0, 0, 0));
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int base, const char *path, int flags) {
    REAL(unlinkat);
    char full[PATH_MAX];
    if (!is_concerned(base, path, full)) return real_unlinkat(base, path, flags);
    unsigned long long file = number_at(full);
    int kind = flags & AT_REMOVEDIR ? POWER_REMOVE_FOLDER : POWER_UNLINK;
    CHANGE(int, real_unlinkat(base, path, flags), result == 0, note(kind, full, 0, file, 0, 0, 0));
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char *path) {
    struct stat status;
    int is_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return unlinkat(AT_FDCWD, path, is_folder ? AT_REMOVEDIR : 0);
}

int mkdirat(int base, const char *path, mode_t mode) {
    REAL(mkdirat);
    char full[PATH_MAX];
    if (!is_concerned(base, path, full)) return real_mkdirat(base, path, mode);
    CHANGE(int, real_mkdirat(base, path, mode), result == 0, note(POWER_MAKE_FOLDER, full, 0, 0, 0, 0, 0));
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

#endif
