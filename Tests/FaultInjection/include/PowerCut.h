/// A record of all that the process does to the files of one folder, for computing what a power cut may leave.
///
/// It stands between the program and the C library: the calls that change files or their names, whoever makes them, are
/// noted in the order in which they happened, with the bytes. Only Linux lets a program do that with its own functions
/// of the same names; elsewhere nothing is recorded.
#ifndef POWER_CUT_H
#define POWER_CUT_H

enum {
    /// `count` bytes were written to a file from `offset` on.
    POWER_WRITE = 1,
    /// A file got the size `offset`.
    POWER_TRUNCATE = 2,
    /// All earlier changes of a file's content are on the disk.
    POWER_SYNC = 3,
    /// An empty file got the name `name`.
    POWER_CREATE = 4,
    /// A file got the second name `other`.
    POWER_LINK = 5,
    /// A file, or the file before it of that name, is called `other` instead of `name`.
    POWER_RENAME = 6,
    POWER_UNLINK = 7,
    POWER_MAKE_FOLDER = 8,
    POWER_REMOVE_FOLDER = 9,
    /// All earlier changes of the names in the folder `name` are on the disk.
    POWER_SYNC_FOLDER = 10,
};

typedef struct {
    int kind;
    /// Absolute paths; empty where there is none.
    char *name;
    char *other;
    /// The number of the file's inode, which a later file may get again.
    unsigned long long file;
    long long offset;
    int count;
    unsigned char *bytes;
} power_operation;

/// Starts a new record of the changes in a folder, given by its absolute path without symbolic links.
///
/// Files that are open already are not recorded.
void power_record(const char *folder);
void power_end(void);
/// How many operations have been recorded since `power_record`.
int power_count(void);
/// The operation stays valid until the next `power_record`.
power_operation power_get(int index);
/// Whether this system lets a program record its own calls.
int power_is_possible(void);

#endif
