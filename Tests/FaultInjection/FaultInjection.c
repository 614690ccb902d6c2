#include "FaultInjection.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/// An open file whose changes are counted; the system's file follows it in memory.
typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} faulty_file;

static sqlite3_vfs *system_vfs;
static sqlite3_vfs faulty_vfs;

/// Guards the seven variables below.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_armed;
static int seen;
static int fails_after;
static int fail_code;
static int fails_lastingly;
static int reason;
static int forbids_sharing;

/// The code to fail with, or SQLITE_OK.
static int next_change(void) {
    pthread_mutex_lock(&lock);
    int code = SQLITE_OK;
    if (is_armed) {
        if (fails_after >= 0 && (seen == fails_after || (fails_lastingly && seen > fails_after))) code = fail_code;
        seen++;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

#define REAL(file) (((faulty_file *)(file))->real)

static int on_close(sqlite3_file *file) {
    return REAL(file)->pMethods->xClose(REAL(file));
}

static int on_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return REAL(file)->pMethods->xRead(REAL(file), bytes, count, offset);
}

static int on_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = next_change();
    if (code == SQLITE_OK) return REAL(file)->pMethods->xWrite(REAL(file), bytes, count, offset);
    // A disk that fills up accepts only part of a write.
    if (count > 1) REAL(file)->pMethods->xWrite(REAL(file), bytes, count / 2, offset);
    return code;
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = next_change();
    if (code != SQLITE_OK) return code;
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

/// Counts the sync without waiting for the disk, since no power is cut here.
static int on_sync(sqlite3_file *file, int flags) {
    (void)file;
    (void)flags;
    return next_change();
}

static int on_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int on_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }

static int on_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }

static int on_check_lock(sqlite3_file *file, int *result) {
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int on_control(sqlite3_file *file, int operation, void *argument) {
    if (operation == SQLITE_FCNTL_LAST_ERRNO) {
        pthread_mutex_lock(&lock);
        int number = reason;
        pthread_mutex_unlock(&lock);
        if (number) {
            *(int *)argument = number;
            return SQLITE_OK;
        }
    }
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int on_sector_size(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int on_characteristics(sqlite3_file *file) {
    return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}

static int on_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    pthread_mutex_lock(&lock);
    int is_forbidden = forbids_sharing;
    pthread_mutex_unlock(&lock);
    if (is_forbidden) return SQLITE_IOERR_SHMMAP;
    return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extends, memory);
}

static int on_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void on_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int on_unmap(sqlite3_file *file, int deletes) { return REAL(file)->pMethods->xShmUnmap(REAL(file), deletes); }

/// Version 2: with shared memory, without memory-mapped reads.
static const sqlite3_io_methods methods = {
    2,           on_close,       on_read,      on_write,   on_truncate, on_sync,        on_file_size,
    on_lock,     on_unlock,      on_check_lock, on_control, on_sector_size, on_characteristics, on_map,
    on_shared_lock, on_barrier,  on_unmap,     0,          0,
};

static int is_concerned(const char *name) { return name != 0 && strstr(name, "faulty-") != 0; }

static int exists(const char *name) {
    int result = 0;
    return system_vfs->xAccess(system_vfs, name, SQLITE_ACCESS_EXISTS, &result) == SQLITE_OK && result;
}

/// Opens a file; an unaffected file is opened by the system's file system alone, which then handles all its calls.
static int on_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    if (!is_concerned(name)) return system_vfs->xOpen(system_vfs, name, file, flags, out_flags);
    faulty_file *faulty = (faulty_file *)file;
    memset(faulty, 0, (size_t)faulty_vfs.szOsFile);
    if ((flags & SQLITE_OPEN_CREATE) && !exists(name) && next_change() != SQLITE_OK) return SQLITE_CANTOPEN;
    faulty->real = (sqlite3_file *)(faulty + 1);
    int code = system_vfs->xOpen(system_vfs, name, faulty->real, flags, out_flags);
    if (faulty->real->pMethods) faulty->base.pMethods = &methods;
    return code;
}

static int on_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
    (void)vfs;
    if (is_concerned(name) && exists(name) && next_change() != SQLITE_OK) return SQLITE_IOERR_DELETE;
    return system_vfs->xDelete(system_vfs, name, is_concerned(name) ? 0 : syncs_folder);
}

void fault_install(void) {
    pthread_mutex_lock(&lock);
    if (!system_vfs) {
        system_vfs = sqlite3_vfs_find(0);
        faulty_vfs = *system_vfs;
        faulty_vfs.zName = "faulty";
        faulty_vfs.pNext = 0;
        faulty_vfs.szOsFile = (int)sizeof(faulty_file) + system_vfs->szOsFile;
        faulty_vfs.xOpen = on_open;
        faulty_vfs.xDelete = on_delete;
        sqlite3_vfs_register(&faulty_vfs, 1);
    }
    pthread_mutex_unlock(&lock);
}

void fault_arm(int after, int code, int lasting) {
    pthread_mutex_lock(&lock);
    is_armed = 1;
    seen = 0;
    fails_after = after;
    fail_code = code;
    fails_lastingly = lasting;
    pthread_mutex_unlock(&lock);
}

void fault_set_reason(int number) {
    pthread_mutex_lock(&lock);
    reason = number;
    pthread_mutex_unlock(&lock);
}

void fault_forbid_sharing(int forbids) {
    pthread_mutex_lock(&lock);
    forbids_sharing = forbids;
    pthread_mutex_unlock(&lock);
}

int fault_disarm(void) {
    pthread_mutex_lock(&lock);
    is_armed = 0;
    int count = seen;
    pthread_mutex_unlock(&lock);
    return count;
}
