-- The page of a toolkit for people. An icon is base64 and its type.
CREATE TABLE toolkit_profiles (
  toolkit_id TEXT NOT NULL PRIMARY KEY,
  readme TEXT,
  icon_type TEXT,
  icon TEXT,
  homepage TEXT,
  category TEXT,
  version TEXT,
  changed_at BIGINT NOT NULL
);
