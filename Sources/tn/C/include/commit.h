#ifndef TN_COMMIT_H
#define TN_COMMIT_H

/// The commit that the program was built of, as the environment of the build named it; empty where it did not.
extern const char *_Nonnull const tn_commit;

#endif
