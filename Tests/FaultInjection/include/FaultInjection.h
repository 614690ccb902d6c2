/// A file system for SQLite that fails on request.
///
/// It wraps the system's file system and counts every call that changes a file.
///
/// It affects only files with "faulty-" in their path, so that concurrent tests are undisturbed. The calls are
/// those of sqlite.org/c3ref/io_methods.html and vfs.html: write, truncate, sync, opening to create, and delete.
#ifndef FAULT_INJECTION_H
#define FAULT_INJECTION_H

#include "PowerCut.h"

/// Makes this SQLite's default file system. Calling it again is allowed.
void fault_install(void);

/// Makes change number `after` (from 0) fail with an SQLite result code, and with `lasting` every later one too.
///
/// If `after` is below 0, changes are only counted.
void fault_arm(int after, int code, int lasting);

/// Sets the number (`errno`) that is told as the system's reason for the last failure; 0 tells the real one.
void fault_set_reason(int number);

/// Lets the file system share no memory between programs (1), or as much as it can (0).
void fault_forbid_sharing(int forbids);

/// Stops failing and counting; returns the number of changes since `fault_arm`.
int fault_disarm(void);

#endif
