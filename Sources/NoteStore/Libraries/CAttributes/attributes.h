/* Extended attributes of files; the module of glibc leaves this header out. */
#include <sys/types.h>
#include <sys/xattr.h>
