-- Sums of conversations and of end users, by the agent key that sent their ids. `cost` is in millionths. `user_id` is the last user that the
-- session named, `last_code` the outcome of the call that ended last.
CREATE TABLE session_sums (
  session_id TEXT NOT NULL,
  agent_key_id TEXT NOT NULL,
  user_id TEXT,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  searches BIGINT NOT NULL,
  in_vain BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  last_call_at BIGINT,
  last_code TEXT,
  PRIMARY KEY (session_id, agent_key_id)
);
CREATE INDEX session_sums_last ON session_sums (last_at, agent_key_id, session_id);
CREATE INDEX session_sums_key ON session_sums (agent_key_id, last_at, session_id);
CREATE INDEX session_sums_user ON session_sums (user_id, last_at, agent_key_id, session_id) WHERE user_id IS NOT NULL;

CREATE TABLE user_days (
  user_id TEXT NOT NULL,
  day BIGINT NOT NULL,
  agent_key_id TEXT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  searches BIGINT NOT NULL,
  in_vain BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  PRIMARY KEY (user_id, day, agent_key_id)
);
CREATE INDEX user_days_day ON user_days (day);
CREATE INDEX user_days_key ON user_days (agent_key_id, user_id);

-- Reports of the tokens of models. `model` is '' where its name may not be stored. `batch` is the write that added the report to the sums.
CREATE TABLE session_usage (
  session_id TEXT NOT NULL,
  agent_key_id TEXT NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT,
  model TEXT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  at BIGINT NOT NULL,
  batch TEXT NOT NULL,
  PRIMARY KEY (session_id, agent_key_id, id)
);
CREATE INDEX session_usage_at ON session_usage (at);
CREATE INDEX session_usage_user ON session_usage (user_id) WHERE user_id IS NOT NULL;

-- The requests from before. A search led to a call if one names it.
INSERT INTO session_sums (session_id, agent_key_id, user_id, first_at, last_at, searches, in_vain, calls, errors, cost, input_tokens, cached_tokens, output_tokens)
SELECT r.session_id, r.agent_key_id, max(r.user_id), min(r.at), max(coalesce(i.ended_at, r.at)),
  sum(CASE WHEN r.shown IS NULL THEN 0 ELSE 1 END),
  sum(CASE WHEN r.shown IS NULL OR led.search_id IS NOT NULL THEN 0 ELSE 1 END),
  sum(CASE WHEN r.shown IS NULL THEN 1 ELSE 0 END),
  sum(CASE WHEN i.code <> 'OK' THEN 1 ELSE 0 END),
  coalesce(sum(l.charged), 0), 0, 0, 0
FROM session_requests r
LEFT JOIN invocations i ON i.id = r.id
LEFT JOIN ledger l ON l.invocation_id = r.id
LEFT JOIN (SELECT DISTINCT search_id FROM session_requests WHERE shown IS NULL AND search_id IS NOT NULL) led ON led.search_id = r.id
WHERE r.session_id IS NOT NULL
GROUP BY r.session_id, r.agent_key_id;

UPDATE session_sums SET last_call_at = last_at, last_code = (
  SELECT i.code FROM session_requests r JOIN invocations i ON i.id = r.id
  WHERE r.session_id = session_sums.session_id AND r.agent_key_id = session_sums.agent_key_id AND i.code IS NOT NULL
  ORDER BY i.ended_at DESC LIMIT 1
) WHERE calls > 0;

INSERT INTO user_days (user_id, day, agent_key_id, first_at, last_at, searches, in_vain, calls, errors, cost, input_tokens, cached_tokens, output_tokens)
SELECT r.user_id, r.at - r.at % 86400000, r.agent_key_id, min(r.at), max(coalesce(i.ended_at, r.at)),
  sum(CASE WHEN r.shown IS NULL THEN 0 ELSE 1 END),
  sum(CASE WHEN r.shown IS NULL OR led.search_id IS NOT NULL THEN 0 ELSE 1 END),
  sum(CASE WHEN r.shown IS NULL THEN 1 ELSE 0 END),
  sum(CASE WHEN i.code <> 'OK' THEN 1 ELSE 0 END),
  coalesce(sum(l.charged), 0), 0, 0, 0
FROM session_requests r
LEFT JOIN invocations i ON i.id = r.id
LEFT JOIN ledger l ON l.invocation_id = r.id
LEFT JOIN (SELECT DISTINCT search_id FROM session_requests WHERE shown IS NULL AND search_id IS NOT NULL) led ON led.search_id = r.id
WHERE r.user_id IS NOT NULL
GROUP BY r.user_id, r.at - r.at % 86400000, r.agent_key_id;
