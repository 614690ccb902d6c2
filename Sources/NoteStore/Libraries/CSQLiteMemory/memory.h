/* `sqlite3_config` takes any number of arguments, which Swift cannot call. */
#include <sqlite3.h>

/* Has SQLite count no memory; call it before the first connection is opened, later it does nothing. */
static inline void leave_memory_uncounted(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
