-- No reference to actions: a vector may arrive just after its action was removed; the service then removes it.
-- SQLite accepts any type name and stores the bytes unchanged.
CREATE TABLE action_vectors (
  action_id TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  vector BYTEA NOT NULL
);
