-- A rotated key: SHA-256 of its secret before, and until when that one works, in milliseconds. Null: it stopped at once.
ALTER TABLE keys ADD COLUMN former_hash TEXT;
ALTER TABLE keys ADD COLUMN former_until BIGINT;
CREATE INDEX keys_former_hash ON keys (former_hash) WHERE former_hash IS NOT NULL;
