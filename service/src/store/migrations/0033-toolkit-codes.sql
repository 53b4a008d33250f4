-- The code of the toolkit's own error, of a call that its handler failed.
ALTER TABLE invocations ADD COLUMN toolkit_code TEXT;
-- Tenths of a millisecond from the arrival of the request to the outcome. Null: the node that ended the call took it over.
ALTER TABLE invocations ADD COLUMN took BIGINT;
CREATE INDEX invocations_toolkit_code ON invocations (toolkit_code, id, agent_key_id, action) WHERE toolkit_code IS NOT NULL;
CREATE INDEX invocations_toolkit_errors ON invocations (toolkit, id, action, toolkit_code) WHERE toolkit_code IS NOT NULL;
