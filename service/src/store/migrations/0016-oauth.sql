-- The OAuth client whose agent key it is; null for every other key.
ALTER TABLE keys ADD COLUMN client_id TEXT;
-- One active key for each client of a person, also for decisions at several nodes at once.
CREATE UNIQUE INDEX keys_client ON keys (owner_id, client_id) WHERE client_id IS NOT NULL AND revoked_at IS NULL;

-- Authorization codes. `hash` is the SHA-256 of the code, `request` JSON. `grant_id` is the grant that the code's use made.
CREATE TABLE oauth_codes (
  hash TEXT NOT NULL PRIMARY KEY,
  request TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  grant_id TEXT
);
CREATE INDEX oauth_codes_expiry ON oauth_codes (expires_at);

-- What a person granted a client. Its tokens are signed and not stored: `generation` is that of the newest refresh token.
CREATE TABLE oauth_grants (
  id TEXT NOT NULL PRIMARY KEY,
  key_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  client_hash TEXT NOT NULL,
  client TEXT NOT NULL,
  generation BIGINT NOT NULL,
  rotated_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  idle_until BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX oauth_grants_key ON oauth_grants (key_id, created_at);
