-- Plain SQL for SQLite and PostgreSQL alike. Times are milliseconds since the epoch, JSON is TEXT.

CREATE TABLE toolkits (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE actions (
  toolkit_id TEXT NOT NULL REFERENCES toolkits (id),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  payload_schema TEXT NOT NULL,
  annotations TEXT NOT NULL,
  PRIMARY KEY (toolkit_id, name)
);

CREATE TABLE keys (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  toolkit_id TEXT REFERENCES toolkits (id),
  allow TEXT,
  calls_per_minute BIGINT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT
);

-- No reference to keys: every call writes here, and a key is never deleted.
CREATE TABLE invocations (
  id TEXT NOT NULL PRIMARY KEY,
  agent_key_id TEXT NOT NULL,
  idempotency_key TEXT,
  request_hash TEXT NOT NULL,
  action TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  code TEXT,
  body TEXT,
  ended_at BIGINT
);

-- Every call pays for each index, so there are none that only readers need.
CREATE UNIQUE INDEX invocations_idempotency ON invocations (agent_key_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX invocations_forgettable ON invocations (started_at) WHERE idempotency_key IS NOT NULL;
CREATE INDEX invocations_unfinished ON invocations (started_at) WHERE code IS NULL;
