-- Minutes in which a toolkit was online, by UTC day (number of days since the epoch). The toolkit '' is the service itself.
CREATE TABLE toolkit_uptime (
  toolkit_id TEXT NOT NULL,
  day BIGINT NOT NULL,
  minutes BIGINT NOT NULL,
  -- Number of the last counted minute since the epoch: no minute counts twice, whichever node counts it.
  last_minute BIGINT NOT NULL,
  PRIMARY KEY (toolkit_id, day)
);
-- Texts of actions as agents saw them, by version. Texts that waited for an approval are not here.
CREATE TABLE action_texts (
  toolkit_id TEXT NOT NULL,
  name TEXT NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  hash TEXT NOT NULL,
  -- Null: the action was removed.
  text TEXT,
  PRIMARY KEY (toolkit_id, name, number)
);
-- People whose names the catalogue shows as publishers of their toolkits.
CREATE TABLE publishers (
  person_id TEXT NOT NULL PRIMARY KEY
);
