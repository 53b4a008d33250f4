-- Each filter of the list of calls has an index, sorted by id, that contains the columns of the other common filters.
ALTER TABLE invocations ADD COLUMN toolkit TEXT NOT NULL DEFAULT '';
-- The text before the first '__': the separator is replaced by more spaces than a toolkit id has characters, and the result is cut and trimmed.
UPDATE invocations SET toolkit = rtrim(substr(replace(action, '__', '                                                                 '), 1, 64))
WHERE replace(action, '__', '') <> action;
CREATE INDEX invocations_by_toolkit ON invocations (toolkit, id);

DROP INDEX invocations_by_key;
CREATE INDEX invocations_by_key ON invocations (agent_key_id, id, action);
DROP INDEX invocations_failed;
CREATE INDEX invocations_failed ON invocations (id, code, agent_key_id, action) WHERE code <> 'OK';
