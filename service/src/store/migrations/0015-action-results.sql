-- A name of the action for people, and the JSON Schema of its result.
ALTER TABLE actions ADD COLUMN title TEXT;
ALTER TABLE actions ADD COLUMN result_schema TEXT;
