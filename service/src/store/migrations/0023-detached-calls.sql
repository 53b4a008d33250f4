-- Whether the calls of an action may take long: 1, or null.
ALTER TABLE actions ADD COLUMN long BIGINT;

-- Calls that go on without their callers. `id` is the handle. `sealed` is the payload, encrypted with the key `sealed_by`, and '' after the end;
-- `caller` (JSON) says with whose rights it runs. `node` drives the call; null: none does. `error` (JSON) is why it ended without a result.
CREATE TABLE detached_calls (
  id TEXT NOT NULL PRIMARY KEY,
  agent_key_id TEXT NOT NULL,
  user_id TEXT,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  action TEXT NOT NULL,
  sealed TEXT NOT NULL,
  sealed_by TEXT NOT NULL,
  caller TEXT NOT NULL,
  deadline_at BIGINT NOT NULL,
  node TEXT,
  progress TEXT,
  cancelled_at BIGINT,
  approval_id TEXT,
  error TEXT,
  created_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE UNIQUE INDEX detached_calls_key ON detached_calls (agent_key_id, idempotency_key);
CREATE INDEX detached_calls_running ON detached_calls (agent_key_id) WHERE ended_at IS NULL;
CREATE INDEX detached_calls_ended ON detached_calls (ended_at) WHERE ended_at IS NOT NULL;
