-- Whose call it is. SQLite has one node at a time and leaves it empty.
ALTER TABLE invocations ADD COLUMN node TEXT NOT NULL DEFAULT '';

-- Which processes of the service live, by the database's clock.
CREATE TABLE nodes (
  id TEXT NOT NULL PRIMARY KEY,
  seen_at BIGINT NOT NULL
);
