-- Searches of sessions, and calls whose callers named a session or a user. `search_id` is the search that led to the request, `query` the text of
-- a search where storing it is allowed, `shown` a JSON list of action ids: null for a call, whose record has the same id in `invocations`.
CREATE TABLE session_requests (
  id TEXT NOT NULL PRIMARY KEY,
  agent_key_id TEXT NOT NULL,
  session_id TEXT,
  user_id TEXT,
  at BIGINT NOT NULL,
  search_id TEXT,
  query TEXT,
  shown TEXT
);
CREATE INDEX session_requests_session ON session_requests (session_id, at, id DESC) WHERE session_id IS NOT NULL;
CREATE INDEX session_requests_user ON session_requests (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX session_requests_at ON session_requests (at);
CREATE INDEX session_requests_texts ON session_requests (id) WHERE query IS NOT NULL;
