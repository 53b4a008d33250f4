-- Texts of actions that an owner approved. No reference to actions: an action may go and come back with the same texts.
CREATE TABLE action_approvals (
  toolkit_id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  approved_at BIGINT NOT NULL,
  PRIMARY KEY (toolkit_id, name, hash)
);
