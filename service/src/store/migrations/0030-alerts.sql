-- What is wrong, or was: one row from its begin to its end. `toolkit_id` and `key_id`: the members who may see it.
CREATE TABLE alerts (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  severity TEXT NOT NULL,
  text TEXT NOT NULL,
  link TEXT NOT NULL,
  toolkit_id TEXT,
  key_id TEXT,
  since BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE UNIQUE INDEX alerts_open ON alerts (kind, subject) WHERE ended_at IS NULL;
CREATE INDEX alerts_ended ON alerts (ended_at) WHERE ended_at IS NOT NULL;

-- The two messages about an alert for each target that was set when it began. `due_at` is null when nothing more is to be sent.
CREATE TABLE alert_deliveries (
  alert_id TEXT NOT NULL,
  target TEXT NOT NULL,
  event TEXT NOT NULL,
  due_at BIGINT,
  tries BIGINT NOT NULL,
  sent_at BIGINT,
  error TEXT,
  failed_at BIGINT,
  PRIMARY KEY (alert_id, target, event)
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (due_at) WHERE due_at IS NOT NULL;

-- The next check, which one of the nodes makes.
CREATE TABLE alert_turns (
  id BIGINT NOT NULL PRIMARY KEY,
  next_at BIGINT NOT NULL
);

-- The size of the data at the begin of hours, and the backups that were made.
CREATE TABLE store_sizes (
  at BIGINT NOT NULL PRIMARY KEY,
  bytes BIGINT NOT NULL
);
CREATE TABLE backups (
  at BIGINT NOT NULL PRIMARY KEY
);
