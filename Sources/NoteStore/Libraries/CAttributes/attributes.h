/* Extended attributes of files, and the types of file systems; the module of glibc leaves these headers out. */
#include <sys/types.h>
#include <sys/xattr.h>
#include <sys/statfs.h>
