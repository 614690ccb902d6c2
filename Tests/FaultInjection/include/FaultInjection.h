/// A file system for SQLite that fails when it is told to: the system's own, with a counter in every call that changes a
/// file.
///
/// Only files with "faulty-" in their path are concerned, so that tests beside go on undisturbed. The calls are
/// those of sqlite.org/c3ref/io_methods.html and vfs.html: write, truncate, sync, opening to create, and delete.
#ifndef FAULT_INJECTION_H
#define FAULT_INJECTION_H

/// Makes it SQLite's default file system. May be called again.
void fault_install(void);

/// From now on the change number `after` (from 0) fails with an SQLite result code, and with `lasting` every later one
/// too. A number below 0 only counts.
void fault_arm(int after, int code, int lasting);

/// Ends that; returns how many changes there were.
int fault_disarm(void);

// MARK: Power cuts

enum { POWER_WRITE = 1, POWER_TRUNCATE = 2, POWER_SYNC = 3 };

/// A change of a file, or the promise that all before is on the disk.
typedef struct {
    int kind;
    char *name;
    /// Where a write begins; the size that a truncation leaves.
    long long offset;
    int count;
    unsigned char *bytes;
} power_operation;

/// From now on what is done to files is recorded, in order.
void power_record(void);
void power_end(void);
/// Adds what was done to a file that is not SQLite's.
void power_note(int kind, const char *name, long long offset, const void *bytes, int count);
int power_count(void);
/// Good until the next `power_record`.
power_operation power_get(int index);

#endif
