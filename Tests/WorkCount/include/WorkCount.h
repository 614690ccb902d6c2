#ifndef WORK_COUNT_H
#define WORK_COUNT_H

/// The memory that a thread has requested so far: a measure of work that is the same on a busy machine.
typedef struct {
    long long allocations;
    /// The sum of all requested sizes in bytes, however soon they were freed.
    long long bytes;
} work_count;

/// Whether allocations are counted on this system.
int work_is_counted(void);

/// The counts of the calling thread.
work_count work_done(void);

#endif
