#include <stddef.h>
#include <stdint.h>

/// Calls `examine` with inputs until it is told to stop by its arguments; ends the process at a fault.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*examine)(const uint8_t *data, size_t count));
