-- `console`: a person used the agent's key in the console. Null: the agent itself.
ALTER TABLE invocations ADD COLUMN origin TEXT;
ALTER TABLE session_requests ADD COLUMN origin TEXT;
CREATE INDEX invocations_origin ON invocations (origin, id) WHERE origin IS NOT NULL;
