-- No reference to actions: a vector may come when its action has just gone; the service removes it then.
-- SQLite takes any name for a type, and keeps the bytes as they are.
CREATE TABLE action_vectors (
  action_id TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  vector BYTEA NOT NULL
);
