-- Whose call it is. SQLite has one node at a time and leaves it empty.
ALTER TABLE invocations ADD COLUMN node TEXT NOT NULL DEFAULT '';

-- Which processes of the service live, by the database's clock.
CREATE TABLE nodes (
  id TEXT NOT NULL PRIMARY KEY,
  seen_at BIGINT NOT NULL
);

-- Calls of a key in a window of time, as rate-limiter-flexible counts them: its columns, in its order. SQLite has one node, which counts in memory.
CREATE TABLE rate_limits (
  key TEXT NOT NULL PRIMARY KEY,
  points BIGINT NOT NULL,
  expire BIGINT
);
