-- `_meta` of the action for MCP clients, and its icons, as JSON.
ALTER TABLE actions ADD COLUMN meta TEXT;
ALTER TABLE actions ADD COLUMN icons TEXT;
