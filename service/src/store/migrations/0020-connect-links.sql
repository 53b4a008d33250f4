-- Links to the connect page. `hash` is the SHA-256 of the link's token, `owner` that of the connection, `toolkits` a JSON array of ids.
-- `browser_hash` is that of the cookie of the browser that opened it; null: none did.
CREATE TABLE connect_links (
  hash TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  toolkits TEXT NOT NULL,
  name TEXT NOT NULL,
  created_by TEXT NOT NULL,
  browser_hash TEXT,
  starts BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX connect_links_owner ON connect_links (owner, created_at);
CREATE INDEX connect_links_expiry ON connect_links (expires_at);

-- One try of a person to connect a toolkit by a link. `sealed` is its secret: what the provider must send back, and then the account, until the
-- app confirms its user with the code whose SHA-256 is `code_hash`.
CREATE TABLE connect_flows (
  id TEXT NOT NULL PRIMARY KEY,
  link_hash TEXT NOT NULL,
  toolkit_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  state_hash TEXT,
  code_hash TEXT,
  sealed TEXT NOT NULL,
  sealed_by TEXT NOT NULL,
  problem TEXT,
  tries BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX connect_flows_link ON connect_flows (link_hash);
CREATE UNIQUE INDEX connect_flows_state ON connect_flows (state_hash) WHERE state_hash IS NOT NULL;
CREATE UNIQUE INDEX connect_flows_code ON connect_flows (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX connect_flows_owner ON connect_flows (owner);
CREATE INDEX connect_flows_expiry ON connect_flows (expires_at);

-- The OAuth client of a toolkit at its provider. `endpoints` (JSON) are those that its secret is for; `source` says where the client comes from. The client of a
-- removed toolkit stays until its tokens are revoked.
CREATE TABLE connection_clients (
  toolkit_id TEXT NOT NULL PRIMARY KEY,
  source TEXT NOT NULL,
  client_id TEXT NOT NULL,
  auth_method TEXT NOT NULL,
  sealed TEXT,
  sealed_by TEXT,
  endpoints TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  removed_at BIGINT
);

-- Where an app takes its users back after the connect page, and where it learns of changes. `sealed` is the secret that signs these messages.
CREATE TABLE connect_apps (
  key_id TEXT NOT NULL PRIMARY KEY,
  return_url TEXT,
  webhook_url TEXT,
  sealed TEXT,
  sealed_by TEXT
);
