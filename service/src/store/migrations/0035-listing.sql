-- Texts of actions that an owner rejected, with the reason for their developer. No reference to actions: an action may go and come back with the same texts.
CREATE TABLE action_rejections (
  toolkit_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  rejected_at BIGINT NOT NULL,
  PRIMARY KEY (toolkit_id, name, hash)
);
-- The numbers of the agent keys that a toolkit's developer sees instead of their ids.
CREATE TABLE toolkit_callers (
  toolkit_id TEXT NOT NULL,
  agent_key_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (toolkit_id, agent_key_id)
);
CREATE UNIQUE INDEX toolkit_callers_number ON toolkit_callers (toolkit_id, number);
