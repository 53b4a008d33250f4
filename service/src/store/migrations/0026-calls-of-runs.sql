-- The calls of one run of code, newest first.
CREATE INDEX invocations_made_by ON invocations (made_by, id) WHERE made_by IS NOT NULL;
