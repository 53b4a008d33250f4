-- Amounts are millionths of the service's currency. JSON: a budget is {perCall, perDay}, a payment {amount, currency}.
ALTER TABLE keys ADD COLUMN budget TEXT;
ALTER TABLE actions ADD COLUMN payment TEXT;

-- One row per paid call. No reference to invocations: their rows are removed after the retention, these stay.
CREATE TABLE ledger (
  invocation_id TEXT NOT NULL PRIMARY KEY,
  agent_key_id TEXT NOT NULL,
  toolkit TEXT NOT NULL,
  action TEXT NOT NULL,
  currency TEXT NOT NULL,
  day INTEGER NOT NULL,
  authorised BIGINT NOT NULL,
  charged BIGINT,
  held_at BIGINT NOT NULL,
  booked_at BIGINT,
  settled_at BIGINT
);
CREATE INDEX ledger_by_day ON ledger (day, agent_key_id);
CREATE INDEX ledger_by_key ON ledger (agent_key_id, invocation_id);
CREATE INDEX ledger_by_toolkit ON ledger (toolkit, invocation_id);
CREATE INDEX ledger_held ON ledger (held_at) WHERE charged IS NULL;
CREATE INDEX ledger_unsettled ON ledger (booked_at, invocation_id) WHERE settled_at IS NULL AND charged > 0;

-- Counters that nodes which share a database lock and change with the ledger. A single node counts in memory.
CREATE TABLE spending (
  agent_key_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  charged BIGINT NOT NULL,
  held BIGINT NOT NULL,
  PRIMARY KEY (agent_key_id, day)
);
