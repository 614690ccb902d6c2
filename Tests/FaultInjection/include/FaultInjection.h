/// A file system for SQLite that fails on request.
///
/// It wraps the system's file system and counts every call that changes a file.
///
/// It affects only files with "faulty-" in their path, so that concurrent tests are undisturbed. The calls are
/// those of sqlite.org/c3ref/io_methods.html and vfs.html: write, truncate, sync, opening to create, and delete.
#ifndef FAULT_INJECTION_H
#define FAULT_INJECTION_H

/// Makes this SQLite's default file system. Calling it again is allowed.
void fault_install(void);

/// Makes change number `after` (from 0) fail with an SQLite result code, and with `lasting` every later one too.
///
/// If `after` is below 0, changes are only counted.
void fault_arm(int after, int code, int lasting);

/// Stops failing and counting; returns the number of changes since `fault_arm`.
int fault_disarm(void);

// MARK: Power cuts

enum { POWER_WRITE = 1, POWER_TRUNCATE = 2, POWER_SYNC = 3 };

/// A change of a file, or a sync, after which all earlier changes are on the disk.
typedef struct {
    int kind;
    char *name;
    /// The start of a write, or the size after a truncation.
    long long offset;
    int count;
    unsigned char *bytes;
} power_operation;

/// Starts recording the changes of files, in order.
void power_record(void);
void power_end(void);
/// Adds a change to the record; also for changes of files that are not SQLite's.
void power_note(int kind, const char *name, long long offset, const void *bytes, int count);
int power_count(void);
/// The operation stays valid until the next `power_record`.
power_operation power_get(int index);

#endif
