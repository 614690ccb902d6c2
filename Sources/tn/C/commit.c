#include "commit.h"

// A file of its own in C: a new commit compiles these lines and links, and no file is written for it.
#ifndef TN_COMMIT
#define TN_COMMIT ""
#endif

const char *const tn_commit = TN_COMMIT;
