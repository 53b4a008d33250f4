-- Filters of a list that a person keeps under a name: a page of the console and its query string, no rows of the list.
CREATE TABLE saved_views (
  id TEXT NOT NULL PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX saved_views_owner ON saved_views (owner_id);
CREATE INDEX saved_views_shared ON saved_views (id) WHERE shared = 1;

-- The list of keys, newest first.
CREATE INDEX keys_created ON keys (created_at, id);
