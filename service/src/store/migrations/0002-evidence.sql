-- Successes and failures of an action after a query. `terms` is a JSON list of one-way hashes; `text` is the query, where storing it is allowed.
CREATE TABLE evidence (
  action TEXT NOT NULL,
  query TEXT NOT NULL,
  agent_key_id TEXT NOT NULL,
  terms TEXT NOT NULL,
  text TEXT,
  successes DOUBLE PRECISION NOT NULL,
  failures DOUBLE PRECISION NOT NULL,
  succeeded_at BIGINT,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (action, query, agent_key_id)
);

CREATE INDEX evidence_changed ON evidence (changed_at);

-- One row: the key that hashes the terms.
CREATE TABLE evidence_secret (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  secret TEXT NOT NULL
);
