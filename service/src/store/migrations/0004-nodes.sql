-- The node that owns the call. SQLite has one node at a time and leaves it empty.
ALTER TABLE invocations ADD COLUMN node TEXT NOT NULL DEFAULT '';

-- Heartbeats of the service's processes, by the database's clock.
CREATE TABLE nodes (
  id TEXT NOT NULL PRIMARY KEY,
  seen_at BIGINT NOT NULL
);

-- Calls of a key in a time window, in the columns of rate-limiter-flexible. SQLite has one node, which counts in memory.
CREATE TABLE rate_limits (
  key TEXT NOT NULL PRIMARY KEY,
  points BIGINT NOT NULL,
  expire BIGINT
);
