-- When a toolkit took its present name: of two that look alike, the first keeps it. Null: with its creation.
ALTER TABLE toolkits ADD COLUMN named_at BIGINT;
