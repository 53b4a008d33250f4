-- The rules of an agent key, as a JSON array; null: none.
ALTER TABLE keys ADD COLUMN rules TEXT;
