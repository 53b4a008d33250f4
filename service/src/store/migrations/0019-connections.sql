-- Accounts at the APIs behind toolkits. `sealed` is the secret of the account, encrypted with the secrets key `sealed_by`. `version` counts the
-- changes of the secret. `owner` is `everyone`, `agent:<key>`, `user:<key>:<user>` or `person:<person>`. A removed row waits for its revocation.
CREATE TABLE connections (
  id TEXT NOT NULL PRIMARY KEY,
  toolkit_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  is_default BIGINT NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  sealed TEXT NOT NULL,
  sealed_by TEXT NOT NULL,
  version BIGINT NOT NULL,
  scopes TEXT NOT NULL,
  account TEXT NOT NULL,
  expires_at BIGINT,
  refreshed_at BIGINT NOT NULL,
  refreshing_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  connected_at BIGINT NOT NULL,
  used_at BIGINT,
  fault TEXT,
  fault_at BIGINT,
  fault_mender TEXT,
  created_by TEXT NOT NULL
);
CREATE UNIQUE INDEX connections_name ON connections (toolkit_id, owner, name);
CREATE INDEX connections_owner ON connections (owner);
CREATE INDEX connections_removed ON connections (id) WHERE status = 'removed';
