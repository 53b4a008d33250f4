CREATE TABLE svc_setting (
  agent_id TEXT NOT NULL,
  kind TEXT NOT NULL, -- prompt, model
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (agent_id, kind, name)
) STRICT;

CREATE TABLE svc_client (
  agent_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  cursor TEXT, -- JSON: where the client goes on
  owner TEXT, -- the process that has the client
  lease_until INTEGER NOT NULL DEFAULT 0, -- milliseconds since 1970, as every time here
  PRIMARY KEY (agent_id, client_id)
) STRICT;

CREATE TABLE svc_turn (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  chat_id TEXT NOT NULL,
  message_id TEXT,
  ctx TEXT NOT NULL, -- JSON: the message of the person
  state TEXT NOT NULL, -- queued, running, asking, replying, done
  attempts INTEGER NOT NULL DEFAULT 0, -- starts without progress
  approval TEXT, -- JSON: the newest question, and its answer
  error TEXT, -- why the turn ended early
  at INTEGER NOT NULL,
  UNIQUE (agent_id, client_id, message_id)
) STRICT;

CREATE INDEX svc_turn_open ON svc_turn (agent_id, client_id, seq) WHERE state <> 'done';
CREATE INDEX svc_turn_chat ON svc_turn (agent_id, client_id, chat_id, seq);

CREATE TABLE svc_message (
  turn_id TEXT NOT NULL REFERENCES svc_turn (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  body TEXT NOT NULL, -- JSON: a message of chat completions
  PRIMARY KEY (turn_id, n)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 1;
