-- Questions to a person about a call. `sealed` is its payload, `caller` (JSON) all that its caller had beside the key. `connection` is the account with which the
-- call would act. `taken` is 1 after a caller got the outcome of the run. `session_until`: the person approved later calls of the session, too. `told` is the last
-- message of the webhook, `tell_at` the time of the next one.
CREATE TABLE approvals (
  id TEXT NOT NULL PRIMARY KEY,
  agent_key_id TEXT NOT NULL,
  grant_id TEXT,
  user_id TEXT,
  session_id TEXT,
  action TEXT NOT NULL,
  action_version TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  sealed TEXT,
  sealed_by TEXT,
  price TEXT,
  currency TEXT,
  connection TEXT,
  connection_name TEXT,
  rule TEXT,
  decider TEXT NOT NULL,
  status TEXT NOT NULL,
  timeout_ms BIGINT NOT NULL,
  caller TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  invocation_id TEXT,
  taken BIGINT NOT NULL,
  decided_at BIGINT,
  decided_by TEXT,
  decided_by_name TEXT,
  reason TEXT,
  ended_at BIGINT,
  session_until BIGINT,
  told TEXT,
  tell_at BIGINT,
  tell_tries BIGINT NOT NULL
);
-- Equal calls at several nodes share one question.
CREATE UNIQUE INDEX approvals_pending ON approvals (agent_key_id, request_hash) WHERE status = 'pending';
CREATE INDEX approvals_equal ON approvals (agent_key_id, request_hash, id);
CREATE INDEX approvals_open ON approvals (status, id) WHERE ended_at IS NULL;
CREATE INDEX approvals_ended ON approvals (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX approvals_session ON approvals (agent_key_id, session_id, action) WHERE session_until IS NOT NULL;
CREATE INDEX approvals_tell ON approvals (tell_at) WHERE tell_at IS NOT NULL;

-- The idempotency keys of the calls that asked: their retries get the outcome.
CREATE TABLE approval_callers (
  approval_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  PRIMARY KEY (approval_id, idempotency_key)
);
