-- Whether an agent key may run code: 1, or null.
ALTER TABLE keys ADD COLUMN code BIGINT;

-- Runs of code. `code`, `state` and `answer` are encrypted, with the keys `…_by`: the program, the calls that wait with the answers that a replay gets again, and the
-- end. `caller` (JSON) says with whose rights it runs. `node` drives the run; null: none does. `attempt` is how often the program began again.
CREATE TABLE runs (
  id TEXT NOT NULL PRIMARY KEY,
  agent_key_id TEXT NOT NULL,
  user_id TEXT,
  session_id TEXT,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  code TEXT NOT NULL,
  code_by TEXT NOT NULL,
  caller TEXT NOT NULL,
  timeout_ms BIGINT NOT NULL,
  status TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  state TEXT,
  state_by TEXT,
  answer TEXT,
  answer_by TEXT,
  node TEXT,
  deadline_at BIGINT NOT NULL,
  cancelled_at BIGINT,
  created_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE UNIQUE INDEX runs_key ON runs (agent_key_id, idempotency_key);
CREATE INDEX runs_open ON runs (agent_key_id, status) WHERE ended_at IS NULL;
CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;
