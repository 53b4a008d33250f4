-- The connection that a toolkit needs for its calls, and where an action differs, as JSON.
ALTER TABLE toolkits ADD COLUMN auth TEXT;
ALTER TABLE actions ADD COLUMN auth TEXT;
