-- The account that owns the key, if any.
ALTER TABLE keys ADD COLUMN owner_id TEXT;

-- Accounts, in the format of better-auth: times are ISO 8601 text, booleans are 0 or 1.
CREATE TABLE people (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  email_verified INTEGER NOT NULL,
  image TEXT,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  token TEXT NOT NULL UNIQUE,
  expires_at TEXT NOT NULL,
  ip_address TEXT,
  user_agent TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX sessions_person ON sessions (person_id);

-- Sign-in methods of a person: a password, or an OpenID provider.
CREATE TABLE logins (
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  access_token TEXT,
  refresh_token TEXT,
  id_token TEXT,
  access_token_expires_at TEXT,
  refresh_token_expires_at TEXT,
  scope TEXT,
  password TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX logins_person ON logins (person_id);

CREATE TABLE passkeys (
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  name TEXT,
  public_key TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  counter INTEGER NOT NULL,
  device_type TEXT NOT NULL,
  backed_up INTEGER NOT NULL,
  transports TEXT,
  aaguid TEXT,
  created_at TEXT
);
CREATE INDEX passkeys_person ON passkeys (person_id);
CREATE INDEX passkeys_credential ON passkeys (credential_id);

-- Short-lived: challenges of passkeys, states of OpenID.
CREATE TABLE verifications (
  id TEXT NOT NULL PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX verifications_identifier ON verifications (identifier);

-- One-time links, by the SHA-256 of their tokens.
CREATE TABLE invitations (
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  name TEXT,
  person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
  made_by TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

-- Log of changes. No references, so that entries outlive their subjects.
CREATE TABLE audit (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  what TEXT NOT NULL,
  subject TEXT NOT NULL,
  details TEXT NOT NULL
);

-- Settings that owners changed, and values that all nodes must agree on. Values are JSON.
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at BIGINT NOT NULL
);

-- Indexes for the filters of the list of calls. A toolkit is a range of actions. Ids sort by arrival.
CREATE INDEX invocations_by_key ON invocations (agent_key_id, id);
CREATE INDEX invocations_by_action ON invocations (action, id);
CREATE INDEX invocations_failed ON invocations (code, id) WHERE code <> 'OK';

-- Details of a call: its timeline, and payload and result where storing them is allowed.
CREATE TABLE invocation_details (
  id TEXT NOT NULL PRIMARY KEY,
  timeline TEXT NOT NULL,
  payload TEXT,
  result TEXT
);

-- Counts of ended calls in the `step` seconds (a minute, an hour, a day) from `start`, of all calls ('all', ''), a key, a toolkit or an action,
-- by outcome and logarithmic duration bucket.
CREATE TABLE call_counts (
  dimension TEXT NOT NULL,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  start BIGINT NOT NULL,
  code TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (dimension, name, step, start, code, bucket)
);
-- Covers sums over names.
CREATE INDEX call_counts_totals ON call_counts (dimension, step, start, name, code, bucket, calls);

-- Searches per day by their text, where storing it is allowed. `action` is '' for the searches themselves, otherwise an action in their results.
CREATE TABLE search_counts (
  day BIGINT NOT NULL,
  query TEXT NOT NULL,
  action TEXT NOT NULL,
  searches BIGINT NOT NULL,
  empty BIGINT NOT NULL,
  used BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (day, query, action)
);
CREATE INDEX search_counts_action ON search_counts (action, day);

-- The keys that searched, so that a key with a thousand searches counts once.
CREATE TABLE search_keys (
  day BIGINT NOT NULL,
  query TEXT NOT NULL,
  agent_key_id TEXT NOT NULL,
  PRIMARY KEY (day, query, agent_key_id)
);
